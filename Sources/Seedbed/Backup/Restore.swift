/// Restores a backup into the live database, in one transaction of that database.
struct Restore {
  let store: BackupStore
  let ledger: Ledger
  let cancellation: Migrator.Cancellation?

  private var path: String { store.databasePath }

  /// An error from the step that commits, after which nobody knows.
  private struct Doubt: Error {
    var cause: any Error
  }

  func run(
    _ file: Migrator.Backup, _ progress: (Double) -> Void
  ) throws -> Migrator.Report {
    guard Paths.identity(file.path) != Paths.identity(path) else {
      throw SeedbedError(.usage, "'\(file.path)' is the database itself. Name a backup of it.")
        .remedied(by: .listBackups)
    }
    try checkSpace(for: file)
    let folder = try store.makeFolder(like: Paths.exists(path) ? path : file.path)
    let source = try RestoreSource(
      file, in: folder, store, ledger: ledger, cancellation: cancellation)
    defer { source.temporary.discard() }
    let isNew = try createIfMissing(like: file.path)
    do {
      let target = try open()
      try refusePageSize(source, target)
      if try target.wantsWAL(source.isWAL) == true {
        // Flags the copy, and with it what it is copied to.
        try source.connection.execute("PRAGMA journal_mode=WAL")
      }
      return try restore(source, target, in: folder, progress)
    } catch {
      if isNew { removeIfEmpty() }
      throw error
    }
  }

  private func open() throws -> RestoreTarget {
    try RestoreTarget.open(
      path, ledger: ledger, lockTimeoutSeconds: store.lockTimeoutSeconds, cancellation)
  }

  /// What is replaced is kept first, under the write lock. Then the lock is free for a moment,
  /// since `sqlite3_backup` begins the target's transaction itself; a write at that moment is
  /// noticed, and everything is done again.
  private func restore(
    _ source: RestoreSource, _ target: RestoreTarget, in folder: Folder,
    _ progress: (Double) -> Void
  ) throws -> Migrator.Report {
    let startedAt = Clock.timestamp()
    for _ in 0..<5 {
      try target.connection.execute("BEGIN IMMEDIATE")
      var kept: Migrator.Backup?
      do {
        let seen = try target.mark()
        let from = try target.version()
        try TemporaryBackup.sweep(folder, base: store.base, sparing: source.temporary)
        kept = try keep(target, version: from, in: folder)
        let row = try source.prepareLedger(
          from: from, backup: kept?.path, startedAt: startedAt, replacing: target)
        target.connection.rollBack()
        store.host.reached(.beforeRestoreCopy)
        if try copy(
          source, to: target, ifStillAt: seen, row: row, startedAt: startedAt, progress)
        {
          store.host.reached(.afterRestoreCopy)
          return Migrator.Report(
            database: path, from: from, to: source.version, backup: kept, outcome: .restored,
            restored: source.file)
        }
      } catch {
        target.connection.rollBack()
        if !(error is Doubt) { forget(kept) }
        throw (error as? Doubt)?.cause ?? error
      }
      forget(kept)
    }
    throw SeedbedError.databaseBusy()
  }

  /// The database did not change after all: what was put aside would only be in the way, and its
  /// cause is the error to report.
  private func forget(_ kept: Migrator.Backup?) {
    if let kept { try? store.remove([kept.path]) }
  }

  /// Copies; false if another connection has written to the database since.
  private func copy(
    _ source: RestoreSource, to target: RestoreTarget, ifStillAt seen: RestoreTarget.Mark,
    row: Int64, startedAt: String, _ progress: (Double) -> Void
  ) throws -> Bool {
    do {
      let pages = try PageCopy(from: source.connection, to: target.connection)
      try cancellation?.check()
      _ = try pages.step(pages: 0)
      guard try target.mark() == seen else { return false }
      progress(0)
      while true {
        let commits = pages.isNearEnd
        do {
          if try pages.step() { return true }
        } catch {
          throw commits ? Doubt(cause: error) : error
        }
        progress(pages.fraction)
        try cancellation?.check()
      }
    } catch let doubt as Doubt {
      return try resolve(doubt, row: row, startedAt: startedAt)
    }
  }

  /// An error from COMMIT does not mean "rolled back": reopen, and believe the
  /// ledger, whose row travels with the content.
  private func resolve(_ doubt: Doubt, row: Int64, startedAt: String) throws -> Bool {
    do {
      if try open().contains(restore: row, startedAt: startedAt) { return true }
    } catch {
      throw Doubt(
        cause: SeedbedError.restoreUnknown(
          SeedbedError.from(doubt.cause).message, SeedbedError.from(error).message))
    }
    throw doubt.cause
  }
}
