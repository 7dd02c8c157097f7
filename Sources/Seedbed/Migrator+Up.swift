extension Migrator {
  /// Applies what is pending, each migration in one transaction.
  ///
  /// With a locked catalog and nothing pending it costs one small read and one query.
  ///
  /// - Parameters:
  ///   - version: stop after this one; nil for all.
  ///   - cancellation: asked between all steps; the migration in flight is rolled back.
  ///   - progress: called on this thread, at most 30 times a second.
  /// - Throws: `SeedbedError`, which carries the versions that this run had committed before.
  @discardableResult
  public func up(
    to version: Version? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      let path = databasePath
      if version == nil, let report = reportIfUpToDate(path, ledgerHead) {
        return report
      }
      if options.mustExist { try refuseMissingDatabase(path) }
      try refuseMissingFolder(path)
      if !Paths.exists(path) { try refuseBeforeCreating(path, to: version) }
      return try up(path, to: version, cancellation, meter)
    }
  }

  /// What keeps `up` from beginning, found without the file that it would create.
  private func refuseBeforeCreating(_ path: String, to version: Version?) throws {
    if let version { try catalog.require(version) }
    try Run(
      catalog: catalog, path: path, options: options, host: host, cancellation: nil,
      meter: ProgressMeter(nil), adopting: adoption, connection: Connection(path, .temporary)
    ).refuseBeginning(to: version)
  }

  private func up(
    _ path: String, to version: Version?, _ cancellation: Cancellation?,
    _ meter: ProgressMeter
  ) throws -> Report {
    let run = try Run(
      catalog: catalog, path: path, options: options, host: host, cancellation: cancellation,
      meter: meter, adopting: adoption)
    defer { prune(sparing: run.backup) }
    return try run.up(to: version)
  }

  /// Old backups go after success and after failure; one that cannot be removed is no reason to
  /// call a run failed.
  func prune(sparing backup: BackupFile?) {
    try? backupStore.prune(keep: options.keep, protecting: backup?.path)
  }

  /// The fast path: the lock's head against the ledger's.
  func reportIfUpToDate(
    _ path: String, _ ledgerHead: () throws -> (version: Version, chain: String)?
  ) -> Report? {
    // A database without a ledger, or a damaged one, takes the long road, which says so.
    guard let head = catalog.head, let found = try? ledgerHead() else { return nil }
    let isNewer = found.version > head.version && options.whenNewer == .proceed
    guard isNewer || found == (head.version, head.chain) else { return nil }
    let note = SeedbedError.newerNote(current: found.version, target: head.version)
    return Report(
      database: path, from: found.version, to: found.version, backup: nil, outcome: .upToDate,
      migrations: [], touchedTables: [], notes: isNewer ? [note] : [])
  }
}
