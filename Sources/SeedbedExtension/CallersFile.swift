internal import CSeedbedSQLite
internal import Seedbed

/// The file of the connection that calls an SQL function. The function opens it once more, so that
/// the statement that calls it does not stand in the way.
struct CallersFile {
  let path: String
  /// nil for SQLite's default.
  let vfs: String?

  /// - Throws: what would make the second connection wait for this one, or see another database.
  ///
  /// - Parameter hasSetup: whether the caller says how the second connection is set up.
  init(
    of connection: OpaquePointer, _ name: String, for verb: Call.Verb, hasSetup: Bool
  ) throws {
    guard sqlite3_txn_state(connection, name) >= 0 else {
      throw SeedbedError(
        .usage, "This connection has no database '\(name.shortened(to: 40))' attached.")
    }
    guard let file = sqlite3_db_filename(connection, name), file.pointee != 0 else {
      throw SeedbedError(
        .needsConnection,
        "The database '\(name.shortened(to: 40))' has no file: an SQL function opens the file "
          + "once more. \(Self.lending)")
    }
    guard let path = String(validatingCString: file) else {
      throw SeedbedError(
        .needsConnection,
        "The path of the database '\(name.shortened(to: 40))' is not UTF-8. \(Self.lending)")
    }
    // The file of the connection may have been moved or deleted, and a VFS may keep its databases
    // elsewhere than in files: opening the path once more would find or create another database.
    var hasMoved: Int32 = 0
    sqlite3_file_control(connection, name, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved == 0, Paths.exists(path) else {
      throw SeedbedError(
        .needsConnection,
        "The database of this connection is not the file at '\(path)' (any more): an SQL function "
          + "opens the file once more. \(Self.lending)")
    }
    self.path = path
    // Only the caller knows whether a new file has a key, whose salt is in the file's first page.
    let isCipher = ["cipher_version", "cipher"].contains { Self.setting($0, connection) != nil }
    if isCipher, Paths.size(path) ?? 0 == 0 {
      throw SeedbedError(
        .needsConnection,
        "This SQLite can encrypt, and the file is new. Let this connection write it first, by "
          + "PRAGMA user_version = 0."
          + (hasSetup ? "" : #" With a key, give also {"connection-sql": "PRAGMA key = …"}."#))
    }
    vfs = ConnectionSetup.vfs(of: connection, name)
    guard verb.writes else { return }
    if sqlite3_db_readonly(connection, name) == 1 {
      throw SeedbedError(
        .needsConnection, "This connection is read-only. Call the function on one that may write.")
    }
    if Self.setting("query_only", connection) == "1" {
      throw SeedbedError(
        .needsConnection,
        "This connection may only read: PRAGMA query_only is on. Turn it off for the call.")
    }
    if Self.setting("\(name.quoted).locking_mode", connection) == "exclusive" {
      throw SeedbedError(
        .needsConnection,
        "This connection keeps the database locked: PRAGMA locking_mode is EXCLUSIVE. "
          + Self.lending)
    }
    let state = sqlite3_txn_state(connection, name)
    let isWAL = Self.setting("\(name.quoted).journal_mode", connection) == "wal"
    if state == SQLITE_TXN_WRITE || state == SQLITE_TXN_READ && !isWAL {
      throw SeedbedError(
        .usage,
        "This connection is inside a transaction on the database, or has a result that is not read "
          + "to its end. End it, and call the function in a statement of its own.")
    }
  }

  private static let lending =
    "Lend the connection itself, by the functions of seedbed.h: see From any language."

  private static func setting(_ name: String, _ connection: OpaquePointer) -> String? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(connection, "PRAGMA \(name)", -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0)
    else { return nil }
    return String(cString: text)
  }
}
