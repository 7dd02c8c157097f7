import CSeedbedSQLite
import Foundation

/// Small catalogs, and the databases that they fill.
extension Sandbox {
  static let elements = [
    "Migrations/0001_elements/up.sql":
      "CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);\n",
    "Migrations/0001_elements/elements.csv":
      "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n",
  ]

  static let more = [
    "Migrations/0002_more/elements.csv": "number,name\n4,Beryllium\n5,Boron\n"
  ]

  /// A sandbox with the first migration only, or with more files.
  static func withElements(_ files: [String: String] = [:]) throws -> Sandbox {
    try Sandbox().write(elements.merging(files) { $1 })
  }

  /// A sandbox whose database is at 1.
  static func atOne(_ files: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try withElements()
    let outcome = try Program.run(["up"], in: sandbox)
    guard outcome.code == 0 else { throw Failure(description: "\(outcome)") }
    return try sandbox.write(files)
  }

  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Runs SQL in a database of the sandbox as a user's program would; its first column as text.
  @discardableResult
  func sql(_ sql: String, database: String = "app.sqlite") throws -> [String] {
    let handle = try open(database)
    defer { sqlite3_close(handle) }
    return try Self.run(sql, handle)
  }

  /// While `body` runs, another connection holds the write lock.
  func whileLocked<Result>(_ body: () throws -> Result) throws -> Result {
    let handle = try open("app.sqlite")
    defer { sqlite3_close(handle) }
    try Self.run("BEGIN IMMEDIATE", handle)
    return try body()
  }

  private func open(_ database: String) throws -> OpaquePointer {
    var handle: OpaquePointer?
    guard sqlite3_open("\(path)/\(database)", &handle) == SQLITE_OK, let handle else {
      throw Failure(description: "cannot open \(database)")
    }
    return handle
  }

  /// Runs all statements, and returns the first values of the rows of the last one.
  @discardableResult
  private static func run(_ sql: String, _ handle: OpaquePointer) throws -> [String] {
    var statement: OpaquePointer?
    var rest: String?
    let code = sql.withCString { start in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, start, -1, &statement, &tail)
      rest = tail.map { String(cString: $0) }
      return code
    }
    guard code == SQLITE_OK else {
      throw Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    var isDone = statement == nil
    while !isDone {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
      case SQLITE_DONE: isDone = true
      default: throw Failure(description: String(cString: sqlite3_errmsg(handle)))
      }
    }
    let more = rest?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    return more.isEmpty ? rows : try run(more, handle)
  }
}
