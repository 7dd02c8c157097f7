import Seedbed
import Testing

@testable import MergeModelTests

/// Keys that are left to the user, if tables, columns or the key of a table change.
@Suite(.enabled(if: Cluster.isInstalled)) struct `Left keys on a server` {
  @Test(arguments: NamedCase.newNames.filter { !$0.name.contains("dropped after it") })
  func `follow new names`(_ named: NamedCase) throws { try play(named) }

  @Test(arguments: NamedCase.newKeys)
  func `follow a new key`(_ named: NamedCase) throws { try play(named) }

  @Test(arguments: [
    (
      "two tables exchange their names in one statement", "u",
      "DO $$ BEGIN ALTER TABLE t RENAME TO x; ALTER TABLE u RENAME TO t; "
        + "ALTER TABLE x RENAME TO u; END $$"
    ),
    ("a table moves to another schema", "elsewhere.t", "ALTER TABLE t SET SCHEMA elsewhere"),
  ])
  func `follow as only a server can`(_ name: String, _ table: String, _ sql: String) throws {
    try withServer(Self.first) { server in
      try server.migrator().up(to: 1)
      try server.session.execute("INSERT INTO t VALUES (5, 'own')")
      try server.add([
        "0003_names/up.sql": "SELECT 1", "0003_names/up.postgresql.sql": sql,
      ])
      try server.migrator().up()
      #expect(
        try server.rows("SELECT table_name, key FROM seedbed_left_to_user")
          == [table + #"|{"id":5}"#])
      #expect(try server.migrator().conflicts().map(\.table) == [table])
    }
  }

  private static let first = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); CREATE TABLE u (id INTEGER)",
    "0001_t/up.postgresql.sql": """
    CREATE SCHEMA elsewhere; CREATE TABLE t (id BIGINT PRIMARY KEY, n TEXT);
    CREATE TABLE u (id BIGINT)
    """,
    "0001_t/t.csv": "id,n\n1,one\n", "0002_t/t.csv": "id,n\n5,five\n",
  ]

  private func play(_ named: NamedCase) throws {
    let cluster = try #require(Cluster.shared)
    try named.run(on: PostgresTwin(cluster.newDatabase(), areDeferrable: true))
  }
}
