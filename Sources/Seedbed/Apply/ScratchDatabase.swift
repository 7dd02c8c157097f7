/// The same on SQLite, in a temporary database that SQLite removes, for the author's tools.
package final class ScratchDatabase: Scratch {
  package let connection: Connection
  /// Options in place of the catalog's own, by the migration's folder.
  package var options: [String: MigrationOptions] = [:]
  /// The options of catalog.json, once they were requested.
  package var generalOptions: MigrationOptions?
  /// The tables that SQL files wrote, in lower case, if they are recorded.
  package var written: Set<String> = []

  /// With nothing applied yet.
  package init(
    empty catalog: Catalog, ledger: String, host: Host = .real,
    cancellation: Migrator.Cancellation? = nil, startingWith start: Migration? = nil,
    vfs: String? = nil
  ) throws {
    connection = try Connection("", .temporary, cancellation: cancellation, vfs: vfs)
    try connection.configureForWriting(foreignKeys: true)
    try super.init(
      empty: catalog, on: EmptyDatabase(engine: SQLiteFile(path: ""), session: connection),
      ledger: ledger, host: host, startingWith: start)
  }

  /// Applies all migrations up to a version. If the app owns its tables, schema.sql creates them.
  ///
  /// - Parameter vfs: files under another clock, to see what SQL takes from it.
  package convenience init(
    _ catalog: Catalog, to version: Version = .max, ledger: String = Migrator.Options().ledger,
    host: Host = .real, cancellation: Migrator.Cancellation? = nil,
    startingWith snapshot: Migration? = nil, vfs: String? = nil,
    onStatement: ((MigrationFile.Kind, Script.Announced) throws -> Void)? = nil
  ) throws {
    try self.init(
      empty: catalog, ledger: ledger, host: host, cancellation: cancellation,
      startingWith: snapshot ?? catalog.beginning(to: version), vfs: vfs)
    try begin(to: version, onStatement: onStatement)
  }

  /// Leaves in the ledger only which migrations are there, for a database that is to be shipped: no
  /// run, no conflict, and times that are the same whenever it is made.
  ///
  /// - Returns: the last version and its chain.
  package func stampLedger(to last: Version) throws -> (version: Version, chain: String) {
    let covered = try catalog.migrationsFromBase().filter { $0.version <= last }
    try connection.beginImmediate()
    defer { connection.rollBack() }
    try ledger.empty(on: connection)
    for var row in try catalog.rowsAsTheyAre(covered, after: nil) {
      row.appliedAt = "1970-01-01T00:00:00.000Z"
      try ledger.insert(row, run: nil, on: connection)
    }
    try connection.execute("COMMIT")
    guard let head = try ledger.head(on: connection) else {
      throw SeedbedError.unknownVersion(last, first: nil, last: last)
    }
    return head
  }
}
