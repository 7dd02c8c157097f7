extension BackupStore {
  /// Copies a backup into the live database, after backing up what it replaces.
  ///
  /// Open readers are respected: with a rollback journal it waits for them until the deadline, in
  /// WAL mode they go on reading what they began to read. The journal mode stays what it is. A
  /// kill leaves the old database or the new one.
  ///
  /// `name` is that of a backup in the store, or the path of a file; nil means the newest that is
  /// not known to be damaged. Backups of `keep` from-versions stay, and so do what was restored and
  /// what was put aside. `progress` gets numbers from 0 to 1.
  ///
  /// - Throws: `backup` if the backup is not there, damaged or does not fit; `busy`,
  ///   `diskFull`, `cancelled`; `outcomeUnknown` if the disk failed at the last moment.
  func restore(
    _ name: String?, ledger: Ledger, keep: Int, cancellation: Migrator.Cancellation? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws -> Migrator.Report {
    do {
      let report = try Restore(store: self, ledger: ledger, cancellation: cancellation)
        .run(try backup(named: name), progress)
      // The restore is done: old backups that cannot be removed are no reason to call it failed.
      try? prune(keep: keep, protecting: report.restored?.path, report.backup?.path)
      return report
    } catch {
      throw SeedbedError.restoreFailed(.from(error))
    }
  }
}
