import Seedbed
import SeedbedCells

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A table of an SQLite database, or the rows of a SELECT, as a source.
struct SourceDatabase {
  /// The database's path.
  let path: String
  /// A table or a view, or a file with a SELECT beside the database.
  let selection: String
  /// Both, as errors name them.
  let place: String
  /// The options of the table that is filled.
  let options: TableOptions?

  private static let lockTimeoutSeconds = 5.0

  /// Whether the rows are those of a table, which an UPDATE can correct.
  var isTable: Bool { !selection.hasSuffix(".sql") }

  /// The rows as CSV: those of a table in the order of its key, those of a SELECT in its own.
  func converted() throws -> ConvertedSource {
    guard Paths.exists(path) else { throw SeedbedError.sourceMissing(place) }
    return try Connection.reading(
      path, setup: nil, lockTimeoutSeconds: Self.lockTimeoutSeconds
    ) { connection in
      let rows = try prepare(on: connection)
      let names = (0..<rows.columnCount).map(rows.columnName)
      let encodings = names.map { options?.blob($0) ?? .base64 }
      var texts: Set<Int> = []
      var records: [ConvertedSource.Record] = []
      while try rows.step() {
        var record: [UInt8] = []
        for (index, value) in rows.values().enumerated() {
          if index > 0 { record.append(UInt8(ascii: ",")) }
          if case .text = value { texts.insert(index) }
          record += Self.field(value, encodings[index])
        }
        records.append((record, names.count, nil))
      }
      return try ConvertedSource(names.map { ($0, nil) }, texts: texts, records, place: place)
    }
  }

  private static func field(_ value: Value, _ encoding: BlobEncoding) -> [UInt8] {
    switch value {
    case .null: []
    case .integer(let number): Array(String(number).utf8)
    case .real(let number): Array(DecimalText.text(number).utf8)
    case .text(let text): Array(text.quotedField.utf8)
    // Kept as they are: the reader of the CSV refuses them, and names the row.
    case .invalidText(let bytes):
      [UInt8(ascii: "\"")] + bytes.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
        + [UInt8(ascii: "\"")]
    case .blob(let bytes): Array(encoding.text(of: bytes).quotedField.utf8)
    }
  }

  private func prepare(on connection: Connection) throws -> Statement {
    guard isTable else {
      let sql = try text()
      let statement: Statement
      do {
        statement = try connection.prepare(sql)
      } catch let failure as SQLiteFailure {
        throw SeedbedError(
          .sql, "SQLite refuses this SELECT: \(failure.message). Correct it.",
          at: .init(selection))
      }
      guard statement.columnCount > 0, statement.isReadOnly else {
        throw SeedbedError(
          .sql, "This is no SELECT. Write one whose columns are those of the table.",
          at: .init(selection))
      }
      return statement
    }
    guard try connection.object(named: selection) != nil else {
      let near = Nearest.question(about: selection, among: try connection.tableNames())
      throw SeedbedError(
        .csv, "'\(path)' has no table '\(selection.shortened(to: 40))'.\(near)", at: .init(place))
    }
    let key = try connection.schema(of: selection).primaryKey.map(\.name.quoted)
    let order = key.isEmpty ? "" : " ORDER BY \(key.joined(separator: ", "))"
    return try connection.prepare("SELECT * FROM \(selection.quoted)\(order)")
  }

  private func text() throws -> String {
    let folder = Paths.split(Paths.absolute(path)).0
    let file = folder + "/" + selection
    guard let bytes = FileManager.default.contents(atPath: file) else {
      throw SeedbedError(
        .io, "There is no file '\(selection)' beside the database. Write the SELECT into it.",
        at: .init(place))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
