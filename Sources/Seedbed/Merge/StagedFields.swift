/// Where the fields of a staged file are.
///
/// The update of a whole table may have twice as many fields as a table can have columns. Then the
/// stage's own table holds those by which rows are found, and all are in further tables, the
/// windows, which share its row numbers.
struct StagedFields {
  /// In the stage's own table.
  let main: [Int]
  /// The file's own fields, cut; empty where all are in the stage's own table.
  let windows: [Range<Int>]
  private let isInMain: [Bool]

  /// Less than a table can have, since it has columns beside those of the fields.
  static let mostFields = RowTable.mostColumns - 10

  init(_ file: RowFile) {
    guard file.fields.count > Self.mostFields else {
      main = Array(file.fields.indices)
      windows = []
      isInMain = file.fields.map { _ in true }
      return
    }
    var isInMain = file.fields.map { _ in false }
    var main: [Int] = []
    for index in file.soughtIndexes where !isInMain[index] && main.count < Self.mostFields {
      isInMain[index] = true
      main.append(index)
    }
    self.main = main
    self.isInMain = isInMain
    let count = file.streamedTypes.count
    windows = stride(from: 0, to: count, by: Self.mostFields).map {
      $0..<min($0 + Self.mostFields, count)
    }
  }

  /// The window that a field has to be read from; nil where it is in the stage's own table.
  func window(of index: Int) -> Int? { isInMain[index] ? nil : index / Self.mostFields }
}

extension RowFile {
  /// Whether it has more fields than a table can have columns.
  var isWide: Bool { fields.count > StagedFields.mostFields }

  /// The fields by which rows are found, or that are filled in, the most important ones first.
  fileprivate var soughtIndexes: [Int] {
    let children = (parents + target.parents).flatMap(\.childColumns)
    return keyIndexes + oldKeyIndexes + fields.indices.filter { !fields[$0].isStreamed }
      + naturals.flatMap(\.fields) + children.compactMap { oldIndex(of: $0) }
      + children.compactMap { index(of: $0) }
  }
}

extension Stage {
  func window(_ number: Int) -> String { "temp." + "\(name):window:\(number)".quoted }

  /// A field of the row that `row` stands for.
  func field(_ index: Int, of row: String = "s") -> String {
    guard let number = fields.window(of: index) else { return "\(row).c\(index)" }
    return "(SELECT w.c\(index) FROM \(window(number)) AS w WHERE w.row = \(row).row)"
  }

  /// The stage as `s`, with its windows beside it: what is read as a whole is in `joined` there.
  var joinedSQL: String {
    "\(sql) AS s"
      + fields.windows.indices.map { " CROSS JOIN \(window($0)) AS s\($0) ON s\($0).row = s.row" }
      .joined()
  }

  /// A field where the stage is `joinedSQL`.
  func joined(_ index: Int) -> String {
    fields.window(of: index).map { "s\($0).c\(index)" } ?? "s.c\(index)"
  }

  /// Fields of one row.
  func values(_ indexes: [Int], row: Value) throws -> [Value] {
    var values: [Value] = []
    for start in stride(from: 0, to: indexes.count, by: RowTable.mostColumns) {
      let some = indexes[start..<min(start + RowTable.mostColumns, indexes.count)]
      values +=
        try connection.rows(
          "SELECT \(some.map(joined).joined(separator: ", ")) FROM \(joinedSQL) WHERE s.row = ?",
          [row]
        ).first ?? some.map { _ in .null }
    }
    return values
  }

  /// Gives one row another value in a field.
  func set(_ index: Int, to value: Value, row: Value) throws {
    let table = fields.window(of: index).map(window) ?? sql
    try connection.execute("UPDATE \(table) SET c\(index) = ? WHERE row = ?", [value, row])
    if file.fields[index].source == .resolved { try noteGiven(index, row) }
  }

  // MARK: loading

  /// A file is read from its first row to its last, so it is read once for each window.
  func loadWindows(_ onChunk: @escaping (Int64, Int) throws -> Void) throws -> RowReader.Totals {
    var totals: RowReader.Totals?
    for (number, window) in fields.windows.enumerated() {
      let names = window.map { "c\($0)" }.joined(separator: ", ")
      let columns = window.map { "c\($0) \(type(of: $0))" }.joined(separator: ", ")
      let table = self.window(number)
      try connection.execute(
        "CREATE TABLE \(table) (row INTEGER PRIMARY KEY, line INTEGER, \(columns))")
      let found = try load(
        window, onChunk: number == 0 ? onChunk : { _, _ in },
        """
        INSERT INTO \(table) (row, line, \(names))
        SELECT rowid, line, \(names) FROM \(RowTable.name.quoted)
        """)
      if let totals, totals != found { throw SeedbedError.fileChanged(file.place) }
      totals = found
    }
    let sought = fields.main.filter { file.fields[$0].isStreamed }
    let values = sought.map { "s\($0 / StagedFields.mostFields).c\($0)" }
    let joins = fields.windows.indices.dropFirst().map {
      " CROSS JOIN \(window($0)) AS s\($0) ON s\($0).row = s0.row"
    }
    try connection.execute(
      """
      INSERT INTO \(sql) (\((["row", "line"] + sought.map { "c\($0)" }).joined(separator: ", ")))
      SELECT \((["s0.row", "s0.line"] + values).joined(separator: ", "))
      FROM \(window(0)) AS s0\(joins.joined())
      """)
    return totals ?? RowReader.Totals()
  }

  /// Copies what the file has in these fields.
  func load(
    _ fields: Range<Int>?, onChunk: @escaping (Int64, Int) throws -> Void, _ copy: String
  ) throws -> RowReader.Totals {
    let rows = try RowTable(
      file.open(), types: file.streamedTypes, fields: fields, on: connection, onChunk: onChunk)
    do {
      try connection.execute(copy)
    } catch {
      throw rows.failure ?? error
    }
    return rows.totals
  }
}
