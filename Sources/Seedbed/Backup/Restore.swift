extension BackupStore {
  /// Copies a backup into the live database, after backing up the database as it is.
  ///
  /// Open readers are respected: with a rollback journal, the restore waits for them until the
  /// deadline; in WAL mode, they keep reading the old state. The journal mode stays the same. After
  /// a kill, the database is either the old one or the new one.
  ///
  /// `name` is a backup in the store, or the path of a file; nil means the newest that is not known
  /// to be damaged. Backups of `keep` versions stay, and so do the restored one and the one that
  /// was put aside. `progress` gets numbers from 0 to 1.
  ///
  /// - Throws: `backup` if the backup does not exist, is damaged or does not fit; `busy`,
  ///   `diskFull`, `cancelled`; `outcomeUnknown` if the disk failed during the commit.
  func restore(
    _ name: String?, ledger: Ledger, keep: Int, cancellation: Migrator.Cancellation? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws -> Migrator.RestoreReport {
    do {
      let report = try Restore(store: self, ledger: ledger, cancellation: cancellation)
        .run(try backup(named: name), progress)
      // The restore is done. Old backups that cannot be removed do not make it a failure.
      try? prune(keep: keep, protecting: report.restored.path, report.backup?.path)
      return report
    } catch {
      throw SeedbedError.restoreFailed(.from(error))
    }
  }
}

/// Restores a backup into the live database, in one transaction of that database.
struct Restore {
  let store: BackupStore
  let ledger: Ledger
  let cancellation: Migrator.Cancellation?

  private var path: String { store.databasePath }

  func run(_ file: Migrator.Backup, _ progress: (Double) -> Void) throws -> Migrator.RestoreReport {
    guard Paths.identity(file.path) != Paths.identity(path) else {
      throw SeedbedError(.usage, "'\(file.path)' is the database itself. Name a backup of it.")
        .remedied(by: .listBackups)
    }
    try checkSpace(for: file)
    let folder = try store.makeFolder(like: Paths.exists(path) ? path : file.path)
    let temporary = try TemporaryBackup(in: folder, base: store.base, like: file.path)
    defer { temporary.discard() }
    let source = try source(file, in: temporary)
    let isNew = try createIfMissing(like: file.path)
    do {
      let target = try RestoreTarget(store, ledger, cancellation)
      try refusePageSize(source, target)
      if try target.becomesWAL(source.isWAL) {
        // Sets the flag in the copy, and so in the database that it is copied to.
        try source.connection.execute("PRAGMA journal_mode=WAL")
      }
      return try restore(source, target, in: folder, sparing: temporary, progress)
    } catch {
      if isNew { removeIfEmpty() }
      throw error
    }
  }

  /// The replaced database is kept first, under the write lock. Then the lock is free for a moment,
  /// because `sqlite3_backup` begins the target's transaction itself. A write at that moment is
  /// noticed, and everything is done again.
  private func restore(
    _ source: Source, _ target: RestoreTarget, in folder: Folder,
    sparing temporary: TemporaryBackup, _ progress: (Double) -> Void
  ) throws -> Migrator.RestoreReport {
    let startedAt = Clock.timestamp()
    for _ in 0..<5 {
      try target.connection.execute("BEGIN IMMEDIATE")
      var kept: Migrator.Backup?
      do {
        let seen = try target.mark()
        let from = try target.version()
        try TemporaryBackup.sweep(folder, base: store.base, sparing: temporary.name)
        kept = try keep(target, version: from, in: folder)
        let row = try prepareLedger(
          of: source, from: from, backup: kept?.path, startedAt: startedAt, replacing: target)
        target.connection.rollBack()
        store.host.reached(.beforeRestoreCopy)
        if try copy(
          source, to: target, ifStillAt: seen, row: row, startedAt: startedAt, progress)
        {
          store.host.reached(.afterRestoreCopy)
          return Migrator.RestoreReport(
            database: path, from: from, to: source.version, restored: source.file, backup: kept)
        }
      } catch {
        target.connection.rollBack()
        if (error as? SeedbedError)?.code != .outcomeUnknown { forget(kept) }
        throw error
      }
      forget(kept)
    }
    throw SeedbedError.databaseBusy()
  }

  /// Removes the kept copy if the database did not change after all. The cause is the error to
  /// report.
  private func forget(_ kept: Migrator.Backup?) {
    if let kept { try? store.remove([kept.path]) }
  }

  /// Copies; false if another connection has written to the database since.
  private func copy(
    _ source: Source, to target: RestoreTarget, ifStillAt seen: RestoreTarget.Mark,
    row: Int64, startedAt: String, _ progress: (Double) -> Void
  ) throws -> Bool {
    var commits = false
    do {
      let pages = try PageCopy(from: source.connection, to: target.connection)
      try cancellation?.check()
      _ = try pages.step(pages: 0)
      guard try target.mark() == seen else { return false }
      progress(0)
      while true {
        commits = pages.isNearEnd
        if try pages.step() { return true }
        commits = false
        progress(pages.fraction)
        try cancellation?.check()
      }
    } catch let cause where commits {
      // An error from COMMIT does not mean "rolled back". Open the database again and trust its
      // ledger, whose row arrives with the content.
      do {
        let target = try RestoreTarget(store, ledger, cancellation)
        if try target.contains(restore: row, startedAt: startedAt) { return true }
      } catch {
        throw SeedbedError.restoreUnknown(
          SeedbedError.from(cause).message, SeedbedError.from(error).message)
      }
      throw cause
    }
  }
}
