import CSeedbedPostgres
import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection to a server. `deinit` closes it.
final class PostgresConnection: @unchecked Sendable {
  // Sound: one session has it at a time, on one thread.
  let handle: OpaquePointer
  let uri: String
  /// The number of sessions that have used it.
  var sessions = 1

  /// - Parameter database: another database on the same server; nil for the one in the URI.
  init(_ uri: String, _ database: String?) throws {
    // Later parameters win: text is always read and written as UTF-8.
    // > Only the first occurrence of dbname is expanded; a later one is a plain database name.
    let parameters =
      [
        ("fallback_application_name", "seedbed"), ("dbname", uri), ("client_encoding", "UTF8"),
      ] + (database.map { [("dbname", $0)] } ?? [])
    let keys = parameters.map { strdup($0.0) }
    let values = parameters.map { strdup($0.1) }
    defer { for text in keys + values { free(text) } }
    let opened = PQconnectdbParams(
      keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
    guard let opened else { throw SeedbedError.noConnection("out of memory") }
    // From here on, `deinit` closes it.
    (handle, self.uri) = (opened, uri)
    guard PQstatus(opened) == CONNECTION_OK else { throw SeedbedError.cannotConnect(opened) }
    // Notices are about tables that could not be dropped because they do not exist, for example.
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
    PQsetnonblocking(opened, 1)
  }

  /// To no server: every request fails.
  init() {
    (handle, uri) = (PQconnectStart("host=/nowhere"), "")
  }

  deinit { PQfinish(handle) }

  /// What a connection keeps after a transaction. The order of the first two is that of DISCARD
  /// ALL, which would lose a role that the URL sets.
  private static let cleaning = """
    RESET SESSION AUTHORIZATION; RESET ROLE; RESET ALL; DEALLOCATE ALL; CLOSE ALL; UNLISTEN *;
    SELECT pg_advisory_unlock_all(); DISCARD PLANS; DISCARD TEMP; DISCARD SEQUENCES
    """

  /// Makes it like a new one; false if that fails, for example because the server closed it.
  func clean() -> Bool {
    let result = PQexec(handle, Self.cleaning)
    defer { PQclear(result) }
    return PQresultStatus(result) == PGRES_COMMAND_OK
      && PQtransactionStatus(handle) == PQTRANS_IDLE
  }
}

/// Connections for many sessions one after the other, such as those for the schemas of a database.
package final class PostgresConnections: Sendable {
  /// The server's process remembers each table that it has used until the connection ends.
  private static let mostSessions = 200

  /// The number of connections to keep open without a session, of one database or of several.
  private static let most = 32

  private let kept = Guarded<[PostgresConnection]>([])

  package init() {}

  /// A connection that is like a new one; nil if there is none.
  func take(for uri: String) -> PostgresConnection? {
    while let connection = found(for: uri) {
      connection.sessions += 1
      if connection.clean() { return connection }
    }
    return nil
  }

  private func found(for uri: String) -> PostgresConnection? {
    kept.withLock { kept in
      kept.lastIndex { $0.uri == uri }.map { kept.remove(at: $0) }
    }
  }

  func keep(_ connection: PostgresConnection) {
    guard connection.sessions < Self.mostSessions else { return }
    kept.withLock { kept in
      kept.append(connection)
      // The oldest one is that of a database that is done.
      if kept.count > Self.most { kept.removeFirst() }
    }
  }
}
