extension Migrator {
  /// Takes back what is applied above a version: the newest migration first, each by its inverse,
  /// in one transaction, after a backup.
  ///
  /// The inverse is merged like any release, under `keepEdits` and `keepUser`: what the user made
  /// or changed since stays. What a policy overwrote is in the log of conflicts and in the backup.
  ///
  /// - Throws: `catalog` with the reason if a migration cannot be taken back, `conflict` if
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
