import SeedbedCells

final class SQLiteDialect: Dialect {
  package static let shared = SQLiteDialect()

  var flavour: SQLTokens.Flavour { .sqlite }

  /// A dot is an ordinary character in a name.
  func insteadOfSchema(in name: String) -> String? { nil }

  package func table(_ name: String) -> String { "main." + name.quoted }

  func temporary(_ name: String) -> String { "temp." + name.quoted }

  func temporaryIndex(_ name: String, on table: String) -> String {
    "temp.\(name.quoted) ON \(table.quoted)"
  }

  package func index(_ name: String, on table: String) -> String {
    "main.\(name.quoted) ON \(table.quoted)"
  }

  var byKey: String { "WITHOUT ROWID" }

  var ledgerWords: LedgerWords {
    LedgerWords(
      integer: "INTEGER", chosenID: "INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL",
      keyText: "TEXT   ", takesAnyType: true)
  }

  var fileRows: String { RowTable.name.quoted }
  var fileRow: String { "rowid" }
  var numberedRows: String { "" }
  var rowNumber: String { "INTEGER" }

  func lacksReserve(_ table: TableSchema) -> (reason: String, declaration: String) {
    let name = table.primaryKey.first?.name ?? "id"
    return (
      table.isWithoutRowid
        ? "it is WITHOUT ROWID, so SQLite never chooses an id"
        : "it has no AUTOINCREMENT, so SQLite chooses the id after the largest one",
      "'\(name) INTEGER PRIMARY KEY AUTOINCREMENT' (rebuild an existing table in up.sql)"
    )
  }

  func type(of column: ColumnSchema, in table: TableSchema) -> String {
    "\(table.affinity(of: column).rawValue) COLLATE \(column.collation.quoted)"
  }

  func bareType(of column: ColumnSchema) -> String { "" }

  func fieldType(of column: ColumnSchema, in table: TableSchema) -> String {
    table.affinity(of: column).rawValue
  }

  func canCompare(_ first: ColumnSchema, _ second: ColumnSchema) -> Bool { true }

  func isText(_ column: ColumnSchema, in table: TableSchema) -> Bool {
    table.affinity(of: column) == .text
  }

  func decoder(
    of column: ColumnSchema, in table: TableSchema, blob: BlobEncoding?
  ) throws -> FieldDecoder {
    try FieldDecoder(column: column, isStrict: table.isStrict, blob: blob)
  }

  package func takes(
    _ text: String, _ column: ColumnSchema, in table: TableSchema, blob: BlobEncoding?
  ) -> Bool { true }

  func computed(_ expression: String, isStored: Bool) -> String {
    "AS (\(expression)) \(isStored ? "STORED" : "VIRTUAL")"
  }

  /// Restores the affinity and collation that the expression lacks.
  func inComputed(_ name: String, _ expression: String) -> String { name }

  func collated(_ value: String, _ collation: String) -> String {
    "\(value) COLLATE \(collation.quoted)"
  }

  func exactly(_ value: String, _ column: ColumnSchema) -> String {
    "\(value) COLLATE BINARY"
  }

  func isDefault(
    _ value: String, _ made: String, _ column: ColumnSchema, of table: TableSchema
  ) -> String {
    let isSame = "\(value) IS \(made) COLLATE BINARY"
    // With any other affinity, values that compare as equal have one storage class. Without
    // affinity, 1 also equals 1.0.
    guard table.affinity(of: column) == .blob else { return isSame }
    return "(\(isSame) AND typeof(\(value)) = typeof(\(made)))"
  }

  /// The same storage class and bytes, or reals that agree in 15 digits.
  func same(
    _ first: String, _ second: String, _ column: ColumnSchema, of table: TableSchema
  ) -> String {
    let equal = "\(first) COLLATE BINARY IS \(second)"
    let sameReal = "\(RegisteredFunction.sameReal.quoted)(\(first), \(second))"
    switch table.affinity(of: column) {
    case .text: return equal
    case .blob:
      return "(typeof(\(first)) = typeof(\(second)) AND \(equal) OR \(sameReal))"
    case .integer, .real, .numeric: return "(\(equal) OR \(sameReal))"
    }
  }

  func plainText(_ value: String) -> String {
    "\(RegisteredFunction.plainText.quoted)(\(value))"
  }

  func following(_ key: ColumnSchema, of parent: TableSchema) -> String {
    "REFERENCES \(parent.name.quoted) (\(key.name.quoted)) ON UPDATE CASCADE ON DELETE CASCADE"
  }

  func mixed(_ owner: String, _ id: String, _ column: ColumnSchema) -> String {
    "\(RegisteredFunction.mixed.quoted)(\(owner), \(id))"
  }

  func differ(_ first: String, _ second: String) -> String { "\(first) IS NOT \(second)" }

  func differExactly(_ first: String, _ second: String) -> String {
    "\(first) COLLATE BINARY IS NOT \(second)"
  }

  func mark(_ row: String, _ column: ColumnSchema, of table: TableSchema) -> Mark? {
    switch table.affinity(of: column) {
    case .text: Mark(sql: "char(1) || 'seedbed:' || \(row)")
    case .blob: Mark(sql: "CAST(char(1) || 'seedbed:' || \(row) AS BLOB)")
    case .integer, .numeric: Mark(sql: "-4000000000000000000 - \(row)")
    // A double cannot hold more digits.
    case .real: Mark(sql: "-1e15 - \(row)")
    }
  }

  func greatestID(_ column: ColumnSchema) -> Int64 { .max }

  func unresolved(_ name: String, _ column: ColumnSchema) -> String {
    "CAST(\(name) AS BLOB)"
  }

  func isUnresolved(_ value: String, _ column: ColumnSchema) -> String {
    let mark = Unresolved.mark
    return "substr(\(value), 1, \(mark.utf8.count)) = CAST('\(mark)' AS BLOB)"
  }

  func isUnresolved(_ value: Value, _ column: ColumnSchema) -> Bool {
    guard case .blob(let bytes) = value else { return false }
    return bytes.starts(with: Unresolved.mark.utf8)
  }

  func literal(_ value: String) -> String { "quote(\(value))" }

  func anyOf(_ value: String, _ filter: String) -> String { "max(\(value)) \(filter)" }

  func passesOver(isRule: Bool) -> (how: String, remedy: String) {
    ("RAISE(IGNORE)", "WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying)")
  }

  package func seconds(from start: String, to end: String) -> String {
    "(julianday(\(end)) - julianday(\(start))) * 86400"
  }

  // A table may declare `ON CONFLICT REPLACE` or `IGNORE`, which would silently delete a user's row
  // or drop one of ours.
  var insert: String { "INSERT OR ABORT" }
  var update: String { "UPDATE OR ABORT" }
  var withGivenIDs: String { "" }
  var mostColumns: Int { RowTable.mostColumns }
  var orderedJoin: String { "CROSS JOIN" }
  var notSearched: String { "+" }
  func statistics(of columns: String, in table: String) -> String? { nil }
}
