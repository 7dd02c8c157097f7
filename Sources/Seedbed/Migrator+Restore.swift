extension Migrator {
  /// Copies a backup into the live database, in one transaction, after keeping what it replaces.
  ///
  /// Programs that have the database open keep it open. A kill leaves the old database or the new
  /// one. A database that is damaged or missing is replaced, or created, too.
  ///
  /// - Parameters:
  ///   - path: a name that `backups` lists, or the path of any backup; nil for the newest.
  ///   - cancellation: asked at each step; then the database is as it was.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Returns: what was put back, and the backup that holds what it replaced.
  /// - Throws: `SeedbedError`; the database is as it was, except after `outcomeUnknown`.
  @discardableResult
  public func restore(
    _ path: String? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> RestoreReport {
    try metered(progress) { meter in
      let store = backupStore
      meter.expect(try store.backup(named: path).bytes)
      meter.enter(.backingUp)
      return try store.restore(
        path, ledger: try Ledger(prefix: options.ledger), keep: options.keep,
        lockTimeoutSeconds: options.lockTimeoutSeconds, cancellation: cancellation
      ) { fraction in
        meter.copied(fraction)
      }
    }
  }
}
