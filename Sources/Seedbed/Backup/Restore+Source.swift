extension Restore {
  /// The content to restore: a private copy of the backup, checked. Its ledger is updated
  /// beforehand, so that content and ledger arrive in one transaction.
  ///
  /// A private copy takes space, and has three advantages: the backup is never written to, its WAL
  /// flag does not turn a rollback-journal database into a WAL one, and after a kill there is never
  /// a restored database whose ledger lacks the restore.
  struct Source {
    let file: Migrator.Backup
    let pageSize: Int64
    /// Whether the backup is flagged as a WAL database.
    let isWAL: Bool
    let connection: Connection

    var version: Version { file.version }
  }

  /// Copies and checks the backup.
  ///
  /// - Throws: `backup` if the file is damaged, empty, or no database.
  func source(_ file: Migrator.Backup, in temporary: TemporaryBackup) throws -> Source {
    do {
      let copy = try Connection(
        temporary.path, .unpublished, setup: store.setup, cancellation: cancellation)
      let isWAL = try fill(copy, from: file.path)
      // A journal can roll back the few pages of the ledger if one of its statements fails.
      try copy.execute("PRAGMA journal_mode=DELETE")
      try copy.execute("PRAGMA journal_mode=MEMORY")
      let check = try IntegrityCheck(of: copy)
      if check.condition == .damaged { throw SeedbedError.damagedBackup(file.path, check.detail) }
      if let named = BackupName.found(at: file.path)?.name.version,
        let found = try ledger.changedVersion(of: named, on: copy)
      {
        throw SeedbedError.changedBackup(file.path, named: named, found: found)
      }
      let pageSize = try copy.pageSize()
      try ledger.create(on: copy)
      var file = file
      file.version = try ledger.head(on: copy)?.version ?? 0
      (file.isVerified, file.isDamaged) = (check.condition == .verified, false)
      return Source(file: file, pageSize: pageSize, isWAL: isWAL, connection: copy)
    } catch let failure as SQLiteFailure where failure.isDamage {
      throw SeedbedError.damagedBackup(file.path, failure.message)
    }
  }

  /// Copies the backup's pages; true if it is flagged as a WAL database.
  private func fill(_ copy: Connection, from path: String) throws -> Bool {
    do {
      return try Connection.reading(
        path, setup: store.setup, lockTimeoutSeconds: store.lockTimeoutSeconds,
        cancellation: cancellation
      ) { backup in
        guard try backup.pageCount() > 0 else { throw SeedbedError.emptyBackup(path) }
        try copy.prepareForCopy(of: backup)
        try PageCopy(from: backup, to: copy).run(cancellation)
        return try backup.isMarkedWAL()
      }
    } catch let failure as SQLiteFailure where failure.needsRecovery {
      throw SeedbedError.unfinishedBackup(path)
    }
  }

  /// Updates the ledger: open runs get their end, and the restore gets its row.
  func prepareLedger(
    of source: Source, from: Version, backup: String?, startedAt: String,
    replacing live: RestoreTarget
  ) throws -> Int64 {
    let connection = source.connection
    let last = try max(ledger.lastRunNumber(on: connection), live.lastRunNumber())
    let (id, isOver) = last.addingReportingOverflow(1)
    if isOver { throw SeedbedError.noRunNumber(last) }
    try connection.execute("BEGIN IMMEDIATE")
    defer { connection.rollBack() }
    for ledger in try [ledger] + ledger.ledgersOfPacks(on: connection) {
      for run in try ledger.openRuns(on: connection) {
        let end = try live.end(of: run, ledger)
        try ledger.finishRun(run.id, end.outcome, error: end.error, on: connection)
      }
    }
    try ledger.insertRestore(
      id: id, from: from, to: source.version, startedAt: startedAt, backup: backup, on: connection)
    try connection.execute("COMMIT")
    return id
  }
}
