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

  private var isSelect: Bool { selection.hasSuffix(".sql") }

  /// Whether the rows are those of a table, which an UPDATE can correct.
  func isTable() throws -> Bool {
    if isSelect { return false }
    return try reading { try $0.object(named: selection)?.kind == .table }
  }

  /// The rows as CSV: those of a table in the order of its key, those of a SELECT in its own.
  func converted() throws -> ConvertedSource {
    try reading { connection in
      let rows = try isSelect ? select(on: connection) : all(on: connection)
      let names = (0..<rows.columnCount).map(rows.columnName)
      let encodings = names.map { options?.blob($0) ?? .base64 }
      var texts: Set<Int> = []
      var records: [[UInt8]] = []
      while try rows.step() {
        var record: [UInt8] = []
        let values = rows.values()
        if values.allSatisfy({ $0 == .null }) { throw SeedbedError.nullRow(.init(place)) }
        for (index, value) in values.enumerated() {
          if index > 0 { record.append(UInt8(ascii: ",")) }
          if case .text = value { texts.insert(index) }
          if case .real(let number) = value, !number.isFinite {
            throw SeedbedError(
              .csv,
              "'\(names[index])' is infinite in the row with \(names[0])=\(values[0].display), and "
                + "CSV has no such number. Store NULL or another number.", at: .init(place))
          }
          record += Self.field(value, encodings[index])
        }
        record.append(UInt8(ascii: "\n"))
        records.append(record)
      }
      return ConvertedSource(names, names.map { _ in nil }, texts: texts, nil, place: place) {
        var rest = records.makeIterator()
        return { csv in rest.next().map { csv += $0 } != nil }
      }
    }
  }

  private func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    guard Paths.exists(path) else { throw SeedbedError.sourceMissing(place) }
    do {
      return try Connection.reading(
        path, setup: nil, lockTimeoutSeconds: Self.lockTimeoutSeconds, body)
    } catch let failure as SQLiteFailure where failure.isBusy {
      throw locked
    } catch let failure as SQLiteFailure {
      throw SeedbedError(
        isSelect ? .sql : .io, "SQLite says: \(failure.message). \(remedy)",
        at: .init(isSelect ? selectPlace : place))
    } catch let error as SeedbedError where error.code == .busy {
      throw locked
    }
  }

  private var locked: SeedbedError {
    SeedbedError(
      .busy, "Another program has locked the database. End its transaction.", at: .init(place))
  }

  private var remedy: String {
    isSelect ? "Correct the SELECT." : "Name an SQLite database, and a table in it."
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

  private func all(on connection: Connection) throws -> Statement {
    guard let found = try connection.object(named: selection) else {
      let near = Nearest.question(about: selection, among: try connection.tableNames())
      throw SeedbedError(
        .csv, "The database has no table '\(selection.shortened(to: 40))'.\(near)",
        at: .init(place))
    }
    let key =
      found.kind == .table
      ? try connection.schema(of: found.name).primaryKey.map(\.name.quoted) : []
    let order = key.isEmpty ? "" : " ORDER BY \(key.joined(separator: ", "))"
    return try connection.prepare("SELECT * FROM \(found.name.quoted)\(order)")
  }

  // MARK: a SELECT

  private var selectPlace: String {
    place.lastIndex(of: "/").map { String(place[...$0]) + selection } ?? selection
  }

  private func select(on connection: Connection) throws -> Statement {
    let statements = Script(name: selectPlace, bytes: try text()).statements()
    guard let sql = statements.first, statements.count == 1 else {
      throw refusal("Found \(statements.count) statements, expected one SELECT.")
    }
    let word = String(sql.prefix { $0.isASCII && $0.isLetter }).asciiLowercased()
    guard ["select", "with", "values"].contains(word) else {
      throw refusal("This is no SELECT. Write one whose columns are those of the table.")
    }
    let statement = try connection.prepare(sql)
    guard statement.columnCount > 0, statement.isReadOnly else {
      throw refusal("This is no SELECT. Write one whose columns are those of the table.")
    }
    if statement.parameterCount > 0 {
      throw refusal("The SELECT has a parameter, which has no value here. Write the value.")
    }
    return statement
  }

  private func text() throws -> [UInt8] {
    let file = Paths.split(Paths.absolute(path)).0 + "/" + selection
    guard let content = FileManager.default.contents(atPath: file) else {
      throw SeedbedError(
        .io, "There is no file '\(selection)' beside the database. Write the SELECT into it.",
        at: .init(place))
    }
    guard String(data: content, encoding: .utf8) != nil else {
      throw refusal("This file is not UTF-8. Save it as UTF-8.")
    }
    return Array(content)
  }

  private func refusal(_ message: String) -> SeedbedError {
    SeedbedError(.sql, message, at: .init(selectPlace))
  }
}
