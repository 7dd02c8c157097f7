extension Migrator {
  /// Does all that `up` would do, reports every change and conflict, and rolls it back.
  ///
  /// It takes the write lock as `up` does. Rows, schema and ledger are as before; a database that
  /// does not exist is planned in memory and not created.
  public func plan(
    to version: Version? = nil, cancellation: Cancellation? = nil,
    progress: ((Progress) -> Void)? = nil
  ) throws -> Report {
    try metered(progress) { meter in
      let path = databasePath
      let exists = Paths.exists(path)
      if !exists, options.mustExist { try refuseMissingDatabase(path) }
      if !exists { try refuseMissingFolder(path) }
      do {
        let memory = exists ? nil : try emptyDatabase(path, cancellation)
        let run = try Run(
          catalog: catalog, path: path, options: options, host: host, cancellation: cancellation,
          meter: meter, adopting: adoption, connection: memory)
        return try run.plan(to: version)
      } catch is MigrationTransaction.BrokenForeignKeys {
        return try Run.planOnCopy(
          catalog, path: path, exists: exists, options: options, host: host, cancellation, meter,
          adopting: adoption, to: version)
      }
    }
  }

  private func emptyDatabase(_ path: String, _ cancellation: Cancellation?) throws -> Connection {
    let memory = try Connection(path, .memory, cancellation: cancellation)
    try memory.configureForWriting(foreignKeys: true)
    return memory
  }
}
