import CSeedbedSQLite
package import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The content of a database, as lines of text that can be compared.
///
/// Values that differ in every run are left out: times, numbers of runs, and the rows about runs. A
/// ledger without rows counts as none.
package struct DatabaseDump: Sendable, Hashable {
  package var lines: [String] = []

  /// A missing file is an empty database.
  ///
  /// - Parameters:
  ///   - ledger: the prefix of the ledger's tables; of a pack, that of the base's.
  ///   - pack: that of the pack's own.
  package init(
    _ path: String, ledger: String = "seedbed", pack: String? = nil, setup: ConnectionSetup? = nil
  ) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let reader = try Reader(path)
    try reader.setUp(setup)
    for check in ["integrity_check", "foreign_key_check"] {
      let found = try reader.lines("PRAGMA \(check)").filter { $0 != "'ok'" }
      if !found.isEmpty { throw Damage(lines: [check] + found) }
    }
    lines = try Self.lines(reader, [ledger] + [pack].compactMap(\.self))
  }

  /// The content as a connection sees it, without a check of the whole database.
  init(_ reader: Reader, ledgers: [String]) throws { lines = try Self.lines(reader, ledgers) }

  private static func lines(_ reader: Reader, _ ledgers: [String]) throws -> [String] {
    let isOther = ledgers.map { "tbl_name NOT GLOB '\($0)_*'" }.joined(separator: " AND ")
    var lines = try reader.lines(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE \(isOther) AND name NOT GLOB 'sqlite_*' ORDER BY type, name
      """)
    let tables = try reader.texts(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table'
        AND (name NOT GLOB 'sqlite_*' OR name = 'sqlite_sequence') ORDER BY name
      """)
    for table in tables {
      guard let query = try query(table, ledgers, reader) else { continue }
      lines += try reader.lines(query).sorted().map { "\(table): \($0)" }
    }
    return lines
  }

  /// The damage in the database itself.
  package struct Damage: Error {
    package var lines: [String]
  }

  private static func query(
    _ table: String, _ ledgers: [String], _ reader: Reader
  ) throws -> String? {
    let passing: Set = ["applied_at", "duration_ms", "run", "id", "at", "settled_at"]
    let words = table.split(separator: "\"", omittingEmptySubsequences: false)
    let name = "\"\(words.joined(separator: "\"\""))\""
    if table == "sqlite_sequence" {
      let isOther = ledgers.map { "name NOT GLOB '\($0)_*'" }.joined(separator: " AND ")
      return "SELECT name, seq FROM sqlite_sequence WHERE \(isOther)"
    }
    guard let ledger = ledgers.first(where: { table.hasPrefix($0 + "_") }) else {
      return "SELECT * FROM \(name)"
    }
    // A pack is noted before its first release.
    if ["_runs", "_ledger", "_packs"].contains(table.dropFirst(ledger.count)) { return nil }
    let columns = try reader.texts("SELECT name FROM pragma_table_info('\(table)')")
      .filter { !passing.contains($0) }
    return "SELECT \(columns.joined(separator: ", ")) FROM \(name)"
  }

  /// The first few lines that only one of the two has.
  package func difference(from other: DatabaseDump) -> String {
    let (mine, theirs) = (Set(lines), Set(other.lines))
    let extra = lines.filter { !theirs.contains($0) }.prefix(5).map { "  + \($0)" }
    let missing = other.lines.filter { !mine.contains($0) }.prefix(5).map { "  - \($0)" }
    return (extra + missing).joined(separator: "\n")
  }
}

/// A plain connection, like any other program's.
package final class Reader {
  private var handle: OpaquePointer?

  package init(_ path: String, creates: Bool = false, waits: Bool = true) throws {
    let flags = SQLITE_OPEN_READWRITE | (creates ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK else {
      let text = String(cString: sqlite3_errstr(code))
      sqlite3_close_v2(handle)
      handle = nil
      throw Trouble("Cannot open '\(path)': \(text).")
    }
    DiskLayer.opened(handle)
    sqlite3_busy_timeout(handle, waits ? 5000 : 0)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Registers the functions in the schema, which a check of the whole database calls.
  func setUp(_ setup: ConnectionSetup?) throws {
    if let handle { try setup?.body?(handle) }
  }

  package func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw Trouble("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
  }

  /// Runs `body` in a transaction that only reads, so that all queries see the same state.
  func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run("BEGIN")
    let result = Swift.Result { try body() }
    try run("COMMIT")
    return try result.get()
  }

  /// Each row as its values in SQL.
  package func lines(_ sql: String) throws -> [String] {
    try rows(sql) { statement in
      (0..<sqlite3_column_count(statement)).map { Self.literal(statement, $0) }
        .joined(separator: "|")
    }
  }

  /// The texts in the first column.
  func texts(_ sql: String) throws -> [String] {
    try rows(sql) { sqlite3_column_text($0, 0).map { String(cString: $0) } ?? "" }
  }

  private func rows<Row>(_ sql: String, _ read: (OpaquePointer) -> Row) throws -> [Row] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
      throw Trouble("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
    }
    defer { sqlite3_finalize(statement) }
    var rows: [Row] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: rows.append(read(statement))
      case SQLITE_DONE: return rows
      default: throw Trouble("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
      }
    }
  }

  private static func literal(_ statement: OpaquePointer, _ column: Int32) -> String {
    let count = Int(sqlite3_column_bytes(statement, column))
    switch sqlite3_column_type(statement, column) {
    case SQLITE_NULL: return "NULL"
    case SQLITE_INTEGER: return "\(sqlite3_column_int64(statement, column))"
    case SQLITE_FLOAT: return "\(sqlite3_column_double(statement, column))"
    case SQLITE_TEXT:
      let bytes = UnsafeBufferPointer(start: sqlite3_column_text(statement, column), count: count)
      return "'\(String(decoding: bytes, as: UTF8.self))'"
    default:
      let bytes = UnsafeRawBufferPointer(
        start: sqlite3_column_blob(statement, column), count: count)
      return "x'" + bytes.map { String($0, radix: 16) }.joined(separator: " ") + "'"
    }
  }
}
