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
}
