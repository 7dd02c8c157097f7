import Foundation
import Seedbed
import SeedbedPostgres
import TestSupport
import Testing

@testable import SeedbedAuthoring

@Suite(.enabled(if: Cluster.isInstalled)) struct `A snapshot beside its folders` {
  private static let files = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT);",
    "0001_words/up.postgresql.sql": "CREATE TABLE words (id BIGINT PRIMARY KEY, term TEXT);",
    "0001_words/words.csv": "id,term\n1,cat\n",
    "0002_more/words.csv": "id,term\n2,dog\n",
  ]

  @Test func `is passed over by a server`() throws {
    try withServer(Self.files) { server in
      let path = server.path
      _ = try Snapshot.write(directory: path)
      #expect(try Catalog(directory: path).snapshots().count == 1)
      #expect(try server.migrator().up().migrations.map(\.isSnapshot) == [false, false])
      #expect(
        try server.rows("SELECT version, state FROM seedbed_migrations ORDER BY version")
          == ["1|applied", "2|applied"])
      #expect(try server.rows("SELECT term FROM words ORDER BY id") == ["cat", "dog"])
      #expect(try server.migrator().verify().isEmpty)
    }
  }

  /// As folders were dropped when snapshots had SQL for PostgreSQL.
  private func dropFirst(_ server: Server) throws {
    let path = server.path + "/seedbed.lock"
    _ = try CatalogLock.write(directory: server.path)
    let base = try Catalog(directory: server.path).migrations()[0]
    var lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("0001_words/") }.map(String.init)
    lines.insert("base " + base.lockLine, at: 4)
    let body = lines[3...].map { $0 + "\n" }.joined()
    lines[2] = "body \(lines.count - 3) crc32:\(Lock.check(of: body))"
    try server.place.remove("0001_words")
    try server.add(["seedbed.lock": lines.map { $0 + "\n" }.joined()])
  }

  @Test func `begins no database there if the first folders are gone`() throws {
    try withServer(Self.files) { server in
      let old = try Cluster.shared?.newDatabase() ?? ""
      try server.migrator(on: old).up(to: 1)
      try dropFirst(server)
      let error = #expect(throws: SeedbedError.self) { try server.migrator().up() }
      #expect(error?.code == .tooOld)
      #expect(
        error?.message == "The database has no ledger, and this catalog begins after 1: a server "
          + "begins with the first folder, which was dropped. Begin with a dump of a database that "
          + "is at 1 or above. If this one already holds a release, mark that as applied.")
      // One that has them goes on.
      #expect(try server.migrator(on: old).up().to == 2)
      let reason = try ServerTrial.run(
        Catalog(directory: server.path), on: PostgresServer(server.uri, ledger: "seedbed"),
        Migrator.Options())
      #expect(reason?.contains("this catalog begins after 1") == true, "\(reason ?? "")")
    }
  }
}
