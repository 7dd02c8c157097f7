import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Whether a database that begins with a snapshot is the one that all migrations make.
struct SnapshotFidelityTests {
  /// Both databases of a catalog, asked the same.
  private func both(_ files: [String: String], _ sql: String) throws -> (long: [[Value]], [[Value]])
  {
    let bench = try Workbench(files)
    _ = try CatalogLock.write(directory: bench.catalog)
    _ = try bench.migrator().up()
    let long = try bench.rows(sql)
    try bench.forgetDatabase()
    try bench.snapshot()
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    #expect(try Snapshot.verify(directory: bench.catalog).map(\.difference) == [nil])
    return (long, try bench.rows(sql))
  }

  private static let items = """
    CREATE TABLE items (code TEXT PRIMARY KEY, name TEXT);
    INSERT INTO items VALUES ('z', 'last'), ('gone', 'gone'), ('a', 'first'), ('m', 'middle');
    DELETE FROM items WHERE code = 'gone';
    """

  @Test(arguments: [
    ("CREATE VIRTUAL TABLE found USING fts5(name)", "INSERT INTO found (rowid, name)"),
    ("CREATE TABLE found (row INTEGER, name)", "INSERT INTO found (row, name)"),
  ])
  func `what knows the rowids of a table finds the same rows`(
    making: String, filling: String
  ) throws {
    let column = making.contains("fts5") ? "rowid" : "row"
    let (long, short) = try both(
      ["0001_items/up.sql": Self.items + "\(making);\n\(filling) SELECT rowid, name FROM items;"],
      "SELECT i.code, f.name FROM found AS f JOIN items AS i ON i.rowid = f.\(column) ORDER BY 1")
    #expect(long == [["a", "first"], ["m", "middle"], ["z", "last"]])
    #expect(short == long)
  }

  @Test func `rowids stay where no CSV can say a row`() throws {
    let (long, short) = try both(
      [
        "0001_items/up.sql": Self.items + """
          CREATE VIRTUAL TABLE found USING fts5(name);
          UPDATE items SET name = CAST(x'61ff' AS TEXT) WHERE code = 'm';
          INSERT INTO items (rowid, code) VALUES (-3, 'under');
          """
      ], "SELECT rowid, code, hex(name) FROM items ORDER BY 1")
    #expect(long.map { $0[0] } == [-3, 1, 3, 4])
    #expect(short == long)
  }

  @Test func `how an index ranks is kept, and a column may be called content`() throws {
    let (long, short) = try both(
      [
        "0001_docs/up.sql": """
        CREATE VIRTUAL TABLE docs USING fts5(title, content);
        INSERT INTO docs (docs, rank) VALUES ('rank', 'bm25(10.0, 1.0)'), ('pgsz', 1000);
        INSERT INTO docs VALUES ('swift', 'a bird'), ('bird', 'swift swift');
        """
      ], "SELECT title, content FROM docs WHERE docs MATCH 'swift' ORDER BY rank")
    #expect(long.first?.first == "swift")
    #expect(short == long)
  }

  @Test func `an index that does not hold what its table does is told`() throws {
    for module in ["fts5(name, content='items')", "fts4(name, content='items')"] {
      let bench = try Workbench([
        "0001_items/up.sql": Self.items + """
          CREATE VIRTUAL TABLE found USING \(module);
          INSERT INTO found (rowid, name) SELECT rowid, name FROM items WHERE code < 'n';
          """
      ])
      let error = bench.failure { try bench.snapshot() }
      #expect(error.contains("would differ from all migrations: 'found'"))
    }
  }

  @Test func `an index without text is told, with what to do`() throws {
    let bench = try Workbench([
      "0001_items/up.sql": Self.items + """
        CREATE VIRTUAL TABLE found USING fts5(name, content='');
        INSERT INTO found (rowid, name) SELECT rowid, name FROM items;
        """
    ])
    #expect(bench.failure { try bench.snapshot() }.contains("stores no text"))
    // An empty one needs none.
    try bench.write(["0002_none/up.sql": "INSERT INTO found (found) VALUES ('delete-all');"])
    try bench.snapshot()
  }

  @Test func `tables whose names no file can have are kept`() throws {
    let (long, short) = try both(
      [
        "0001_odd/up.sql": """
        CREATE TABLE "a/b" (id INTEGER PRIMARY KEY, x);
        CREATE TABLE "t.update" (id INTEGER PRIMARY KEY, x REAL);
        CREATE TABLE ".t~" (id INTEGER PRIMARY KEY, x);
        INSERT INTO "a/b" VALUES (1, -1e-310), (2, 0.1), (3, 1e300), (4, 9007199254740993);
        INSERT INTO "t.update" VALUES (1, 0.1), (2, 5e-324), (3, -1.7976931348623157e308);
        INSERT INTO ".t~" VALUES (1, 9e999), (2, -9223372036854775808), (3, -0.0);
        """
      ],
      """
      SELECT id, x, typeof(x) FROM "a/b" UNION ALL SELECT id, x, typeof(x) FROM "t.update"
      UNION ALL SELECT id, x, typeof(x) FROM ".t~"
      """)
    #expect(long.count == 10)
    #expect(short == long)
  }

  @Test func `a value that only looks like its default is kept`() throws {
    let (long, short) = try both(
      [
        "0001_t/up.sql": """
        CREATE TABLE t (id INTEGER PRIMARY KEY, open DEFAULT 1, flag BOOLEAN DEFAULT TRUE,
          not_flag DEFAULT FALSE, sum INTEGER DEFAULT (1 + 1));
        INSERT INTO t VALUES (1, 1.0, 5, 'text', 7);
        """
      ], "SELECT typeof(open), flag, not_flag, sum FROM t")
    #expect(long == [["real", 5, "text", 7]])
    #expect(short == long)
  }

  @Test func `what SQL put in place of a clock's default is kept`() throws {
    let table = """
      CREATE TABLE posts (id INTEGER PRIMARY KEY, made TEXT DEFAULT CURRENT_DATE);
      CREATE TABLE more (id INTEGER PRIMARY KEY, made TEXT DEFAULT CURRENT_TIMESTAMP);
      INSERT INTO more (id) VALUES (1);
      """
    let (long, short) = try both(
      ["0001_posts/up.sql": table + "INSERT INTO posts VALUES (1, '2020-02-03');"],
      "SELECT made FROM posts")
    #expect(long == [["2020-02-03"]])
    #expect(short == long)
    let bench = try Workbench([
      "0001_posts/up.sql": table + """
        INSERT INTO posts VALUES (1, '2020-02-03');
        INSERT INTO posts (id) VALUES (2);
        """
    ])
    let error = bench.failure { try bench.snapshot() }
    #expect(error.contains("their own value in the column 'made', and others its DEFAULT"))
    try bench.write(["catalog.json": #"{"tables": {"posts": {"ignore": ["made"]}}}"#])
    try bench.snapshot()
  }

  @Test(arguments: [
    "INSERT INTO device VALUES (hex(randomblob(16)));", "INSERT INTO device VALUES (random());",
    "INSERT INTO device VALUES (CURRENT_DATE);",
    "INSERT INTO device SELECT strftime('%Y', 'now');",
  ])
  func `what each device has of its own is no snapshot's to give`(sql: String) throws {
    let bench = try Workbench(["0001_device/up.sql": "CREATE TABLE device (id);" + sql])
    let error = bench.failure { try bench.snapshot() }
    #expect(error.contains("'id' of 'device' from a clock or by random()"))
    #expect(try !bench.names.contains { $0.contains("snapshot") })
    try bench.write(["catalog.json": #"{"tables": {"device": {"ignore": ["id"]}}}"#])
    try bench.snapshot()
  }

  private static let shapes: [(name: String, files: [String: String], sql: String)] = [
    (
      "rings of foreign keys, and rows that refer to themselves",
      [
        "0001_a/up.sql": """
        CREATE TABLE a (id TEXT PRIMARY KEY, b INTEGER REFERENCES b, up TEXT REFERENCES a);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT REFERENCES a DEFERRABLE INITIALLY DEFERRED);
        CREATE INDEX a_b ON a (b);
        """,
        "0001_a/a.csv": "id,b,up\nz,1,z\ny,2,z\nx,,y\n", "0001_a/b.csv": "id,a\n1,z\n2,x\n",
      ], "SELECT * FROM a LEFT JOIN b ON b.id = a.b ORDER BY a.id"
    ),
    (
      "an R-tree with more columns",
      [
        "0001_r/up.sql": """
        CREATE VIRTUAL TABLE places USING rtree(id, x0, x1, +name TEXT, +seen);
        INSERT INTO places VALUES (7, 0.1, 0.7, 'a', x'00'), (9, -1e30, 1e-30, NULL, 1.5);
        """
      ], "SELECT *, typeof(seen) FROM places ORDER BY 1"
    ),
    (
      "views that take rows, computed columns, and names that are words of SQL",
      [
        "0001_v/up.sql": """
        CREATE TABLE "select" ("group" TEXT COLLATE NOCASE PRIMARY KEY, "a""b" INTEGER
          CHECK ("a""b" < "größe" OR "größe" IS NULL), "größe" ANY,
          both TEXT AS ("group" || "a""b") VIRTUAL) STRICT, WITHOUT ROWID;
        CREATE VIEW "view" AS SELECT "group" AS x FROM "select";
        CREATE TRIGGER "trigger" INSTEAD OF INSERT ON "view" BEGIN
          INSERT INTO "select" ("group", "a""b") VALUES (new.x, 1);
        END;
        CREATE UNIQUE INDEX "index" ON "select" (lower("group")) WHERE "a""b" > 0;
        INSERT INTO "view" VALUES ('by ''the'' view');
        INSERT INTO "select" VALUES ('A', 2, '3'), ('é', NULL, x'00ff'), ('n', 3, 4);
        CREATE TABLE copied AS SELECT "group", "größe" AS size, 1.0 AS one FROM "select";
        ALTER TABLE copied RENAME TO "as copied";
        ALTER TABLE "as copied" RENAME COLUMN size TO "new size";
        """
      ],
      """
      SELECT *, typeof("größe") FROM "select" UNION ALL
      SELECT rowid, *, typeof("new size") FROM "as copied"
      """
    ),
    (
      "ids that came and went, and numbers of the app's",
      [
        "0001_n/up.sql": """
        CREATE TABLE n (id INTEGER PRIMARY KEY AUTOINCREMENT, x TEXT);
        CREATE TABLE empty (id INTEGER PRIMARY KEY AUTOINCREMENT);
        INSERT INTO empty VALUES (70);
        DELETE FROM empty;
        INSERT INTO n VALUES (5, 7), (-9223372036854775808, x'37'), (9, 'a' || char(0) || 'b');
        UPDATE n SET id = 40 WHERE id = 9;
        CREATE INDEX n_x ON n (x);
        ANALYZE;
        """
      ],
      """
      SELECT id, hex(x), typeof(x) FROM n UNION ALL SELECT name, seq, '' FROM sqlite_sequence
      UNION ALL SELECT tbl, idx, stat FROM sqlite_stat1 WHERE tbl = 'n'
      """
    ),
  ]

  @Test(arguments: shapes.indices)
  func `a shape of tables comes whole`(index: Int) throws {
    let shape = Self.shapes[index]
    let (long, short) = try both(shape.files, shape.sql)
    #expect(!long.isEmpty)
    #expect(short == long, "\(shape.name)")
  }

  // MARK: the app's own tables

  private static let app = [
    "0001_a/schema.sql": """
    CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, x);
    CREATE TABLE settings (name TEXT PRIMARY KEY, value);
    """,
    "0001_a/a.csv": "id,x\n1,one\n2,two\n",
  ]

  @Test func `an app's table that SQL changes is told`() throws {
    let bench = try Workbench(
      Self.app.merging(["0002_b/up.sql": "ALTER TABLE a ADD COLUMN y;"]) { $1 })
    #expect(bench.failure { try bench.snapshot() }.contains("SQL files change 'a'"))
  }

  @Test func `what SQL writes into an app's table comes, or is done on what is there`() throws {
    let sql = """
      INSERT INTO settings VALUES ('theme', 'dark');
      UPDATE settings SET value = 'x' WHERE name = 'old';
      """
    let bench = try Workbench(Self.app.merging(["0002_b/up.sql": sql]) { $1 })
    try bench.snapshot()
    let app = try Connection(bench.database, .create, setup: nil)
    try app.executeAll(bench.text("0001_a/schema.sql"))
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    #expect(try bench.rows("SELECT * FROM settings") == [["theme", "dark"]])
    try bench.forgetDatabase()
    let other = try Connection(bench.database, .create, setup: nil)
    try other.executeAll(
      bench.text("0001_a/schema.sql") + "INSERT INTO settings VALUES ('old', 'mine');")
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [false, false])
    #expect(try bench.rows("SELECT value FROM settings ORDER BY 1") == [["dark"], ["x"]])
  }

  @Test func `what SQL would do to rows of users is done, where there are any`() throws {
    let bench = try Workbench(
      Self.app.merging(["0002_b/up.sql": "DELETE FROM settings WHERE name = 'old';"]) { $1 })
    try bench.snapshot()
    let app = try Connection(bench.database, .create, setup: nil)
    try app.executeAll(
      bench.text("0001_a/schema.sql") + "INSERT INTO settings VALUES ('old', 'mine');")
    #expect(try bench.migrator().up().migrations.count == 2)
    #expect(try bench.rows("SELECT * FROM settings") == [])
  }

  @Test func `ids that users of the app's table had do not come again`() throws {
    let bench = try Workbench(Self.app)
    try bench.snapshot()
    let app = try Connection(bench.database, .create, setup: nil)
    try app.executeAll(
      bench.text("0001_a/schema.sql")
        + "INSERT INTO a (id) VALUES (500); DELETE FROM a;")
    #expect(try bench.migrator().up().migrations.map(\.isSnapshot) == [true])
    #expect(try bench.rows("SELECT seq FROM sqlite_sequence WHERE name = 'a'") == [[500]])
  }
}
