import Seedbed

/// All rows of a scratch database: as CSV where the dialect can say them, else as SQL.
struct SnapshotRows {
  /// By table, as plain text.
  private(set) var files: [(table: String, bytes: [UInt8])] = []
  /// Rows without a key, and values that no field can say: before the others, which may refer to
  /// them.
  private(set) var upSQL = ""
  /// What virtual tables hold, and the counters of AUTOINCREMENT.
  private(set) var afterSQL = ""
  /// Where the options of a served table are not those of catalog.json.
  private(set) var options: [String: TableOptions] = [:]
  private(set) var rows = 0
  private let scratch: Scratch
  private let general: MigrationOptions

  /// - Parameter onlyServed: leave out what only SQL files fill.
  init(_ scratch: Scratch, _ schema: SnapshotSchema, onlyServed: Bool = false) throws {
    self.scratch = scratch
    general = try scratch.catalog.generalOptions()
    for table in schema.tables where !schema.isApps(table) || scratch.isServed(table.name) {
      if onlyServed, !scratch.isServed(table.name) { continue }
      try add(table.name)
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
    let columns = try Self.columns(of: table, target, scratch)
    var fields: [TruthField]?
    if let target {
      // A column of bytes without an encoding, say, where only SQL ever filled the table.
      do {
        fields = try scratch.servedFields(columns, of: target)
      } catch {
        if scratch.isServed(table) { throw error }
      }
    }
    let names = columns.map(\.quoted)
    let keys = target?.key.map(\.name.quoted) ?? ["rowid"]
    let statement = try scratch.connection.prepare(
      "SELECT \((names.isEmpty ? ["NULL"] : names).joined(separator: ", ")) "
        + "FROM main.\(table.quoted) ORDER BY \(keys.joined(separator: ", "))")
    var bytes: [UInt8] = []
    var text = try RowFileText(header: columns) { bytes += $0 }
    while try statement.step() {
      let values = statement.values()
      if let fields, let record = record(values, fields) {
        try text.add(record)
      } else {
        upSQL += Self.insert(into: table, names, names.isEmpty ? [] : values)
      }
      rows += 1
    }
    try text.finish()
    guard text.rows > 0 else { return }
    files.append((table, bytes))
    let own = try scratch.servingOptions(of: table).table(table)
    if own.key != general.table(table).key || own.blobs != general.table(table).blobs {
      options[table] = own
    }
  }

  /// nil where the key is not whole, or no field says a value.
  private func record(_ values: [Value], _ fields: [TruthField]) -> [String]? {
    var record: [String] = []
    for (value, field) in zip(values, fields) {
      guard let text = field.text(of: value), !field.isKey || !value.isNull else { return nil }
      record.append(text)
    }
    return record
  }

  /// What the catalog fills, and where some row is not at the default, that too. Else the default
  /// is taken on each device, as without a snapshot.
  static func columns(
    of table: String, _ target: TableTarget?, _ scratch: Scratch
  ) throws -> [String] {
    let seeded = try target.map { try scratch.seededColumns(of: $0) } ?? []
    let key = Set(target?.key.map(\.name) ?? [])
    return try scratch.connection.schema(of: table).columns.filter { column in
      guard column.generated == .no else { return false }
      if seeded.contains(column.name) || key.contains(column.name) { return true }
      guard let literal = UserColumns.constantDefault(column) else { return false }
      return try scratch.connection.value(
        """
        SELECT 1 FROM main.\(table.quoted)
        WHERE \(column.name.quoted) COLLATE BINARY IS NOT \(literal) LIMIT 1
        """) != nil
    }.map(\.name)
  }

  private static func insert(into table: String, _ names: [String], _ values: [Value]) -> String {
    names.isEmpty
      ? "INSERT INTO \(table.quoted) DEFAULT VALUES;\n"
      : "INSERT INTO \(table.quoted) (\(names.joined(separator: ", "))) VALUES "
        + "(\(values.map(\.sqlLiteral).joined(separator: ", ")));\n"
  }

  // MARK: what SQLite keeps beside the tables

  private mutating func fill(_ table: SnapshotSchema.Object) throws {
    if table.isView { return }
    let name = table.name.quoted
    if table.hasExternalContent {
      afterSQL += "INSERT INTO \(name) (\(name)) VALUES ('rebuild');\n"
      return
    }
    var columns = try scratch.connection.rows(
      "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid", [.text(table.name)]
    ).compactMap { $0[0].text?.quoted }
    if table.isFullText { columns.insert("rowid", at: 0) }
    let statement = try scratch.connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM main.\(name)")
    while try statement.step() {
      afterSQL += Self.insert(into: table.name, columns, statement.values())
    }
  }

  /// Ids of rows that came and went do not come again.
  private mutating func addSequences(_ schema: SnapshotSchema) throws {
    let isThere = try scratch.connection.value(
      "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")
    if isThere == nil { return }
    let names = Set(schema.tables.map(\.name))
    let found = try scratch.connection.rows("SELECT name, seq FROM sqlite_sequence ORDER BY name")
    for row in found {
      guard let name = row[0].text, names.contains(name) else { continue }
      afterSQL +=
        "DELETE FROM sqlite_sequence WHERE name = \(row[0].sqlLiteral);\n"
        + "INSERT INTO sqlite_sequence (name, seq) "
        + "VALUES (\(row[0].sqlLiteral), \(row[1].sqlLiteral));\n"
    }
  }
}

extension Value {
  fileprivate var sqlLiteral: String {
    switch self {
    case .null: "NULL"
    // The smallest number has no literal: SQLite reads its digits first, and the sign then.
    case .integer(.min): "(-9223372036854775807 - 1)"
    case .integer(let number): String(number)
    case .real(let number):
      number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : number.description
    case .text(let text):
      text.utf8.contains(0)
        ? "CAST(\(Self.hex(Array(text.utf8))) AS TEXT)" : "'" + text.doubling("'") + "'"
    case .invalidText(let bytes): "CAST(\(Self.hex(bytes)) AS TEXT)"
    case .blob(let bytes): Self.hex(bytes)
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }
}
