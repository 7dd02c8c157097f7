import CSeedbedSQLite

/// The database that a restore writes over: whole, empty, or so damaged that SQLite refuses it.
final class RestoreTarget {
  let connection: Connection
  /// False if SQLite cannot read it at all.
  let isReadable: Bool
  let ledger: Ledger

  /// Opens the database, damaged as it may be.
  init(_ store: BackupStore, _ ledger: Ledger, _ cancellation: Migrator.Cancellation?) throws {
    func connect(resets: Bool) throws -> Connection {
      let connection = try Connection(
        store.databasePath, .readWrite, setup: store.setup,
        lockTimeoutSeconds: store.lockTimeoutSeconds, cancellation: cancellation)
      // > SQLITE_DBCONFIG_RESET_DATABASE: works even for a badly corrupted database file.
      // With it SQLite takes the file for an empty one: it can be locked and copied over, in one
      // transaction that a hot journal rolls back to the very same bytes (tried with 3.40.1 on
      // garbage in page 1 and on files cut short, with and without a WAL).
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

  /// Nothing in it is to be kept. (BEGIN IMMEDIATE gives an empty database its first page, but not
  /// yet on disk.)
  func isEmpty() throws -> Bool { try RawFile(of: connection)?.size() == 0 }

  /// What changes when another connection writes to the database.
  typealias Mark = (size: Int64, version: UInt32)

  /// SQLite makes the data version of the bytes 24 to 39. If a file ends among them it finds
  /// other ones each time that it looks; only what makes it longer can be a write there.
  func mark() throws -> Mark {
    let size = try RawFile(of: connection)?.size() ?? 0
    return size < 40 ? (size, 0) : (40, connection.dataVersion())
  }

  func isWAL() throws -> Bool { try connection.journalMode() == "wal" }

  /// Whether an empty or unreadable database is to get WAL mode. That of any other stays as it is:
  /// `sqlite3_backup` keeps a WAL target's flag, and the source here has none.
  func becomesWAL(_ backupIsWAL: Bool) throws -> Bool {
    if try isEmpty() { return backupIsWAL }
    if isReadable { return false }
    let start = try RawFile(of: connection)?.read(at: 0, count: 20) ?? []
    let isHeader = start.starts(with: Array("SQLite format 3".utf8) + [0])
    return isHeader ? start[18] == 2 : backupIsWAL
  }

  /// The version in the ledger; 0 if there is none, or none that can be read.
  func version() throws -> Version {
    try read { try ledger.head(on: connection)?.version } ?? 0
  }

  func lastRunNumber() throws -> Int64 {
    try read { try ledger.lastRunNumber(on: connection) } ?? 0
  }

  /// How a run ended that was still open when the backup was taken. If it went on to change the
  /// database, the restore takes that back.
  func end(
    of run: Migrator.History.Run
  ) throws -> (outcome: Migrator.Status.LastRun.Outcome, error: String?) {
    guard let found = try read({ try ledger.end(of: run, on: connection) }) else {
      return (.interrupted, nil)
    }
    switch found.outcome {
    case .applied, .reverted, .restored: return (.reverted, nil)
    case .failed, .cancelled, .interrupted, .running: return (found.outcome, found.error)
    }
  }

  /// Whether that restore is committed.
  func contains(restore id: Int64, startedAt: String) throws -> Bool {
    guard isReadable, try ledger.exists(on: connection) else { return false }
    return try ledger.containsRestore(id: id, startedAt: startedAt, on: connection)
  }

  /// A ledger that is damaged or not there says nothing, and is no reason not to restore. A read
  /// that fails is one: what is kept would bear a wrong version.
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
