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

  package init(_ uri: String, ledger: String) { (self.uri, self.ledger) = (uri, ledger) }

  package var dialect: any Dialect { PostgresDialect.shared }

  /// The URI without user, password and parameters.
  package var name: String {
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
      uri, database: scratch, lockTimeoutSeconds: options.lockTimeout.inSeconds, ledger: ledger,
      cancellation: cancellation)
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
    server.scratch = keeper.name
    return EmptyDatabase(
      engine: server, session: try server.open(options, cancellation), keeper: keeper)
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
    do {
      return try ledger.head(on: session)
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
        uri, lockTimeoutSeconds: timeout, ledger: ledger, refusesOld: false)
    }
    return try ServerCheck(session: open(), openOther: open).needs(ledger: ledger, tables: tables)
  }

  // MARK: backups

  /// The first run writes to tables that have no rows of the seed yet.
  package func needsBackup(_ ledger: Ledger, on session: any DatabaseSession) throws -> Bool {
    try ledger.head(on: session) != nil
  }

  /// The command that makes a backup before the first change. Its failure stops the run.
  package static let backupCommand = "MIGRATE_BACKUP_COMMAND"

  package func backUp(
    _ options: Migrator.Options, _ host: Host, _ ledger: Ledger, on session: any DatabaseSession,
    _ cancellation: Migrator.Cancellation?, _ onProgress: () -> Void
  ) throws -> Migrator.Backup {
    guard let command = getenv(Self.backupCommand).map({ String(cString: $0) }), !command.isEmpty
    else {
      throw SeedbedError(
        .backup,
        "Seedbed makes no backup of a server, and \(Self.backupCommand) names no command that "
          + "does. Set it, or leave the backup to the server's own tools."
      ).remedied(by: .leaveBackupOut)
    }
    let status = system(command)
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
