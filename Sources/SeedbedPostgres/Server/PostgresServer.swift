package import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A database on a PostgreSQL server.
package struct PostgresServer: DatabaseKind {
  /// Any form that libpq accepts.
  private let uri: String
  /// The ledger's table prefix. Runs with the same prefix wait for each other.
  private let ledger: String
  /// The name of a scratch database; nil for the database of the URI.
  private var scratch: String?
  package var setup: ConnectionSetup?

  /// The schema of the tables and the ledger; nil for what the search path says.
  private var schema: String?
  private let givenName: String?
  package let size: Int64?
  /// Those that it shares with others.
  private var connections: PostgresConnections?

  /// - Parameters:
  ///   - name: for reports and errors; nil for the URI without user, password and parameters.
  ///   - size: the bytes of its tables, about.
  package init(
    _ uri: String, ledger: String, schema: String? = nil, name: String? = nil, size: Int64 = 1,
    connections: PostgresConnections? = nil
  ) {
    (self.uri, self.ledger, self.schema) = (uri, ledger, schema)
    (givenName, self.size, self.connections) = (name, size, connections)
  }

  package var dialect: any Dialect { PostgresDialect.shared }

  package var name: String {
    if let givenName { return givenName }
    let rest = uri.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "?" }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return "postgresql://\(host ?? authority)\(rest.dropFirst(authority.count))"
  }

  package var path: String { "" }
  /// If it does not exist, the server says so when we connect.
  package var exists: Bool { true }
  package func refuseMissing() throws {}
  package func refuseBadPlace() throws {}

  package func open(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> any DatabaseSession {
    try PostgresSession(
      uri, database: scratch, schema: schema,
      lockTimeoutSeconds: options.lockTimeout.inSeconds, ledger: ledger,
      cancellation: cancellation, connections: connections)
  }

  /// The server may still be working on the COMMIT whose answer was lost. It keeps our lock until
  /// then.
  package func openAgain(_ options: Migrator.Options) throws -> any DatabaseSession {
    let session = try open(options, nil)
    try session.beginImmediate()
    session.rollBack()
    return session
  }

  package func nowhere() throws -> any DatabaseSession { PostgresSession.lost() }

  package func empty(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> EmptyDatabase {
    let keeper = try PostgresScratch(on: uri)
    var server = self
    // It is not one of many, and does not have the schema.
    (server.scratch, server.schema, server.connections) = (keeper.name, nil, nil)
    return EmptyDatabase(
      kind: server, session: try server.open(options, cancellation), keeper: keeper)
  }

  package func reading<Result>(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?,
    _ body: (any DatabaseSession) throws -> Result
  ) throws -> Result {
    let session = try open(options, cancellation)
    return try session.inReadTransaction { try body(session) }
  }

  package func head(
    of ledger: Ledger, _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> (version: Version, chain: String)? {
    let session = try open(options, cancellation)
    if schema != nil {
      // Without a transaction, the search path would lead to a ledger of others.
      return try session.inReadTransaction {
        let tables = try session.tables(beginningWith: ledger.prefix + "_migrations")
        return tables.isEmpty ? nil : try ledger.settledHead(on: session)
      }
    }
    do {
      return try ledger.settledHead(on: session)
    } catch let failure as PostgresFailure where failure.isOfStatement {
      // The only possible error is that the table does not exist.
      return nil
    }
  }

  package func needs(of tables: [String], _ options: Migrator.Options) throws -> [EngineNeed] {
    // It waits for itself on purpose.
    let timeout = max(5, options.lockTimeout.inSeconds)
    let open = {
      try PostgresSession(
        uri, schema: schema, lockTimeoutSeconds: timeout, ledger: ledger, refusesOld: false)
    }
    return try ServerCheck(session: open(), openOther: open).needs(ledger: ledger, tables: tables)
  }

  // MARK: backups

  /// Says to a backup's command which schema it shall back up.
  private var assignments: String {
    let quoted = schema.map { "'" + $0.replacing("'", with: "'\\''") + "'" }
    return quoted.map { "export MIGRATE_SCHEMA=\($0); " } ?? ""
  }

  /// The first run may write to tables that somebody filled.
  package func needsBackup(
    _ ledger: Ledger, of tables: @autoclosure () throws -> [String],
    on session: any DatabaseSession
  ) throws -> Bool {
    try ledger.head(on: session) != nil
      || tables().contains { name in
        guard let found = try session.object(named: name), found.kind == .table else {
          return false
        }
        let sql = try session.schema(of: found.name).sql
        return try session.value("SELECT 1 FROM \(sql) LIMIT 1") != nil
      }
  }

  /// The command that makes a backup before the first change. Its failure stops the run.
  package static let backupCommand = "MIGRATE_BACKUP_COMMAND"

  package func backUp(
    _ options: Migrator.Options, _ host: Host, _ ledger: Ledger, on session: any DatabaseSession,
    _ cancellation: Migrator.Cancellation?, _ onProgress: () -> Void
  ) throws -> Migrator.Backup {
    guard let command = getenv(Self.backupCommand).map({ String(cString: $0) }),
      !command.allSatisfy(\.isWhitespace)
    else {
      throw SeedbedError(
        .backup,
        "Seedbed makes no backup of a server, and \(Self.backupCommand) names no command that "
          + "does. Set it, or leave the backup to the server's own tools."
      ).remedied(by: .leaveBackupOut)
    }
    let status = system(assignments + command)
    // Ctrl-C in a terminal also interrupts the command, which then fails.
    try cancellation?.check()
    guard status == 0 else {
      let signal = status & 0x7F
      let how = signal == 0 ? "exit code \(status >> 8 & 0xFF)" : "signal \(signal)"
      throw SeedbedError(
        .backup, "The command of \(Self.backupCommand) failed (\(how)), so nothing was changed.")
    }
    return Migrator.Backup(
      path: command, version: try ledger.head(on: session)?.version ?? 0,
      takenAt: Migrator.Timestamp(text: Clock.timestamp()), bytes: 0, isVerified: true)
  }
}
