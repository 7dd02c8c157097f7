import Seedbed

/// A database of its own on a server, which is there as long as this is. SQL files name schemas as
/// they like, so a schema of its own would not keep them from the tables of the application.
final class PostgresScratch {
  let name = "seedbed_scratch_" + String(UInt64.random(in: 0...UInt64.max), radix: 36)
  private let uri: String

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
  }

  /// If this fails, the database stays, and its name says whose it is.
  deinit {
    try? PostgresSession(uri).execute("DROP DATABASE IF EXISTS \(name.quoted) WITH (FORCE)")
  }
}
