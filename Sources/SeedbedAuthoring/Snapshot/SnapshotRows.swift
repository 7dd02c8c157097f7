import Seedbed

/// All rows of a scratch database: as CSV if the dialect can represent them, otherwise as SQL.
struct SnapshotRows {
  /// The row files by table, as plain text.
  private(set) var files: [(table: String, bytes: [UInt8])] = []
  /// SQL for rows without a key, and for values that no field can represent. It runs first, since
  /// other rows may refer to these.
  private(set) var upSQL = ""
  /// SQL for the rows of virtual tables, and for the counters of AUTOINCREMENT.
  private(set) var afterSQL = ""
  /// The options of filled tables that differ from those of catalog.json.
  private(set) var options: [Name: TableOptions] = [:]
  private(set) var rows = 0
  /// Tables of the app's that have to be empty.
  private(set) var fills: [String] = []
  /// The columns that files fill, by table.
  private(set) var filled: [Name: [String]] = [:]
  private struct RowFile {
    var rows: Int
    var bytes: [UInt8]
  }

  private let keepsRowids: Bool
  private let scratch: ScratchDatabase
  private let columns: SnapshotColumns
  private let general: MigrationOptions

  /// - Parameter onlyServed: leave out rows that only SQL files fill.
  init(
    _ scratch: ScratchDatabase, _ schema: SnapshotSchema, _ columns: SnapshotColumns,
    onlyServed: Bool = false
  ) throws {
    self.scratch = scratch
    self.columns = columns
    general = try scratch.catalog.generalOptions()
    keepsRowids = try !onlyServed && scratch.knowsRowids()
    for table in schema.tables where try !schema.isApps(table) || scratch.isFilled(table.name) {
      if onlyServed, try !scratch.isServed(table.name) { continue }
      try add(table.name)
      if schema.isApps(table) { fills.append(table.name) }
    }
    if onlyServed { return }
    for table in schema.virtualTables { try fill(table) }
    try addSequences(schema)
    if try scratch.connection.value("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'")
      != nil
    {
      afterSQL += "ANALYZE;\n"
    }
  }

  // MARK: tables

  private mutating func add(_ table: String) throws {
    let target = try scratch.servedTarget(table)
    let isServed = try scratch.isServed(table)
    if let target, isServed { filled[target.name] = try scratch.filledNames(of: target) }
    if let target, target.options.per != nil { return try addCopied(target) }
    let header = try columns.written(of: table, target)
    var fields: [SourceField]?
    if let target, RowFileText.fileName(of: table) != nil {
      // For example, a column of bytes has no encoding because only SQL ever filled the table.
      do {
        fields = try scratch.servedFields(header, of: target)
      } catch {
        if isServed { throw error }
      }
    }
    if let rowid = try Self.rowid(of: table, scratch), keepsRowids || target == nil {
      if let fields, let file = try inOrder(of: rowid, table, header, fields) {
        return try addFile(table, file)
      }
      return try addSQL(table, [rowid] + header.map(\.quoted), orderedBy: rowid)
    }
    try addFile(table, try byKey(table, header, fields, target?.key.map(\.name) ?? header))
  }

  /// Writes the rows of which each owner has a copy: as files do, without the owner and his ids.
  private mutating func addCopied(_ target: TableTarget) throws {
    let fields = try scratch.fields(scratch.seededNames(of: target), of: target)
    var bytes: [UInt8] = []
    let rows = try TableExport.read(fields, of: target, on: scratch.connection) {
      bytes += $0
    } isWanted: { _ in
      true
    }
    try addFile(target.name, RowFile(rows: rows, bytes: bytes))
  }

  /// Writes rows by key. Values that no field can represent go into SQL.
  private mutating func byKey(
    _ table: String, _ header: [String], _ fields: [SourceField]?, _ key: [String]
  ) throws -> RowFile {
    let names = header.map(\.quoted)
    let statement = try scratch.connection.prepare(
      "SELECT \(header.quotedList) FROM main.\(table.quoted) ORDER BY \(key.quotedList)")
    var bytes: [UInt8] = []
    var text = try RowFileText(header: header) { bytes += $0 }
    while try statement.step() {
      let values = statement.values()
      if let fields, let record = record(values, fields) {
        try text.add(record)
      } else {
        upSQL += Self.insert(into: table, names, values)
        rows += 1
      }
    }
    try text.finish()
    return RowFile(rows: text.rows, bytes: bytes)
  }

  private mutating func addFile(_ table: String, _ file: RowFile) throws {
    guard file.rows > 0 else { return }
    files.append((table, file.bytes))
    rows += file.rows
    let own = try scratch.servingOptions(of: table).table(table)
    if own.key != general.table(table).key || own.blobs != general.table(table).blobs {
      options[table] = own
    }
  }

  // MARK: rowids

  /// The name of rowids that are not a column; nil if they are, or if there are none.
  static func rowid(of table: String, _ scratch: ScratchDatabase) throws -> String? {
    let schema = try scratch.connection.schema(of: table)
    return schema.rowidAlias == nil ? schema.rowidName : nil
  }

  /// All rows in the order of their rowids. SQLite numbers them again from 1; if there are gaps,
  /// SQL moves the rows afterwards. nil if that does not restore all of it.
  private mutating func inOrder(
    of rowid: String, _ table: String, _ columns: [String], _ fields: [SourceField]
  ) throws -> RowFile? {
    let names = ([rowid] + columns.map(\.quoted)).joined(separator: ", ")
    let statement = try scratch.connection.prepare(
      "SELECT \(names) FROM main.\(table.quoted) ORDER BY \(rowid)")
    var bytes: [UInt8] = []
    var text = try RowFileText(header: columns) { bytes += $0 }
    var moves: [(first: Int64, last: Int64, by: Int64)] = []
    var number: Int64 = 0
    while try statement.step() {
      number += 1
      let id = statement.integer(0)
      guard id >= number, let record = record(statement.values(from: 1), fields) else {
        return nil
      }
      try text.add(record)
      if id == number { continue }
      if let last = moves.last, last.last == number - 1, last.by == id - number {
        moves[moves.count - 1].last = number
      } else {
        moves.append((number, number, id - number))
      }
    }
    for move in moves {
      afterSQL +=
        "UPDATE \(table.quoted) SET \(rowid) = -(\(rowid) + \(move.by)) "
        + "WHERE \(rowid) BETWEEN \(move.first) AND \(move.last);\n"
    }
    if !moves.isEmpty {
      afterSQL += "UPDATE \(table.quoted) SET \(rowid) = -\(rowid) WHERE \(rowid) < 0;\n"
    }
    try text.finish()
    return RowFile(rows: text.rows, bytes: bytes)
  }

  private mutating func addSQL(
    _ table: String, _ names: [String], orderedBy rowid: String
  ) throws {
    let statement = try scratch.connection.prepare(
      "SELECT \(names.joined(separator: ", ")) FROM main.\(table.quoted) ORDER BY \(rowid)")
    while try statement.step() {
      upSQL += Self.insert(into: table, names, statement.values())
      rows += 1
    }
  }

  /// A record; nil if the key is incomplete, or if no field represents a value.
  private func record(_ values: [Value], _ fields: [SourceField]) -> [String]? {
    var record: [String] = []
    for (value, field) in zip(values, fields) {
      guard let text = field.text(of: value), !field.isKey || !value.isNull else { return nil }
      record.append(text)
    }
    return record
  }

  private static func insert(into table: String, _ names: [String], _ values: [Value]) -> String {
    "INSERT INTO \(table.quoted) (\(names.joined(separator: ", "))) VALUES "
      + "(\(values.map(\.sqlLiteral).joined(separator: ", ")));\n"
  }

  // MARK: what SQLite keeps beside the tables

  private mutating func fill(_ table: SnapshotSchema.Object) throws {
    if table.isView { return }
    let name = table.name.quoted
    if table.module == "fts5" {
      // For example, how it ranks: all settings that the module does not make itself.
      for row in try scratch.connection.rows(SnapshotProof.settings(of: table)) {
        afterSQL += Self.insert(into: table.name, [name, "rank"], row)
      }
    }
    if table.content == .none, try isFilled(table) { throw SeedbedError.keepsNoText(table.name) }
    if table.content != .own {
      if table.content == .external {
        afterSQL += "INSERT INTO \(name) (\(name)) VALUES ('rebuild');\n"
      }
      return
    }
    let columns = try table.columns(on: scratch.connection).map(\.quoted)
    let statement = try scratch.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM main.\(name)")
    while try statement.step() {
      afterSQL += Self.insert(into: table.name, columns, statement.values())
    }
  }

  /// Whether the index has terms. Its text cannot be read.
  private func isFilled(_ table: SnapshotSchema.Object) throws -> Bool {
    let (shadow, condition) =
      table.module == "fts5" ? ("_data", "WHERE id > 10") : ("_segdir", "")
    return try scratch.connection.value(
      "SELECT 1 FROM main.\((table.name + shadow).quoted) \(condition) LIMIT 1") != nil
  }

  /// Ids of deleted rows must not be used again. In a table of the app's, there may have been
  /// others.
  private mutating func addSequences(_ schema: SnapshotSchema) throws {
    let isThere = try scratch.connection.value(
      "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    if isThere == nil { return }
    let found = try scratch.connection.rows("SELECT name, seq FROM sqlite_sequence ORDER BY name")
    for row in found {
      guard let table = schema.tables.first(where: { $0.name.isSameName(as: row[0].text ?? "") })
      else { continue }
      let (name, number) = (row[0].sqlLiteral, row[1].sqlLiteral)
      if !schema.isApps(table) {
        afterSQL +=
          "DELETE FROM sqlite_sequence WHERE name = \(name);\n"
          + "INSERT INTO sqlite_sequence (name, seq) VALUES (\(name), \(number));\n"
      } else if try scratch.isFilled(table.name) {
        afterSQL +=
          "INSERT INTO sqlite_sequence (name, seq) SELECT \(name), \(number) "
          + "WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = \(name));\n"
          + "UPDATE sqlite_sequence SET seq = \(number) WHERE name = \(name) AND seq < \(number);\n"
      }
    }
  }
}

extension SeedbedError {
  fileprivate static func keepsNoText(_ table: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The full-text index '\(table)' stores no text (content=''), so no snapshot can fill it. "
        + "Create it again in the next migration with content='<table>'.")
  }
}
