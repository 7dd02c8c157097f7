extension Migrator {
  /// Marks the migrations up to a version as there, without touching a row: for a database that
  /// already holds what they would bring.
  ///
  ///     try migrator.baseline(at: 1)
  ///
  /// An app that finds such databases on its users' devices gives `Migrator` an `Adoption`, which
  /// is asked at the right moment.
  ///
  /// - Returns: what is noted now stands in `notes`; `upToDate` where all of it was noted before.
  /// - Throws: `usage` where the database is beyond that version, or the catalog does not have it.
  @discardableResult
  public func baseline(at version: Version, cancellation: Cancellation? = nil) throws -> Report {
    try metered(nil) { meter in
      let path = databasePath
      if options.mustExist { try refuseMissingDatabase(path) }
      try refuseMissingFolder(path)
      return try Run(
        catalog: catalog, path: path, options: options, host: host, cancellation: cancellation,
        meter: meter
      ).baseline(at: version)
    }
  }
}
