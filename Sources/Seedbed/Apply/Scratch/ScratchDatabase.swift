/// How the author's tools open the databases on which they try a catalog.
package struct ScratchSettings: Sendable {
  /// The prefix of the ledger's tables.
  package var ledger: String
  package var setup: ConnectionSetup?
  /// The other catalogs of users' databases.
  package var others: [Catalog] = []
  /// Translates a catalog for PostgreSQL alone for SQLite: it plays it on a server and reads the
  /// schema back.
  package var mirror: Mirroring?

  /// - Parameters:
  ///   - catalog: the catalog.
  ///   - before: the catalog that it continues; nil for none.
  ///   - look: called with each statement before the server runs it.
  package typealias Mirroring =
    @Sendable (_ catalog: Catalog, _ before: Catalog?, _ look: Look?) throws -> Catalog
  package typealias Look =
    (any DatabaseSession, MigrationFile.Kind, Script.UpcomingStatement) throws -> Void

  package init(
    ledger: String = Migrator.Options().ledger, setup: ConnectionSetup? = nil
  ) {
    (self.ledger, self.setup) = (ledger, setup)
  }

  /// The catalog as SQLite plays it.
  package func playable(
    _ catalog: Catalog, after before: Catalog? = nil, _ look: Look? = nil
  ) throws -> Catalog {
    // If catalog.json cannot be read, the error is reported when its options are needed.
    if (try? (before ?? catalog).servesSQLite()) != false { return catalog }
    guard let mirror else { throw SeedbedError.onlyForPostgreSQL(catalog.path) }
    return try mirror(catalog, before, look)
  }
}

extension ResolvedCatalog {
  /// As SQLite plays it. A catalog for PostgreSQL alone has no downloads for SQLite.
  fileprivate func playable(_ settings: ScratchSettings) throws -> ResolvedCatalog {
    let playable = try settings.playable(catalog)
    return playable.isMirrored == catalog.isMirrored ? self : .authored(playable)
  }
}

/// A scratch database on SQLite, in a temporary file that SQLite removes, for the author's tools.
package final class ScratchDatabase: Scratch {
  package let connection: Connection
  /// The catalog as its author wrote it.
  package let source: Catalog
  package let settings: ScratchSettings
  /// Options in place of the catalog's own, by the migration's folder.
  package var options: [String: MigrationOptions] = [:]
  /// The tables that SQL files wrote to, if they are recorded.
  package var written: Set<Name> = []

  /// Nothing is applied yet.
  package init(
    empty resolved: ResolvedCatalog, _ settings: ScratchSettings, host: Host = .real,
    cancellation: Migrator.Cancellation? = nil, startingWith start: Migration? = nil,
    vfs: String? = nil
  ) throws {
    let resolved = try resolved.beside(settings.others)
    (source, self.settings) = (resolved.catalog, settings)
    let playable = try resolved.playable(settings)
    connection = try Connection(
      "", .temporary, setup: settings.setup, cancellation: cancellation, vfs: vfs)
    try connection.configureForWriting(foreignKeys: true)
    try super.init(
      empty: playable,
      on: EmptyDatabase(
        kind: SQLiteFile(path: "", setup: connection.setup), session: connection),
      ledger: settings.ledger, host: host, startingWith: start)
  }

  /// Applies all migrations up to a version. If the app owns its tables, schema.sql creates them.
  ///
  /// - Parameter vfs: a file system with another clock, to see which values SQL takes from the
  ///   clock.
  package convenience init(
    _ resolved: ResolvedCatalog, to version: Version = .max, _ settings: ScratchSettings,
    host: Host = .real, cancellation: Migrator.Cancellation? = nil,
    startingWith snapshot: Migration? = nil, vfs: String? = nil,
    onStatement: ((MigrationFile.Kind, Script.UpcomingStatement) throws -> Void)? = nil
  ) throws {
    try self.init(
      empty: resolved, settings, host: host, cancellation: cancellation,
      startingWith: snapshot ?? resolved.catalog.beginning(to: version), vfs: vfs)
    try begin(to: version, onStatement: onStatement)
  }
}
