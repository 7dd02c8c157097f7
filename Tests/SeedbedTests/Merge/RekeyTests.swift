import Testing

@testable import Seedbed

/// Rows that get new keys, with all that refers to them.
struct RekeyTests {
  /// A database in memory on which foreign keys are enforced as in a migration.
  private struct Bench {
    let connection: Connection
    let context: MergeContext

    init(_ sql: String, enforces: Bool = true, collectsKeys: Bool = false) throws {
      connection = try Connection("", .memory, setup: nil)
      try connection.configureForWriting(foreignKeys: enforces)
      try connection.executeAll(sql)
      try connection.executeAll("BEGIN; PRAGMA defer_foreign_keys = 1")
      let run = try RunContext(
        .authored(Catalog(unread: "")), Migrator.Options(), .real, ProgressMeter(nil),
        on: connection)
      context = MergeContext(
        run: run, version: 1, mode: .release, options: MigrationOptions(),
        keyOptions: KeyOptions(), collectsKeys: collectsKeys, createdTables: [])
    }

    /// Gives the rows that a condition finds keys that are higher by 100.
    @discardableResult
    func raise(_ table: String, _ columns: [String] = ["id"], where condition: String) throws
      -> Int
    {
      let schema = try connection.schema(of: table)
      let list = schema.identity + columns.map { "\($0) + 100" }
      return try Rekey(context: context).run(
        schema, set: columns,
        to: "SELECT \(list.joined(separator: ", ")) FROM \(table) WHERE \(condition)"
      ) { try $0.run() }
    }

    func rows(_ query: String) throws -> String {
      try connection.rows(query).map { row in
        row.map { $0.text ?? $0.integer.map(String.init) ?? "-" }.joined(separator: "|")
      }.joined(separator: " ")
    }

    /// What is left behind would be the user's to wonder at.
    func finish() throws {
      try connection.execute("COMMIT")
      #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
      #expect(try connection.rows("SELECT name FROM sqlite_temp_schema").isEmpty)
      #expect(
        try connection.rows("SELECT name FROM sqlite_schema WHERE name GLOB 'seedbed:*'").isEmpty)
    }
  }

  private static let actions = ["CASCADE", "SET NULL", "SET DEFAULT", "RESTRICT", "NO ACTION"]

  @Test(arguments: actions, [true, false])
  func `a chain of composite keys follows`(_ action: String, _ enforces: Bool) throws {
    let bench = try Bench(
      """
      CREATE TABLE orders (id INTEGER PRIMARY KEY);
      CREATE TABLE lines (id INTEGER REFERENCES orders ON UPDATE \(action), n INTEGER,
        before INTEGER, PRIMARY KEY (id, n),
        FOREIGN KEY (id, before) REFERENCES lines ON UPDATE \(action)) WITHOUT ROWID;
      CREATE TABLE notes (note INTEGER PRIMARY KEY, id INTEGER, n INTEGER,
        FOREIGN KEY (id, n) REFERENCES lines ON UPDATE \(action));
      INSERT INTO orders VALUES (1), (2);
      INSERT INTO lines VALUES (1, 1, NULL), (1, 2, 1), (1, 3, 2), (2, 1, 1);
      INSERT INTO notes VALUES (7, 1, 2), (8, 2, 1), (9, NULL, 1);
      """, enforces: enforces)
    #expect(try bench.raise("orders", where: "id = 1") == 1)
    #expect(try bench.rows("SELECT * FROM orders") == "2 101")
    #expect(try bench.rows("SELECT * FROM lines") == "2|1|1 101|1|- 101|2|1 101|3|2")
    #expect(try bench.rows("SELECT * FROM notes") == "7|101|2 8|2|1 9|-|1")
    #expect(bench.context.findings.followed == ["orders", "lines", "notes"])
    try bench.finish()
  }

  @Test(arguments: actions)
  func `rows that refer to themselves and to each other follow`(_ action: String) throws {
    let bench = try Bench(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER NOT NULL DEFAULT 4
        REFERENCES t ON UPDATE \(action));
      INSERT INTO t VALUES (4, 4), (1, 1), (2, 3), (3, 2), (9, 1);
      """)
    try bench.raise("t", where: "id < 4")
    #expect(try bench.rows("SELECT * FROM t") == "4|4 9|101 101|101 102|103 103|102")
    try bench.finish()
  }

  /// SQLite counts a row twice whose key comes to be what its own reference says already.
  @Test(arguments: actions)
  func `rows that refer to themselves leave SQLite's count as it was`(_ action: String) throws {
    let bench = try Bench(
      """
      CREATE TABLE t (id TEXT PRIMARY KEY, p TEXT NOT NULL DEFAULT '9'
        REFERENCES t ON UPDATE \(action), q TEXT REFERENCES t ON UPDATE \(action));
      INSERT INTO t VALUES ('9', '9', '9'), ('1', '1', '2'), ('2', '1', '2'), ('3', '1', '3');
      """)
    try bench.raise("t", where: "id < '3'")
    #expect(try bench.rows("SELECT * FROM t") == "9|9|9 101|101|102 102|101|102 3|101|3")
    // A count below zero would let this one pass.
    try bench.connection.execute("INSERT INTO t VALUES ('4', 'nobody', NULL)")
    #expect(throws: SQLiteFailure.self) { try bench.connection.execute("COMMIT") }
    try bench.connection.execute("DELETE FROM t WHERE id = '4'")
    try bench.finish()
  }

  @Test(arguments: ["", "WITHOUT ROWID"], ["NO ACTION", "CASCADE"])
  func `a tree within a tenant follows, a ring too`(_ kind: String, _ action: String) throws {
    let bench = try Bench(
      """
      CREATE TABLE tenants (id INTEGER PRIMARY KEY);
      CREATE TABLE t (tenant INTEGER REFERENCES tenants, n INTEGER, p INTEGER, v TEXT,
        PRIMARY KEY (tenant, n), UNIQUE (tenant, v),
        FOREIGN KEY (tenant, p) REFERENCES t ON UPDATE \(action)) \(kind);
      CREATE TABLE c (id INTEGER PRIMARY KEY, tenant INTEGER, v TEXT,
        FOREIGN KEY (tenant, v) REFERENCES t (tenant, v));
      INSERT INTO tenants VALUES (1), (2);
      INSERT INTO t VALUES (1, 1, 3, 'a'), (1, 2, 1, 'b'), (1, 3, 2, 'c'), (1, 4, 4, 'd'),
        (1, 5, 4, 'e'), (2, 1, 1, 'a');
      INSERT INTO c VALUES (1, 1, 'b'), (2, 2, 'a');
      """)
    try bench.raise("tenants", where: "id = 1")
    #expect(
      try bench.rows("SELECT * FROM t ORDER BY 1, 2")
        == "2|1|1|a 101|1|3|a 101|2|1|b 101|3|2|c 101|4|4|d 101|5|4|e")
    #expect(try bench.rows("SELECT * FROM c") == "1|101|b 2|2|a")
    try bench.finish()
  }

  @Test func `where the key of a tree itself has two columns, its leaves follow`() throws {
    let bench = try Bench(
      """
      CREATE TABLE t (a INTEGER, b INTEGER, pa INTEGER, pb INTEGER, PRIMARY KEY (a, b),
        FOREIGN KEY (pa, pb) REFERENCES t ON UPDATE SET NULL) WITHOUT ROWID;
      INSERT INTO t VALUES (1, 1, NULL, NULL), (1, 2, 1, 1), (1, 3, 1, 2), (2, 1, 1, 2);
      """)
    try bench.raise("t", ["a"], where: "a = 1 AND b < 3")
    #expect(
      try bench.rows("SELECT * FROM t") == "1|3|101|2 2|1|101|2 101|1|-|- 101|2|101|1")
    try bench.finish()
  }

  @Test func `two keys of one row follow two rows`() throws {
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (a INTEGER REFERENCES p, b INTEGER REFERENCES p, PRIMARY KEY (a, b))
        WITHOUT ROWID;
      INSERT INTO p VALUES (1), (2), (3);
      INSERT INTO c VALUES (1, 2), (2, 1), (1, 1), (3, 1), (3, 3);
      """)
    try bench.raise("p", where: "id < 3")
    #expect(try bench.rows("SELECT * FROM c") == "3|3 3|101 101|101 101|102 102|101")
    try bench.finish()
  }

  @Test func `a reference to another column stays, one to that column follows`() throws {
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code INTEGER UNIQUE);
      CREATE TABLE c (id INTEGER REFERENCES p, code INTEGER REFERENCES p (code));
      INSERT INTO p VALUES (1, 10);
      INSERT INTO c VALUES (1, 10);
      """)
    try bench.raise("p", ["code"], where: "true")
    #expect(try bench.rows("SELECT * FROM c") == "1|110")
    try bench.raise("p", where: "true")
    #expect(try bench.rows("SELECT * FROM c") == "101|110")
    try bench.finish()
  }

  /// As SQLite compares them: by the parent's type and collation.
  @Test(arguments: ["", "CREATE INDEX i ON c (p);"])
  func `values of another type or case follow`(_ index: String) throws {
    let bench = try Bench(
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p TEXT REFERENCES n);
      CREATE TABLE w (id TEXT COLLATE NOCASE PRIMARY KEY);
      CREATE TABLE d (p TEXT REFERENCES w);
      INSERT INTO n VALUES (1), (2);
      INSERT INTO c VALUES ('1'), ('2');
      INSERT INTO w VALUES ('Aa'), ('Bb');
      INSERT INTO d VALUES ('aA'), ('bb');
      \(index)
      """)
    try bench.raise("n", where: "id = 1")
    #expect(try bench.rows("SELECT p, typeof(p) FROM c") == "101|text 2|text")
    _ = try Rekey(context: bench.context).run(
      bench.connection.schema(of: "w"), set: ["id"],
      to: "SELECT rowid, 'Cc' FROM w WHERE id = 'AA'"
    ) { try $0.run() }
    #expect(try bench.rows("SELECT p FROM d") == "Cc bb")
    try bench.finish()
  }

  @Test func `AUTOINCREMENT takes notice, also of an id that followed`() throws {
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY AUTOINCREMENT);
      CREATE TABLE c (id INTEGER PRIMARY KEY AUTOINCREMENT REFERENCES p);
      INSERT INTO p VALUES (1), (2);
      INSERT INTO c VALUES (1), (2);
      """)
    try bench.raise("p", where: "id = 1")
    #expect(try bench.rows("SELECT id FROM c") == "2 101")
    #expect(try bench.rows("SELECT name, seq FROM sqlite_sequence") == "p|101 c|101")
    try bench.finish()
  }

  @Test func `names that need quotes, and a column named rowid`() throws {
    let bench = try Bench(
      """
      CREATE TABLE "a ""b" (id INTEGER PRIMARY KEY, rowid TEXT);
      CREATE TABLE "🐘 c" (rowid INTEGER REFERENCES "a ""b", _rowid_ TEXT, "x y" TEXT);
      INSERT INTO "a ""b" VALUES (1, 'one');
      INSERT INTO "🐘 c" VALUES (1, 'r', 's');
      """)
    let schema = try bench.connection.schema(of: #"a "b"#)
    _ = try Rekey(context: bench.context).run(
      schema, set: ["id"], to: #"SELECT _rowid_, 5 FROM "a ""b""#
    ) { try $0.run() }
    #expect(try bench.rows(#"SELECT * FROM "🐘 c""#) == "5|r|s")
    try bench.finish()
  }

  @Test func `the keys of rows that followed are noted`() throws {
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
      CREATE TABLE c (p INTEGER REFERENCES p, n INTEGER, PRIMARY KEY (p, n)) WITHOUT ROWID;
      INSERT INTO p VALUES (1, NULL), (2, 1);
      INSERT INTO c VALUES (1, 1), (1, 2), (2, 1);
      """, collectsKeys: true)
    try bench.raise("p", where: "id = 1")
    #expect(
      bench.context.findings.changedKeys
        == ["p": [#"{"id":2}"#], "c": [#"{"p":101,"n":1}"#, #"{"p":101,"n":2}"#]])
    try bench.finish()
  }

  @Test func `a reference that SQLite computes is an error that names it`() throws {
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (a INTEGER, p INTEGER AS (a + 0) STORED REFERENCES p);
      INSERT INTO p VALUES (1), (2);
      INSERT INTO c VALUES (1);
      """)
    #expect(try bench.raise("p", where: "id = 2") == 1)
    let error = #expect(throws: SeedbedError.self) { try bench.raise("p", where: "id = 1") }
    #expect(
      error?.message == "A row of 'p' cannot get another key: rows of 'c' refer to it by the "
        + "generated column 'p'. Keep the key, or make it an ordinary column.")
  }

  @Test func `a trigger that keeps a child in silence is an error that names the table`() throws {
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p INTEGER REFERENCES p);
      CREATE TRIGGER keep BEFORE UPDATE ON c BEGIN SELECT RAISE(IGNORE); END;
      INSERT INTO p VALUES (1);
      INSERT INTO c VALUES (1);
      """)
    let error = #expect(throws: SeedbedError.self) { try bench.raise("p", where: "true") }
    #expect(error?.code == .constraint)
    #expect(
      error?.message.hasPrefix("Rows of 'c' did not take the new key of a row: a trigger") == true)
  }

  /// One look through the child for each row that moves would take minutes here.
  @Test(arguments: ["", "CREATE INDEX i ON c (p);"], ["CASCADE", "NO ACTION"])
  func `ten thousand rows with a hundred thousand children move at once`(
    _ index: String, _ action: String
  ) throws {
    let numbers = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
    let bench = try Bench(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON UPDATE \(action));
      INSERT INTO p \(numbers) 10000) SELECT i FROM n;
      INSERT INTO c \(numbers) 100000) SELECT i, i % 10000 + 1 FROM n;
      \(index)
      """)
    let rows = try withinAMinute {
      try Rekey(context: bench.context).run(
        bench.connection.schema(of: "p"), set: ["id"], to: "SELECT id, id + 10000 FROM p"
      ) { try $0.run() }
    }
    #expect(rows == 10000)
    #expect(try bench.rows("SELECT min(p), max(p), count(*) FROM c") == "10001|20000|100000")
    try bench.finish()
  }
}
