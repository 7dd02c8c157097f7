/// What is to be restored: a private copy of the backup, checked, in which the ledger is put in
/// order beforehand, so that content and ledger arrive in one transaction.
///
/// A private copy costs space, and buys this: the backup is never written to, a WAL flag in it
/// does not turn a rollback-journal database into a WAL one, and a kill leaves no
/// restored database whose ledger knows nothing of it.
final class RestoreSource {
  let file: Migrator.Backup
  let version: Version
  let pageSize: Int64
  /// Whether the backup is flagged as a WAL database.
  let isWAL: Bool
  let connection: Connection
  let temporary: TemporaryBackup
  private let ledger: Ledger

  /// Copies and checks the backup.
  ///
  /// - Throws: `backup` if the file is damaged, empty, or no database.
  init(
    _ file: Migrator.Backup, in folder: Folder, _ store: BackupStore, ledger: Ledger,
    cancellation: Migrator.Cancellation?
  ) throws {
    let temporary = try TemporaryBackup(in: folder, base: store.base, like: file.path)
    let isSound: Bool
    do {
      let copy = try Connection(temporary.path, .unpublished, cancellation: cancellation)
      isWAL = try Self.fill(copy, from: file.path, store.lockTimeoutSeconds, cancellation)
      // Rolls the few pages of the ledger back, should one of its statements fail.
      try copy.execute("PRAGMA journal_mode=DELETE")
      try copy.execute("PRAGMA journal_mode=MEMORY")
      let check = try IntegrityCheck(of: copy)
      if check.condition == .damaged { throw SeedbedError.damagedBackup(file.path, check.detail) }
      isSound = check.condition == .verified
      pageSize = try copy.pageSize()
      try ledger.create(on: copy)
      version = try ledger.head(on: copy)?.version ?? 0
      connection = copy
    } catch let failure as SQLiteFailure where failure.isDamage {
      temporary.discard()
      throw SeedbedError.damagedBackup(file.path, failure.message)
    } catch {
      temporary.discard()
      throw error
    }
    self.file = Migrator.Backup(
      path: file.path, version: version, takenAt: file.takenAt, bytes: file.bytes,
      isVerified: isSound)
    self.temporary = temporary
    self.ledger = ledger
  }

  /// Copies the backup's pages; true if it is flagged as a WAL database.
  private static func fill(
    _ copy: Connection, from path: String, _ lockTimeoutSeconds: Double,
    _ cancellation: Migrator.Cancellation?
  ) throws -> Bool {
    do {
      return try Connection.reading(
        path, lockTimeoutSeconds: lockTimeoutSeconds, cancellation: cancellation
      ) { backup in
        guard try backup.pageCount() > 0 else { throw SeedbedError.emptyBackup(path) }
        let isWAL = try backup.isMarkedWAL()
        try copy.prepareForCopy(of: backup)
        try PageCopy(from: backup, to: copy).run(cancellation) { _ in }
        return isWAL
      }
    } catch let failure as SQLiteFailure where failure.needsRecovery {
      throw SeedbedError.unfinishedBackup(path)
    }
  }

  /// Puts the ledger in order: runs that were open are closed, and the restore has its row.
  func prepareLedger(
    from: Version, backup: String?, startedAt: String, replacing live: RestoreTarget
  ) throws -> Int64 {
    let last = try max(ledger.lastRunNumber(on: connection), live.lastRunNumber())
    let (id, isOver) = last.addingReportingOverflow(1)
    if isOver { throw SeedbedError.noRunNumber(last) }
    try connection.execute("BEGIN IMMEDIATE")
    defer { connection.rollBack() }
    for run in try ledger.openRuns(on: connection) {
      let end = try live.end(of: run)
      try ledger.finishRun(run.id, end.outcome, error: end.error, on: connection)
    }
    try ledger.insertRestore(
      id: id, from: from, to: version, startedAt: startedAt, backup: backup, on: connection)
    try connection.execute("COMMIT")
    return id
  }
}
