import CSeedbedSQLite

/// The database that a restore overwrites: intact, empty, or so damaged that SQLite refuses it.
final class RestoreTarget {
  let connection: Connection
  /// False if SQLite cannot read it at all.
  let isReadable: Bool
  let ledger: Ledger

  /// Opens the database, even a damaged one.
  init(_ store: BackupStore, _ ledger: Ledger, _ cancellation: Migrator.Cancellation?) throws {
    func connect(resets: Bool) throws -> Connection {
      let connection = try Connection(
        store.databasePath, .readWrite, setup: store.setup,
        lockTimeoutSeconds: store.lockTimeoutSeconds, cancellation: cancellation)
      // > SQLITE_DBCONFIG_RESET_DATABASE: works even for a badly corrupted database file.
      // With it, SQLite treats the file as empty: it can be locked and overwritten in one
      // transaction, and a hot journal restores the very same bytes (tried with 3.40.1 on garbage
      // in page 1 and on truncated files, with and without a WAL).
      if resets { seedbed_db_config_switch(connection.handle, SQLITE_DBCONFIG_RESET_DATABASE, 1) }
      // The settings make SQLite read the header and the schema.
      try connection.configureForWriting(foreignKeys: false)
      return connection
    }
    self.ledger = ledger
    do {
      (connection, isReadable) = (try connect(resets: false), true)
    } catch let failure as SQLiteFailure where failure.isDamage {
      (connection, isReadable) = (try connect(resets: true), false)
    }
  }

  /// Whether there is nothing to keep. (BEGIN IMMEDIATE gives an empty database its first page, but
  /// not on disk yet.)
  func isEmpty() throws -> Bool { try RawFile(of: connection)?.size() == 0 }

  /// A value that changes when another connection writes to the database.
  typealias Mark = (size: Int64, version: UInt32)

  /// SQLite computes the data version from bytes 24 to 39. If the file ends among these, the
  /// version differs each time; then only a growing file shows a write.
  func mark() throws -> Mark {
    let size = try RawFile(of: connection)?.size() ?? 0
    return size < 40 ? (size, 0) : (40, connection.dataVersion())
  }

  func isWAL() throws -> Bool { try connection.journalMode() == "wal" }

  /// Whether an empty or unreadable database gets WAL mode. Any other keeps its mode:
  /// `sqlite3_backup` preserves a WAL target's flag, and the source here has none.
  func becomesWAL(_ backupIsWAL: Bool) throws -> Bool {
    if try isEmpty() { return backupIsWAL }
    if isReadable { return false }
    let start = try RawFile(of: connection)?.read(at: 0, count: 20) ?? []
    let isHeader = start.starts(with: Array("SQLite format 3".utf8) + [0])
    return isHeader ? start[18] == 2 : backupIsWAL
  }

  /// The version in the ledger; 0 if there is no ledger, or none that can be read.
  func version() throws -> Version {
    try read { try ledger.head(on: connection)?.version } ?? 0
  }

  func lastRunNumber() throws -> Int64 {
    try read { try ledger.lastRunNumber(on: connection) } ?? 0
  }

  /// The end of a run that was open when the backup was taken. If it changed the database
  /// afterwards, the restore undoes that.
  func end(
    of run: Migrator.History.Run, _ ledger: Ledger
  ) throws -> (outcome: Migrator.Status.LastRun.Outcome, error: String?) {
    guard let found = try read({ try ledger.end(of: run, on: connection) }) else {
      return (.interrupted, nil)
    }
    switch found.outcome {
    case .applied, .reverted, .restored: return (.reverted, nil)
    case .failed, .cancelled, .interrupted, .running: return (found.outcome, found.error)
    }
  }

  /// Whether that restore was committed.
  func contains(restore id: Int64, startedAt: String) throws -> Bool {
    guard isReadable, try ledger.exists(on: connection) else { return false }
    return try ledger.containsRestore(id: id, startedAt: startedAt, on: connection)
  }

  /// Reads from the ledger. A damaged or missing ledger gives nil, and does not prevent the
  /// restore. A failed read does prevent it, since the kept copy would get a wrong version.
  private func read<Answer>(_ question: () throws -> Answer?) throws -> Answer? {
    guard isReadable else { return nil }
    do {
      return try question()
    } catch let failure as SQLiteFailure
      where failure.isDamage || failure.primaryCode == SQLITE_ERROR
    {
      return nil
    }
  }
}
