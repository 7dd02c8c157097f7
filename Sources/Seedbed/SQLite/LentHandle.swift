import CSeedbedSQLite

/// A handle that the app lends for one call, and gets back unchanged.
enum LentHandle {
  /// The settings that a run changes for a while. A cancelled run cannot restore them itself.
  private static let changed = [
    "defer_foreign_keys", "legacy_alter_table", "ignore_check_constraints",
  ]

  /// - Parameters:
  ///   - sourceID: the source id of the app's own SQLite. It is compared before the handle is
  ///     touched.
  ///   - byStatement: whether the caller is a function in a statement of the handle.
  static func borrow<Result>(
    _ handle: OpaquePointer, sourceID: String?, setup: ConnectionSetup?,
    lockTimeoutSeconds: Double, byStatement: Bool = false, _ body: (Connection) throws -> Result
  ) throws -> Result {
    try refuseOther(sourceID)
    // Held to the end, so that no other thread can run a statement in between. nil if the app
    // opened the handle without a mutex: then this cannot be prevented.
    let mutex = sqlite3_db_mutex(handle)
    guard mutex == nil || sqlite3_mutex_try(mutex) == SQLITE_OK else {
      throw SeedbedError(
        .busy, "Another thread is using the handle. Do not use it during the call.")
    }
    defer { sqlite3_mutex_leave(mutex) }
    let connection = try Connection(
      lent: handle, setup: setup, lockTimeoutSeconds: lockTimeoutSeconds)
    try connection.refuseBusyStatement(besides: byStatement ? 1 : 0)
    let lastRowID = sqlite3_last_insert_rowid(handle)
    let settings = try settings(of: connection)
    // If this fails, SQLite has given up on the handle, and the caller gets that error.
    defer {
      putBack(settings, on: connection)
      sqlite3_set_last_insert_rowid(handle, lastRowID)
    }
    return try body(connection)
  }

  private static func settings(of connection: Connection) throws -> [(String, Int64)] {
    try changed.map { ($0, try connection.value("PRAGMA \($0)")?.integer ?? 0) }
  }

  private static func refuseOther(_ sourceID: String?) throws {
    if let sourceID, sourceID != String(cString: sqlite3_sourceid()) {
      throw SeedbedError(
        .needsConnection,
        "The handle belongs to another copy of SQLite (\(sourceID.shortened(to: 40))) than the one "
          + "that Seedbed is linked with. Link both with the same one, or let Seedbed open the "
          + "database itself if no other copy has it open.")
    }
  }

  private static func putBack(_ settings: [(String, Int64)], on connection: Connection) {
    connection.forgetCancellation()
    let names = try? connection.rows(
      "SELECT name FROM temp.sqlite_schema WHERE type = 'table' AND name GLOB 'seedbed:*'")
    for name in (names ?? []).compactMap({ $0[0].text }) {
      try? connection.execute("DROP TABLE temp.\(name.quoted)")
    }
    for (name, value) in settings { try? connection.execute("PRAGMA \(name)=\(value)") }
  }
}

extension Connection {
  fileprivate func refuseBusyStatement(besides callers: Int) throws {
    // SQLite does not say which of them calls.
    let busy = busyStatements
    let other = busy.first { !$0.contains("seedbed_") } ?? busy.last
    if busy.count > callers, let other {
      throw SeedbedError(
        .busy,
        "The handle is in the middle of '\(other.shortened(to: 80))'. Read it to its end, or reset "
          + "it, before you lend the handle.")
    }
  }

  /// The statements that have begun and not ended. They would see, or prevent, the changes made
  /// meanwhile.
  private var busyStatements: [String] {
    var found: [String] = []
    var statement = sqlite3_next_stmt(handle, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 {
        found.append(sqlite3_sql(current).map { String(cString: $0) } ?? "")
      }
      statement = sqlite3_next_stmt(handle, current)
    }
    return found
  }
}
