import Seedbed

/// A temporary database on a server, removed when this value is released. A schema would not be
/// enough, since SQL files name schemas as they like, and could write to the application's tables.
final class PostgresScratch {
  let name = "seedbed_scratch_" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
  private let uri: String

  /// Creates an empty database with the schemas of the search path.
  init(on uri: String) throws {
    self.uri = uri
    let session = try PostgresSession(uri)
    do {
      try session.execute("CREATE DATABASE \(name.quoted)")
    } catch let failure as PostgresFailure where !failure.isConnectionLost {
      throw SeedbedError(
        .io,
        "The server makes no scratch database: \(failure.message). Let the role create databases "
          + "(ALTER ROLE … CREATEDB), or connect as another.")
    }
    try makeSchemas(like: session)
  }

  /// A worker of the server's that cleans the database keeps it for a moment. If this fails all the
  /// same, the database stays. Its name shows what created it.
  deinit {
    for _ in 0..<3 {
      let drop = "DROP DATABASE IF EXISTS \(name.quoted) WITH (FORCE)"
      if (try? PostgresSession(uri).execute(drop)) != nil { return }
    }
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
}
