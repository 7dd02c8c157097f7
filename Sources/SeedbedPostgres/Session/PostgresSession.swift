import CSeedbedPostgres
package import Seedbed

/// One use of a connection to a PostgreSQL server, by one thread at a time.
package final class PostgresSession {
  /// > PQserverVersion: the major version times 10000, plus the minor version.
  static let oldestServer: Int32 = 150_000

  private let connection: PostgresConnection
  var handle: OpaquePointer { connection.handle }
  /// Host, port and database, without user and password.
  package let shownPath: String
  /// The schema of the tables and the ledger, which comes before the connection's search path; nil
  /// if the search path alone says where they are.
  let schema: String?
  /// Keeps the connection when this session ends.
  private let connections: PostgresConnections?
  package private(set) var cancellation: Migrator.Cancellation?
  /// How long a statement waits for a lock.
  private(set) var lockTimeoutSeconds: Double
  /// The ledger's table prefix. Runs with the same prefix wait for each other.
  let ledgerName: String
  /// The rows that the last INSERT, UPDATE, DELETE, MERGE or COPY itself wrote.
  package internal(set) var changes: Int64 = 0
  var onWait: (() -> Void)?
  /// Whether a cancellation interrupts the current statement.
  var isInterruptible = false
  var hasInterrupted = false
  /// Statements that the server still keeps for cursors that were released.
  var staleStatements: [String] = []
  let sessionName = String(UInt64.random(in: 0...UInt64.max), radix: 36)
  /// The number of names given to statements and cursors.
  var nameCount = 0
  /// The number of transactions begun.
  var transactionCount = 0
  /// The transaction's changes at the last `forgetWritten()`, by the tables' oids.
  var writtenBefore: [Int64: TableState] = [:]
  /// The number of tables created for rows of files.
  var fileRowsNumber = 0
  /// Our tables to which no SQL file may write.
  var protectedTables: Set<Name> = []
  /// The part of the schema that was read, while nothing changes it.
  var knownSchema: KnownSchema?

  /// - Parameters:
  ///   - uri: any form that libpq accepts: a URI, `key=value` pairs, or a database's name. The
  ///     environment and the service file supply the rest.
  ///   - database: another database on the same server; nil for the one in the URI.
  ///   - schema: the schema of the tables and the ledger; nil for what the search path says.
  ///   - ledger: the prefix of the ledger's tables.
  ///   - connections: those to use, and to keep this one for other sessions; nil to open one, and
  ///     to close it.
  package init(
    _ uri: String, database: String? = nil, schema: String? = nil, lockTimeoutSeconds: Double = 5,
    ledger: String = "seedbed", cancellation: Migrator.Cancellation? = nil, refusesOld: Bool = true,
    connections: PostgresConnections? = nil
  ) throws {
    self.lockTimeoutSeconds = lockTimeoutSeconds
    self.cancellation = cancellation
    (self.schema, self.connections) = (schema, connections)
    ledgerName = ledger
    if cancellation?.isCancelled == true { throw SeedbedError.cancelled() }
    connection = try connections?.take(for: uri) ?? PostgresConnection(uri, database)
    shownPath = Self.shownPath(of: connection.handle)
    if refusesOld { try SeedbedError.refuseOld(server: PQserverVersion(handle)) }
  }

  /// A session without a server: every request fails.
  static func lost() -> PostgresSession { PostgresSession() }

  private init() {
    connection = PostgresConnection()
    (shownPath, ledgerName, lockTimeoutSeconds) = ("", "", 0)
    (schema, connections) = (nil, nil)
  }

  deinit {
    // An interrupt may still be on its way to this connection.
    if isOutsideTransaction, !hasInterrupted { connections?.keep(connection) }
  }

  private static func shownPath(of handle: OpaquePointer) -> String {
    let host = PQhost(handle).map { String(cString: $0) } ?? ""
    let port = PQport(handle).map { String(cString: $0) } ?? ""
    let database = PQdb(handle).map { String(cString: $0) } ?? ""
    // A host that is a folder is that of the server's socket.
    let server = host.hasPrefix("/") ? "" : port.isEmpty ? host : "\(host):\(port)"
    return "postgresql://\(server)/\(database)"
  }

  // MARK: cancelling

  package func forgetCancellation() {
    // A cancelled run still has to record that it was cancelled. It waits a moment for others, but
    // no longer.
    if cancellation?.isCancelled == true { lockTimeoutSeconds = min(lockTimeoutSeconds, 0.05) }
    cancellation = nil
  }

  package func observe(_ cancellation: Migrator.Cancellation?) { self.cancellation = cancellation }

  package func whileWaiting(_ body: @escaping () -> Void) { onWait = body }

  package func interruptible<Result>(_ body: () throws -> Result) throws -> Result {
    let before = isInterruptible
    isInterruptible = true
    defer { isInterruptible = before }
    return try body()
  }

  func checkCancellation() throws {
    if cancellation?.isCancelled == true { throw SeedbedError.cancelled() }
  }
}
