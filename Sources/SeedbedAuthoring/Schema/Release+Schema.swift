import Seedbed

/// Sources of the app's own schema besides `Release.schemaSQL`.
package struct SchemaSources: Sendable {
  /// A database file of the app's, from which schema.sql is read.
  package var database: String?
  /// Its name in errors.
  package var databaseShownAs = ""
  /// The time to wait for a writer of this database.
  package var lockTimeoutSeconds: Double = 0
  /// SQL for PostgreSQL; becomes schema.postgresql.sql.
  package var serverSQL: String?
  /// The name in errors of the file with it, or of the database that it is read from.
  package var serverShownAs = ""
  /// Reads it from a database on a server; nil for none.
  package var onServer: ServerSchema.Closure?

  package init() {}

  package var isForServers: Bool { serverSQL != nil || onServer != nil }

  var serverFile: NewFile? {
    serverSQL.map {
      NewFile("schema.postgresql.sql", Array($0.utf8), copied: serverShownAs)
    }
  }
}

extension Release {
  /// Whether the app makes the tables.
  package var hasSchema: Bool {
    schemaSQL != nil || schemas.database != nil || schemas.isForServers
  }

  /// Takes a file with a schema: the app's own SQL, or another program's output. A file whose name
  /// ends with `.postgresql.sql` is for servers, and so is any in a catalog for PostgreSQL alone.
  package mutating func takeSchema(_ path: String, shownAs: String) throws {
    let (text, ledger) = (try Self.text(of: path), try Ledger(prefix: settings.ledger))
    let isForServers = (try? Catalog(unread: directory).servesSQLite()) == false
    if isForServers || shownAs.hasSuffix(".postgresql.sql") {
      if schemas.isForServers { throw SeedbedError.schemaTwice("a server", shownAs) }
      schemas.serverSQL = try ServerText.passingOverOthers(text, of: shownAs, ledger: ledger)
      schemas.serverShownAs = shownAs
    } else {
      if schemaSQL != nil { throw SeedbedError.schemaTwice("SQLite", shownAs) }
      schemaSQL = try SchemaText.passingOverOthers(text, of: shownAs, ledger: ledger)
      schemaSQLShownAs = shownAs
    }
  }

  /// Takes a database file of the app's.
  package mutating func takeSchema(
    fromDatabase path: String, shownAs: String, lockTimeoutSeconds: Double
  ) throws {
    if hasSQLiteSchema { throw SeedbedError.schemaTwice("SQLite", shownAs) }
    (schemas.database, schemas.databaseShownAs) = (path, shownAs)
    schemas.lockTimeoutSeconds = lockTimeoutSeconds
  }

  /// Takes a database of the app's on a server.
  package mutating func takeSchema(
    shownAs: String, onServer: @escaping ServerSchema.Closure
  ) throws {
    if schemas.isForServers { throw SeedbedError.schemaTwice("a server", shownAs) }
    (schemas.onServer, schemas.serverShownAs) = (onServer, shownAs)
  }

  private var hasSQLiteSchema: Bool { schemaSQL != nil || schemas.database != nil }

  /// Reads the app's databases, and keeps what the app did since the catalog's last migration.
  ///
  /// - Parameters:
  ///   - tables: those that the release fills.
  ///   - scratch: the catalog's state.
  mutating func readSchemas(
    _ tables: [String], _ catalog: Catalog, before scratch: ScratchDatabase
  ) throws {
    let options = try catalog.generalOptions()
    let (engines, tables) = (options.engines, tables + options.ownersTables)
    if schemas.isForServers, !engines.contains(.postgresql) {
      throw SeedbedError.otherEngine("PostgreSQL", "postgresql", schemas.serverShownAs)
    }
    if let database = schemas.database {
      if !engines.contains(.sqlite) {
        throw SeedbedError.otherEngine("SQLite", "sqlite", schemas.databaseShownAs)
      }
      schemaSQL = try Connection.reading(
        database, setup: settings.setup, lockTimeoutSeconds: schemas.lockTimeoutSeconds
      ) { app in
        try AppSchema(app: app, scratch: scratch, shown: schemas.databaseShownAs).text(for: tables)
      }
      schemaSQLShownAs = "schema.sql of \(schemas.databaseShownAs)"
    }
    if let onServer = schemas.onServer {
      schemas.serverSQL = try onServer(catalog, tables).text
    }
  }
}

extension SeedbedError {
  fileprivate static func schemaTwice(_ engine: String, _ shown: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "The app's schema for \(engine) is given twice, the second time by '\(shown)'. Give a file "
        + "or a database, once for each engine.")
  }

  fileprivate static func otherEngine(
    _ engine: String, _ word: String, _ shown: String
  ) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(shown)' has the app's schema for \(engine), but \"engines\" in catalog.json does not "
        + "list \(word). Add it there, or leave '\(shown)' out.")
  }

  static func notInSchema(_ table: String, _ file: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "'\(file)' does not create the table '\(table)'. Add the CREATE TABLE that the app runs for "
        + "it.",
      at: Place(file))
  }

  /// The error, with advice for the usual cause: the whole schema was given a second time.
  var ofLaterSchema: SeedbedError {
    // A framework builds a table again where SQLite could add a column.
    if message.hasPrefix("DROP TABLE '") {
      return SeedbedError(
        code,
        message.prefix { $0 != ":" } + ": other tables refer to it. If this builds the table again "
          + "with a new column, write its ALTER TABLE … ADD COLUMN instead, with the value for "
          + "existing rows as its DEFAULT.", at: place)
    }
    return SeedbedError(
      code,
      message + " This runs after the 'schema.sql' of earlier migrations: give only what was added "
        + "to the app's schema since then, or let --schema-from read it from the app's database.",
      at: place)
  }
}
