import Seedbed
import SeedbedCells

/// A table of the catalog, as suggestions name its columns, and the rows that it is to have: those
/// of its source CSV, or the catalog's own if it has none.
final class SuggestedTable {
  let target: TableTarget
  let fields: [SourceField]
  /// Its source CSVs; empty if catalog.json names none.
  let files: [SourceFile]
  let source: SourceTable?
  private let places: [Name: Int]
  private let keys: [Int]
  private let row: Statement

  /// - Throws: for a table that no file fills, and for a source that cannot be read.
  init(_ target: TableTarget, _ files: [SourceFile], number: Int, _ scratch: ScratchDatabase)
    throws
  {
    (self.target, self.files) = (target, files)
    let from: String
    let names: (Int, SourceField) -> String
    if files.isEmpty {
      source = nil
      fields = try scratch.fields(scratch.seededNames(of: target), of: target)
      from = "0 AS \("row".quoted)"
      names = { $1.sql }
    } else {
      let table = try scratch.source(files, of: target, number: number)
      (source, fields) = (table, table.fields)
      from = "rowid"
      names = { index, _ in "c\(index)" }
    }
    let columns = fields.enumerated().map(names)
    keys = fields.indices.filter { [fields] in fields[$0].isKey }
    places = Dictionary(
      fields.enumerated().map { (Name($1.header), $0) },
      uniquingKeysWith: { first, _ in first })
    row = try scratch.connection.prepare(
      "SELECT \(([from] + columns).joined(separator: ", ")) "
        + "FROM \(source?.sql ?? target.sql + " AS m") "
        + "WHERE \(keys.map { "\(columns[$0]) = ?" }.allTrue)")
  }

  var keyNames: [String] { keys.map { fields[$0].header } }

  /// The row with a key: its number in the source, and its values; nil if there is none.
  func current(_ key: [Value]) throws -> (number: Int64, values: [Value])? {
    row.bind(key)
    guard try row.step() else { return nil }
    let values = row.values(from: 0)
    while try row.step() {}
    return (values[0].integer ?? 0, Array(values.dropFirst()))
  }

  func isSame(_ one: Value, _ other: Value, _ field: Int) -> Bool {
    fields[field].reference == nil
      ? target.isSame(one, other, in: fields[field].column.name) : one == other
  }

  // MARK: reading a line

  /// A line in the types of the table.
  ///
  /// - Throws: `csv` at the line, for what does not fit.
  func suggested(_ line: SuggestionLine, table: Int) throws -> Suggested {
    let key = try key(of: line)
    switch line.kind {
    case .deletion: return Suggested(kind: .deletion, table: table, key: key)
    case .addition:
      var row = [Value?](repeating: nil, count: fields.count)
      for (name, field) in line.row {
        let index = try index(of: name, line)
        if row[index] != nil { throw refusal("names '\(name.shown)' twice", line) }
        row[index] = try value(field, index, line)
      }
      guard keys.map({ row[$0] }) == key.map(Optional.some) else {
        throw refusal("has another key in its row", line)
      }
      return Suggested(kind: .addition, table: table, key: key, row: row)
    case .edit:
      guard let name = line.column else { throw refusal("names no column", line) }
      let column = try index(of: name, line)
      if fields[column].isKey {
        throw refusal("changes '\(name.shown)', which is part of the key", line)
      }
      let (base, mine) = try (value(line.base, column, line), value(line.mine, column, line))
      if isSame(base, mine, column) { throw refusal("changes nothing", line) }
      return Suggested(
        kind: .edit, table: table, key: key, column: column, base: base, mine: mine)
    }
  }

  private func key(of line: SuggestionLine) throws -> [Value] {
    var values: [Int: Value] = [:]
    for (name, field) in line.key {
      let index = try index(of: name, line)
      guard fields[index].isKey, values[index] == nil else {
        throw refusal("has '\(name.shown)' in its key, which is \(keyWords)", line)
      }
      values[index] = try value(field, index, line)
    }
    let key = keys.compactMap { values[$0] }
    guard key.count == keys.count, !key.contains(.null) else {
      throw refusal("lacks a part of its key, which is \(keyWords)", line)
    }
    return key
  }

  private var keyWords: String { keyNames.joined(separator: ", ") }

  private func index(of name: String, _ line: SuggestionLine) throws -> Int {
    guard let index = places[name], !fields[index].isIgnored else {
      throw refusal(
        "names '\(name.shown)', a column that \(files.first?.place ?? "the catalog") does not fill",
        line)
    }
    return index
  }

  private func value(
    _ field: SuggestionLine.Field, _ index: Int, _ line: SuggestionLine
  ) throws -> Value {
    let own = fields[index]
    let value: Value?
    switch field {
    case .null: return own.empty == .text ? .text("") : .null
    case .text(let text):
      value = text.isEmpty && own.empty == .text ? .text("") : own.decoder.value(of: text)
    case .blob(let bytes): value = .blob(bytes)
    }
    // A value that no row file can hold cannot become a release, such as text with a NUL.
    guard let value, own.text(of: value) != nil else {
      throw refusal(
        "has a value that does not fit the column '\(own.header)': expected "
          + own.decoder.expectation, line, ends: true)
    }
    return value
  }

  private func refusal(
    _ what: String, _ line: SuggestionLine, ends: Bool = false
  ) -> SeedbedError {
    SeedbedError(
      .csv, "This suggestion for '\(target.name)' \(what)\(ends ? "" : ".")", at: line.place)
  }
}

extension String {
  fileprivate var shown: String { shortened(to: 40) }
}

/// A suggestion in the types of its table. The same one of many devices is equal.
struct Suggested: Hashable {
  var kind: Migrator.Suggestion.Kind
  /// The position of the table in the review.
  var table: Int
  /// In the order of the table's fields.
  var key: [Value]
  /// The position of the field.
  var column: Int?
  var base: Value?
  var mine: Value?
  /// The values of an addition; nil for a field that it does not name.
  var row: [Value?] = []

  init(
    kind: Migrator.Suggestion.Kind, table: Int, key: [Value], column: Int? = nil,
    base: Value? = nil, mine: Value? = nil, row: [Value?] = []
  ) {
    (self.kind, self.table, self.key, self.column) = (kind, table, key, column)
    (self.base, self.mine, self.row) = (base, mine, row)
  }
}
