import Testing

@testable import Seedbed

/// A slip in a name must not become the table's first column.
@Suite struct `A column that a table does not have` {
  private static let table = TableSchema(
    name: "elements", sql: "elements", isWithoutRowid: false, isStrict: false, columns: [],
    indexes: [], foreignKeys: [])

  @Test func `is an error with its name`() throws {
    let error = #expect(throws: SeedbedError.self) { try Self.table.slot(of: "nmae") }
    #expect(error?.message.contains("column 'nmae' in 'elements'") == true)
  }
}
