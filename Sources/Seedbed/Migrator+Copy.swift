extension Migrator {
  /// 0 where there is no database.
  package var databaseBytes: Int64 { Paths.size(databasePath) ?? 0 }

  /// Copies the database, as it is, to another path. It is only read.
  package func copyDatabase(to path: String) throws {
    try throwingSeedbedErrors {
      try Connection.reading(databasePath, lockTimeoutSeconds: options.lockTimeoutSeconds) {
        let target = try Connection(path, .create)
        try target.prepareForCopy(of: $0)
        try PageCopy(from: $0, to: target).run(nil) { _ in }
      }
    }
  }
}
