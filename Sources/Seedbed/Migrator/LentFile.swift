/// The database of a handle that the app lends: runs and readings use the handle, and all else is
/// done as with the file.
struct LentFile: DatabaseKind, @unchecked Sendable {
  // Sound: it is used within one call, on the thread of that call.
  private final class Loan { var isOver = false }

  private let connection: Connection
  private let loan = Loan()
  private var file: SQLiteFile

  init(_ connection: Connection, _ setup: ConnectionSetup?) {
    self.connection = connection
    file = SQLiteFile(path: connection.path, setup: setup)
  }

  func giveBack() { loan.isOver = true }

  /// The connection, for one verb.
  func lent(_ cancellation: Migrator.Cancellation?) throws -> Connection {
    if loan.isOver {
      throw SeedbedError(
        .usage,
        "The handle was given back. Use the migrator only inside the closure that got it.")
    }
    connection.begin(with: cancellation)
    return connection
  }

  var dialect: any Dialect { file.dialect }
  var name: String { connection.shownPath }
  var size: Int64? { nil }
  var path: String { file.path }
  var exists: Bool { true }
  var setup: ConnectionSetup? {
    get { file.setup }
    set { file.setup = newValue }
  }

  func refuseMissing() {}
  func refuseBadPlace() {}

  func open(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> any DatabaseSession {
    let connection = try lent(cancellation)
    if connection.isInTransaction { throw SeedbedError.handleInTransaction() }
    return connection
  }

  func openAgain(_ options: Migrator.Options) throws -> any DatabaseSession {
    try open(options, nil)
  }

  func nowhere() throws -> any DatabaseSession { try file.nowhere() }

  func empty(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> EmptyDatabase {
    try file.empty(options, cancellation)
  }

  func reading<Result>(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?,
    _ body: (any DatabaseSession) throws -> Result
  ) throws -> Result {
    let connection = try lent(cancellation)
    return try connection.inSavepoint { try body(connection) }
  }

  func head(
    of ledger: Ledger, _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> (version: Version, chain: String)? {
    let connection = try lent(cancellation)
    return try ledger.exists(on: connection) ? ledger.settledHead(on: connection) : nil
  }

  func needs(of tables: [String], _ options: Migrator.Options) throws -> [EngineNeed] {
    try file.needs(of: tables, options)
  }

  func needsBackup(
    _ ledger: Ledger, of tables: @autoclosure () throws -> [String],
    on session: any DatabaseSession
  ) throws -> Bool {
    try file.needsBackup(ledger, of: tables(), on: session)
  }

  func backUp(
    _ options: Migrator.Options, _ host: Host, _ ledger: Ledger, on session: any DatabaseSession,
    _ cancellation: Migrator.Cancellation?, _ onProgress: () -> Void
  ) throws -> Migrator.Backup {
    try file.backUp(options, host, ledger, on: session, cancellation, onProgress)
  }
}
