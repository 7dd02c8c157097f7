import Seedbed

/// A database of its own on a server, which is there as long as this is. SQL files name schemas as
/// they like, so a schema of its own would not keep them from the tables of the application.
final class PostgresScratch: Sendable {
  let name = "seedbed_scratch_" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
  private let uri: String

  /// - Parameter template: the one that it is to be a copy of; nil for an empty one, with the
  ///   schemas of the search path.
  init(on uri: String, copying template: PostgresScratch? = nil) throws {
    self.uri = uri
    let session = try PostgresSession(uri)
    let source = template.map { " TEMPLATE \($0.name.quoted)" } ?? ""
    do {
      try session.execute("CREATE DATABASE \(name.quoted)\(source)")
    } catch let failure as PostgresFailure where !failure.isConnectionLost {
      throw SeedbedError(
        .io,
        "The server makes no scratch database: \(failure.message). Let the role create databases "
          + "(ALTER ROLE … CREATEDB), or connect as another.")
    }
    if template == nil { try makeSchemas(like: session) }
  }

  /// If this fails, the database stays, and its name says whose it is.
  deinit {
    try? PostgresSession(uri).execute("DROP DATABASE IF EXISTS \(name.quoted) WITH (FORCE)")
  }

  private func makeSchemas(like session: PostgresSession) throws {
    let schemas = try session.rows(
      "SELECT name FROM unnest(current_schemas(false)) AS name WHERE name <> 'public'")
    if schemas.isEmpty { return }
    let scratch = try PostgresSession(uri, database: name)
    for schema in schemas {
      try scratch.execute("CREATE SCHEMA IF NOT EXISTS \((schema[0].text ?? "").quoted)")
    }
  }

  /// Ends the role's own sessions there. Whoever can make databases may always do that.
  func endSessions() throws {
    try PostgresSession(uri).execute("SELECT pg_terminate_backend(pid) \(sessions)")
  }

  /// Waits until they have ended: the server notices a connection that was cut when it has done
  /// what it is at, even a COMMIT.
  func waitForSessions(_ cancellation: Migrator.Cancellation?) throws {
    let session = try PostgresSession(uri)
    while try session.value("SELECT count(*) \(sessions)") != 0 {
      try cancellation?.check()
      Clock.sleep(milliseconds: 2)
    }
  }

  private var sessions: String {
    """
    FROM pg_stat_activity WHERE datname = \(name.quotedLiteral) AND usename = session_user
      AND pid <> pg_backend_pid()
    """
  }
}
