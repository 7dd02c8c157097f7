import Foundation
import Seedbed
import TestSupport
import Testing

@testable import SeedbedPostgres

@Suite(.enabled(if: Cluster.isInstalled && Pooler.isInstalled)) struct `Behind a pooler` {
  @Test(arguments: ["session", "transaction"])
  func `that keeps transactions together all works`(mode: String) throws {
    try withDatabase { uri in
      let pooler = try Pooler(mode: mode)
      let pooled = pooler.uri(uri)
      try PostgresSession(uri).execute("CREATE TABLE t (i int)")
      for round in 1...3 {
        let session = try PostgresSession(pooled)
        try session.beginImmediate()
        let insert = try session.cursor("INSERT INTO t VALUES (?)")
        for number in 1...3 { try insert.run([.integer(Int64(number))]) }
        try session.execute("COMMIT")
        try session.inReadTransaction {
          let count = try session.value("SELECT count(*) FROM t")
          #expect(count == .integer(Int64(3 * round)))
        }
      }
    }
  }

  @Test func `that does not, no transaction begins`() throws {
    try withDatabase { uri in
      let pooler = try Pooler(mode: "statement")
      let session = try PostgresSession(pooler.uri(uri))
      let error = try #require(throws: SeedbedError.self) { try session.beginImmediate() }
      #expect(error.message.hasPrefix("The pooler before the server does not keep a transaction"))
      #expect(!session.isInTransaction)
    }
  }
}

/// pgbouncer before the tests' server.
final class Pooler {
  static let program = "/usr/sbin/pgbouncer"
  static var isInstalled: Bool { FileManager.default.fileExists(atPath: program) }

  private let place: Place
  private let child: Child

  init(mode: String) throws {
    let cluster = try #require(Cluster.shared)
    place = try Place(in: Place.memory)
    let folder = place.path
    try place.write(
      "config",
      """
      [databases]
      * = host=\(cluster.folder) user=postgres
      [pgbouncer]
      listen_addr =
      unix_socket_dir = \(folder)
      auth_type = any
      pool_mode = \(mode)
      max_client_conn = 20
      default_pool_size = 2
      """)
    // It refuses to run as root, too.
    let user =
      getuid() == 0
      ? ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"] : []
    if getuid() == 0 { _ = try Child.run(["chown", "-R", "postgres", folder]) }
    child = try Child(
      user + [Self.program, "-q", "\(folder)/config"], output: .file("\(folder)/log"),
      errors: .file("\(folder)/log"))
    for _ in 0..<100 where !FileManager.default.fileExists(atPath: "\(folder)/.s.PGSQL.6432") {
      usleep(50_000)
    }
  }

  deinit {
    child.send(SIGKILL)
    _ = child.wait()
  }

  /// The same database by way of the pooler.
  func uri(_ uri: String) -> String {
    uri.replacingOccurrences(of: Cluster.shared?.folder ?? "", with: place.path) + "&port=6432"
  }
}
