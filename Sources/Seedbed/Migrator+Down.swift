extension Migrator {
  /// Takes back what is applied above a version: the same files read backwards, the newest
  /// migration first, each in one transaction, after a backup.
  ///
  /// What the user made or changed since stays. Conflicts are undone from the log: what gave way
  /// comes back.
  ///
  /// - Throws: `catalog` with the reason where a migration cannot be taken back, `conflict` where
  ///   down.sql would drop a table with rows of users; then nothing was touched.
  @discardableResult
  public func down(
    to version: Version, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      let path = databasePath
      try refuseMissingDatabase(path)
      var options = options
      options.mustExist = true
      let run = try Run(
        catalog: catalog, path: path, options: options, host: host, cancellation: cancellation,
        meter: meter)
      defer { prune(sparing: run.backup) }
      return try run.down(to: version)
    }
  }
}
