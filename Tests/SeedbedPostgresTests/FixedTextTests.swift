import Foundation
import Seedbed
import TestSupport
import Testing

/// > Trailing spaces are semantically insignificant and disregarded when comparing two values of
/// > type character. (8.3)
@Suite(.enabled(if: Cluster.isInstalled)) struct `A column of the type char(6)` {
  private static let files = [
    "catalog.json": """
    {"engines": ["sqlite", "postgresql"], "tables": {"t": {"source": "data/t.csv"}}}
    """,
    "data/t.csv": "id,b\nk1,abc\nk2,x\n", "0001_a/t.csv": "id,b\nk1,abc\nk2,x\n",
    "0001_a/up.sql": "CREATE TABLE t (id TEXT PRIMARY KEY, b TEXT);",
    "0001_a/up.postgresql.sql": "CREATE TABLE t (id char(4) PRIMARY KEY, b char(6));",
  ]

  @Test func `has the texts of the files, without the blanks that the server adds`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up()
      try server.session.execute("UPDATE t SET b = 'abd' WHERE id = 'k1'")
      try server.session.execute("INSERT INTO t VALUES ('m', ' m')")
      let mine = try server.migrate("export", "t", "--mine")
      #expect(mine.output == "id,b\nk1,abd\nm, m\n")
      let suggestions = try server.migrate("export", "--suggestions", "--additions")
      #expect(
        suggestions.output.contains("edit,t,\"{\"\"id\"\":\"\"k1\"\"}\",b,abc,abd,1"),
        "\(suggestions)")
      #expect(!suggestions.output.contains("  "), "\(suggestions)")
    }
  }

  @Test func `gives suggestions that fit the source`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up()
      try server.session.execute("UPDATE t SET b = 'abd' WHERE id = 'k1'")
      let file = server.path + ".jsonl"
      defer { try? FileManager.default.removeItem(atPath: file) }
      #expect(try server.migrate("lock").code == 0)
      #expect(try server.migrate("export", "--suggestions", "--out", file).code == 0)
      let migrations = ["--migrations", server.path]
      let shown = try Child.run([Child.built("migrate"), "suggestions", file] + migrations)
      #expect(shown.output.contains("open"), "\(shown)")
      let id = String(shown.output.prefix(8))
      let taken = try Child.run(
        [Child.built("migrate"), "suggestions", file, "--take", id] + migrations)
      #expect(taken.code == 0, "\(taken)")
      let source = try server.place.text("data/t.csv")
      #expect(source == "id,b\nk1,abd\nk2,x\n")
    }
  }

  @Test func `keeps a user's edit, and logs it as it was written`() throws {
    try withServer(Self.files) { server in
      try server.migrator().up()
      try server.session.execute("UPDATE t SET b = 'abd' WHERE id = 'k1'")
      try server.add(["0002_b/t.update.csv": "id,b,was:b\nk1,new,abc\nk2,y,x\n"])
      #expect(try server.migrator().up().migrations.map(\.conflictCount) == [1])
      #expect(try server.rows("SELECT * FROM t ORDER BY id") == ["k1|abd", "k2|y"])
      #expect(
        try server.rows("SELECT key, base, mine, seed FROM seedbed_conflicts") == [
          #"{"id":"k1"}|{"b":"abc"}|{"b":"abd"}|{"b":"new"}"#
        ])
    }
  }
}
