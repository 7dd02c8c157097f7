import Foundation
import Seedbed
import SeedbedAuthoring
import SeedbedPostgres
import TestSupport
import Testing

@Suite(.enabled(if: Cluster.isInstalled)) struct `Releases are tried on a server` {
  private static let files = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, term TEXT);",
    "0001_words/up.postgresql.sql": """
    CREATE TABLE words (
      id BIGINT PRIMARY KEY, term VARCHAR(4));
    """,
    "0001_words/words.csv": "id,term\n1,cat\n",
  ]

  /// What `lint` finds, and why the server was not tried.
  private func lint(
    _ server: Server, on uri: String? = nil
  ) throws -> (findings: [LintFinding], reasons: [String]) {
    let reasons = Locked<[String]>([])
    var linter = Linter(directory: server.path)
    let engine = PostgresServer(uri ?? server.uri, ledger: "seedbed")
    linter.onServer = { catalog, _ in
      let reason = try ServerTrial.run(catalog, on: engine, Migrator.Options())
      reasons.withLock { $0 += reason.map { [$0] } ?? [] }
    }
    let findings = try linter.findings().filter(\.isRefusal)
    return (findings, reasons.withLock { $0 })
  }

  @Test func `by lint, which leaves the application's tables alone`() throws {
    try withServer(Self.files) { server in
      try server.session.executeAll("CREATE TABLE words (mine INT); INSERT INTO words VALUES (7)")
      _ = try CatalogLock.write(directory: server.path)
      let (findings, reasons) = try lint(server)
      #expect(findings == [] && reasons == [])
      #expect(try server.rows("SELECT * FROM words") == ["7"])
    }
  }

  @Test(arguments: [
    ("up.postgresql.sql", "CREATE TABLE words (\n  id BIGINT PRIMARY KEY,\n  term VARCHA);", 3, 8),
    ("words.csv", "id,term\n1,cat\n2,horse\n", 3, 3),
    ("verify.postgresql.sql", "SELECT id FROM words WHERE term = 'cat';", 1, 1),
  ])
  func `by lint, which names the line that only PostgreSQL refuses`(
    _ file: String, _ text: String, _ line: Int, _ column: Int
  ) throws {
    var files = Self.files
    files["0001_words/verify.sql"] = "SELECT 1 WHERE false;"
    files["0001_words/verify.postgresql.sql"] = "-- none"
    files["0001_words/" + file] = text
    try withServer(files) { server in
      _ = try CatalogLock.write(directory: server.path)
      let (findings, reasons) = try lint(server)
      let place = SeedbedError.Place("0001_words/" + file, line: line, column: column)
      #expect(findings.map(\.place) == [place], "\(findings)")
      #expect(reasons == [])
    }
  }

  @Test func `by lint, which reports once what SQLite refuses, too`() throws {
    var files = Self.files
    files["0001_words/words.csv"] = "id,term\n1,cat,\n"
    try withServer(files) { server in
      let lines = try lint(server).findings.map(\.place.line)
      #expect(lines == [2])
    }
  }

  @Test func `or not, and the reason is told`() throws {
    try withServer(Self.files) { server in
      _ = try CatalogLock.write(directory: server.path)
      let nowhere = "postgresql:///x?host=/tmp/seedbed-no-such-folder&user=postgres"
      let (findings, reasons) = try lint(server, on: nowhere)
      #expect(findings == [] && reasons.count == 1)
      #expect(reasons[0].hasPrefix("Cannot connect to PostgreSQL"))
    }
  }

  /// Runs `body` with a URI for a role of its own, and looks that it owns no database then.
  private func withAuthor(_ server: Server, _ body: (String) throws -> Void) throws {
    let role = "author_\(UUID().uuidString.prefix(8).lowercased())"
    try server.session.execute("CREATE ROLE \(role) LOGIN CREATEDB")
    // A database that is left keeps its role, but that is a failure already.
    defer { try? server.session.execute("DROP ROLE \(role)") }
    try body(server.uri.replacingOccurrences(of: "user=postgres", with: "user=\(role)"))
    let left = try server.rows(
      "SELECT datname FROM pg_database WHERE pg_get_userbyid(datdba) = '\(role)'")
    #expect(left == [])
  }

  @Test func `by the command, which says what the server refuses, and leaves nothing there`()
    throws
  {
    var files = Self.files
    files["0001_words/up.postgresql.sql"] =
      "CREATE TABLE words (\n  id BIGINT PRIMARY KEY,\n  term VARCHA(4));"
    try withServer(files) { server in
      _ = try CatalogLock.write(directory: server.path)
      try server.add(["words.csv": "id,term\n1,cat\n2,horse\n"])
      let source = "words=\(server.path)/words.csv"
      try withAuthor(server) { uri in
        let refused = "0001_words/up.postgresql.sql:3:8: "
        let reason = "PostgreSQL error 42704: type \"varcha\" does not exist.\n"
        let lint = try server.migrate("lint", on: uri)
        #expect(lint.code == 3 && lint.output.contains("\(refused)sql: \(reason)"), "\(lint)")
        let make = try server.migrate("make", "june", source, on: uri)
        #expect(make.code == 2 && make.output.hasSuffix("\(refused)\(reason)"), "\(make)")
        let there = "CREATE TABLE words (id BIGINT PRIMARY KEY, term VARCHAR(4));"
        try server.add(["0001_words/up.postgresql.sql": there])
        _ = try CatalogLock.write(directory: server.path)
        let row = try server.migrate("make", "june", source, on: uri)
        #expect(row.code == 2 && row.output.contains("words.csv:3: found 'horse' in"), "\(row)")
        #expect(!FileManager.default.fileExists(atPath: server.path + "/0002_june"))
        try server.add(["words.csv": "id,term\n1,cat\n2,dog\n"])
        let made = try server.migrate("make", "june", source, on: uri)
        #expect(made.code == 0 && !made.output.contains("PostgreSQL"), "\(made)")
      }
    }
  }

  @Test func `by make, which names the line of the source`() throws {
    try withServer(Self.files) { server in
      _ = try CatalogLock.write(directory: server.path)
      try server.add(["words.csv": "id,term\n1,cat\n2,horse\n"])
      var release = Release(directory: server.path, name: "june")
      let source = server.path + "/words.csv"
      release.sources = [Release.TableFile("words", source, shownAs: "words.csv")]
      let engine = PostgresServer(server.uri, ledger: "seedbed")
      release.onServer = { catalog, _ in
        _ = try ServerTrial.run(catalog, on: engine, Migrator.Options())
      }
      let error = #expect(throws: SeedbedError.self) { try release.make() }
      #expect(error?.place?.file == "words.csv" && error?.place?.line == 3, "\(error as Any)")
      try server.add(["words.csv": "id,term\n1,cat\n2,dog\n"])
      #expect(try release.make().folders == ["0002_june"])
    }
  }
}
