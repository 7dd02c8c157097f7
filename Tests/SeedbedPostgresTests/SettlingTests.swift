import Foundation
import Seedbed
import Testing

@testable import SeedbedPostgres

/// What a person decides about the rows of a database on a server.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Conflicts are settled on a server` {
  /// A column of each kind: its type, its value in both releases, and the user's.
  private static let columns = [
    ("price", "NUMERIC(9, 2)", "1.50", "2.50", "7"),
    ("made", "TIMESTAMPTZ", "2026-06-01T00:00:00Z", "2026-07-01T00:00:00Z", "2020-01-01"),
    ("size", "size", "small", "large", "huge"), ("is_new", "BOOLEAN", "true", "false", ""),
    ("ratio", "REAL", "0.1", "0.2", "0.3"), ("facts", "JSONB", "{\"a\": 1}", "{\"a\": 2}", "[]"),
    ("code", "UUID", uuid(1), uuid(2), uuid(3)), ("picture", "BYTEA", "ab", "cd", "ef"),
    ("letters", "CHAR(4)", "a", "b", "c"), ("tags", "TEXT[]", "{x}", "{y}", "{z,w}"),
    ("day", "DATE", "2026-06-01", "2026-07-01", "2020-01-01"),
  ]

  private static func uuid(_ digit: Int) -> String { "00000000-0000-4000-8000-00000000000\(digit)" }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static var files: [String: String] {
    let header = columns.map(\.0).joined(separator: ",")
    let old = columns.map { quoted($0.2) }.joined(separator: ",")
    let new = columns.map { quoted($0.3) + "," + quoted($0.2) }.joined(separator: ",")
    let changes = columns.map { "\($0.0),was:\($0.0)" }.joined(separator: ",")
    let typed = columns.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let text = columns.map { "\($0.0) TEXT" }.joined(separator: ", ")
    return [
      "catalog.json": """
      {"engines": ["sqlite", "postgresql"], "tables": {"things": {"blobs": {"picture": "hex"}}}}
      """,
      "0001_things/up.sql":
        "CREATE TABLE things (id INTEGER PRIMARY KEY, \(text)); "
        + "CREATE TABLE parts (id INTEGER PRIMARY KEY, thing INTEGER REFERENCES things);",
      "0001_things/up.postgresql.sql": """
      CREATE TYPE size AS ENUM ('small', 'large', 'huge');
      CREATE TABLE things (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, \(typed), note TEXT);
      CREATE TABLE parts (id BIGINT PRIMARY KEY, thing BIGINT REFERENCES things);
      """,
      "0001_things/things.csv": "id,\(header)\n1,\(old)\n2,\(old)\n3,\(old)\n",
      "0002_june/things.update.csv": "id,\(changes)\n1,\(new)\n2,\(new)\n3,\(new)\n",
    ]
  }

  private static let rows = "SELECT * FROM things ORDER BY id"

  /// A database whose user changed each value of 1 and deleted 2 before release 2.
  private func withConflicts(_ body: (Server, Migrator) throws -> Void) throws {
    try withServer(Self.files) { server in
      let migrator = try server.migrator()
      try migrator.up(to: 1)
      let sets = Self.columns.map { column, type, _, _, mine in
        column + " = " + (mine.isEmpty ? "NULL" : type == "BYTEA" ? "'\\xef'" : "'\(mine)'")
      }
      try server.session.executeAll(
        "UPDATE things SET note = 'my note', \(sets.joined(separator: ", ")) WHERE id = 1; "
          + "DELETE FROM things WHERE id = 2;")
      try migrator.up()
      try body(server, migrator)
    }
  }

  @Test func `to and fro, and nothing is left of it`() throws {
    try withConflicts { server, migrator in
      let before = try server.rows(Self.rows)
      let conflicts = try migrator.conflicts()
      #expect(conflicts.map(\.kind) == [.edited, .deletedByUser])
      let seeds = try migrator.resolve(conflicts, with: .seed)
      #expect(seeds.refused.isEmpty && seeds.touchedTables == ["things"], "\(seeds)")
      let values = Self.columns.map(\.0).joined(separator: ", ")
      let all = try server.rows("SELECT \(values) FROM things ORDER BY id")
      #expect(all.count == 3 && Set(all).count == 1, "\(all)")
      #expect(try server.rows("SELECT note FROM things ORDER BY id") == ["my note", "", ""])
      #expect(try migrator.conflicts().map(\.settled) == [.seed, .seed])
      let mine = try migrator.resolve(try migrator.conflicts(), with: .mine)
      #expect(mine.refused.isEmpty && mine.changedSince.isEmpty, "\(mine)")
      #expect(try server.rows(Self.rows) == before)
      #expect(try migrator.resolve(try migrator.conflicts(), with: .mine).touchedTables == [])
    }
  }

  @Test func `but no row that changed since`() throws {
    try withConflicts { server, migrator in
      try server.session.execute("UPDATE things SET price = 99 WHERE id = 1")
      let settled = try migrator.resolve(try migrator.conflicts(), with: .seed)
      #expect(
        settled.refused.map(\.error.message).first?.contains("price is \"99.00\" now") == true)
      #expect(settled.conflicts.count == 1)
      #expect(try server.rows("SELECT price FROM things WHERE id = 1") == ["99.00"])
      #expect(try server.rows("SELECT count(*) FROM things") == ["3"])
    }
  }

  @Test func `and no row that others refer to`() throws {
    try withConflicts { server, migrator in
      let deleted = try migrator.conflicts().filter { $0.kind == .deletedByUser }
      try migrator.resolve(deleted, with: .seed)
      try server.session.execute("INSERT INTO parts VALUES (1, 2)")
      let back = try migrator.resolve(deleted, with: .mine)
      #expect(back.refused.first?.error.code == .foreignKey, "\(back)")
      #expect(back.refused.first?.error.message.contains("rows of 'parts' refer to") == true)
      #expect(try server.rows("SELECT count(*) FROM things") == ["3"])
    }
  }

  @Test func `a pinned row stays as it is, whatever comes`() throws {
    try withServer(Self.files) { server in
      let migrator = try server.migrator()
      try migrator.up(to: 1)
      try migrator.pin(["id": 3], in: "things")
      #expect(throws: SeedbedError.self) { try migrator.pin(["id": 77], in: "things") }
      let before = try server.rows("SELECT * FROM things WHERE id = 3")
      try migrator.up()
      #expect(try server.rows("SELECT * FROM things WHERE id = 3") == before)
      let origin = try #require(try migrator.origin(of: ["id": 3], in: "things"))
      #expect(origin.kind == .editedSeed && origin.isPinned)
      #expect(try migrator.userOwnedKeys().map(\.key) == [["id": 3]])
      try migrator.unpin(["id": 3], in: "things")
      #expect(try migrator.userOwnedKeys().isEmpty)
      try migrator.reseed("things", keys: ["3"])
      #expect(try migrator.origin(of: ["id": 3], in: "things")?.kind == .seed)
    }
  }

  @Test func `by the command`() throws {
    try withConflicts { server, migrator in
      let ids = try migrator.conflicts().map { String($0.id) }
      let settled = try server.migrate("resolve", ids[0], ids[1], "--seed", "--json")
      #expect(settled.code == 0 && settled.output.contains(#""touchedTables":["things"]"#))
      #expect(try server.migrate("pin", "things", "3").output == "Pinned things id=3.\n")
      #expect(try server.migrate("pin").output == "things id=3\n")
      let origin = try server.migrate("origin", "things", "3")
      #expect(origin.output.hasPrefix("things 3: the seed's, as it was shipped; pinned.\n"))
      #expect(try server.migrate("unpin", "things", "3").output == "Unpinned things id=3.\n")
    }
  }

  @Test func `a release that takes a value back settles its conflict`() throws {
    let files = [
      "catalog.json": #"{"engines": ["postgresql"]}"#,
      "0001_t/up.postgresql.sql": "CREATE TABLE t (id BIGINT PRIMARY KEY, name TEXT);",
      "0001_t/t.csv": "id,name\n1,one\n2,two\n",
      "0002_t/t.update.csv": "id,name,was:name\n1,REF,one\n2,REF,two\n",
      "0003_t/t.update.csv": "id,name,was:name\n1,one,REF\n2,deux,REF\n",
    ]
    try withServer(files) { server in
      let migrator = try server.migrator()
      try migrator.up(to: 1)
      try server.session.executeAll("UPDATE t SET name = 'mine'")
      try migrator.up()
      #expect(try migrator.conflicts().map(\.settled) == [.mine, nil, .mine, nil])
    }
  }
}
