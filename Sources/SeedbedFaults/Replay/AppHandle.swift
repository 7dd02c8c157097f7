import CSeedbedSQLite
import Seedbed

/// A handle like that of an app whose commits must be durable.
final class AppHandle {
  private var handle: OpaquePointer?

  init(_ path: String, lockTimeoutSeconds: Double) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else {
      throw SeedbedError(.io, "The app cannot open '\(path)'.")
    }
    DiskLayer.opened(handle)
    sqlite3_busy_timeout(handle, Int32(lockTimeoutSeconds * 1000))
    // Seedbed sets this on its own connections. Here the app has to do it.
    try run("PRAGMA synchronous=EXTRA; PRAGMA foreign_keys=ON")
  }

  deinit { sqlite3_close_v2(handle) }

  func lend<Result>(_ body: (OpaquePointer) throws -> Result) throws -> Result {
    guard let handle else { throw SeedbedError(.io, "The app's handle is closed.") }
    return try body(handle)
  }

  /// A step of the app's own migrator: its row and the work of `body`, in one transaction.
  func step(_ body: (OpaquePointer) throws -> Void) throws {
    try run(
      """
      BEGIN IMMEDIATE;
      CREATE TABLE IF NOT EXISTS app_steps (step INTEGER PRIMARY KEY);
      INSERT OR IGNORE INTO app_steps VALUES (1);
      """)
    try lend(body)
    try run("COMMIT", .outcomeUnknown)
  }

  private func run(_ sql: String, _ code: SeedbedError.Code = .io) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw SeedbedError(code, String(cString: sqlite3_errmsg(handle)))
    }
  }
}
