import Testing

@testable import Seedbed

/// What the ledger knows of rows follows new names of their table and its columns, and new keys.
struct NewNamesTests {
  /// A seed's 5 that the user has, a 2 that the user changed; then everything has another name.
  private static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE);",
    "0001_t/t.csv": "id,name,code\n1,one,a\n2,two,b\n",
    "0001_t/migration.json": #"{"tables": {"t": {"ignore": ["code"]}}}"#,
    "0002_t/t.csv": "id,name,code\n5,five,e\n",
    "0002_t/t.update.csv": "id,name,was:name\n2,due,two\n",
    "0002_t/migration.json": #"{"tables": {"t": {"ignore": ["code"]}}}"#,
    "0003_n/up.sql": """
    ALTER TABLE t RENAME TO words; ALTER TABLE words RENAME COLUMN id TO nr;
    ALTER TABLE words RENAME COLUMN name TO title; ALTER TABLE words RENAME COLUMN code TO sign;
    """,
    "0003_n/down.sql": """
    ALTER TABLE words RENAME COLUMN sign TO code; ALTER TABLE words RENAME COLUMN title TO name;
    ALTER TABLE words RENAME COLUMN nr TO id; ALTER TABLE words RENAME TO t;
    """,
  ]

  private static func device(_ more: [String: String] = [:]) throws -> Device {
    let device = try Device(files.merging(more) { $1 })
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine' WHERE id = 2; INSERT INTO t VALUES (5, 'own', 'f')")
    try device.up(to: 2)
    return device
  }

  @Test(arguments: [false, true])
  func `a person settles, pins and asks as before`(_ hasLaterRows: Bool) throws {
    let device = try Self.device(
      hasLaterRows ? ["0004_w/words.update.csv": "nr,sign,was:sign\n1,A,a\n"] : [:])
    try device.migrator().pin(["id": 1], in: "t")
    try device.up()
    let migrator = try device.migrator()
    let conflicts = try migrator.conflicts()
    #expect(conflicts.map(\.table) == ["words", "words"])
    #expect(conflicts.map(\.key) == [["nr": 2], ["nr": 5]])
    #expect(conflicts[0].columns.map(\.name) == ["title"])
    #expect(conflicts[1].columns.map(\.name) == ["nr", "title", "sign"])
    for (side, two, five) in [
      (Migrator.Conflict.Side.seed, "2|due|b", "5|five|e"), (.mine, "2|mine|b", "5|own|f"),
      (.seed, "2|due|b", "5|five|e"),
    ] {
      #expect(try migrator.resolve(conflicts, with: side).refused.isEmpty)
      #expect(try device.rows("SELECT * FROM words WHERE nr > 1") == [two, five])
    }
    #expect(try migrator.userOwnedKeys().map(\.key) == [["nr": 1]])
    #expect(try migrator.origin(of: ["nr": 1], in: "words")?.isPinned == true)
    try migrator.unpin(["nr": 1], in: "words")
    try device.run("UPDATE words SET title = 'x', sign = 'y' WHERE nr = 2")
    let origin = try migrator.origin(of: ["nr": 2], in: "words")
    #expect(origin?.kind == .editedSeed && origin?.original?["title"] == "due")
    try migrator.reseed("words", keys: ["2"])
    // By the options of the last release with rows of it: that of the old name ignores the column.
    let sign = hasLaterRows ? "b" : "y"
    #expect(try device.rows("SELECT * FROM words WHERE nr = 2") == ["2|due|\(sign)"])
  }

  @Test func `plan says what up does, and leaves the ledger alone`() throws {
    let device = try Self.device([
      "0004_w/words.update.csv": "nr,title,was:title\n5,cinque,own\n1,uno,one\n",
      "0004_w/words.delete.csv": "nr,title,sign\n2,due,b\n",
    ])
    let before = try device.rows("SELECT * FROM seedbed_left_to_user")
    let plan = try device.migrator().plan()
    #expect(try device.rows("SELECT * FROM seedbed_left_to_user") == before)
    let report = try device.up()
    #expect(plan.counts == report.counts && report.counts.kept == 2)
    #expect(plan.migrations.map(\.conflictCount) == report.migrations.map(\.conflictCount))
    #expect(try device.rows("SELECT title FROM words WHERE nr = 5") == ["own"])
    try device.migrator().down(to: 2)
    #expect(try device.rows("SELECT * FROM seedbed_left_to_user") == before)
    #expect(
      try device.migrator().conflicts().filter { $0.version == 2 }.map(\.table) == ["t", "t"])
  }

  @Test func `a name still means the user's row that kept the seed's out`() throws {
    let device = try Device([
      "0001_p/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY, term TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id));
      """,
      "0001_p/p.csv": "id,term\n1,cat\n", "0002_p/p.csv": "id,term\n2,dog\n",
      "0003_n/up.sql": "ALTER TABLE p RENAME TO q; ALTER TABLE q RENAME COLUMN term TO word",
      "0004_c/c.csv": "id,p:q.word\n1,cat\n2,dog\n",
    ])
    try device.up(to: 1)
    try device.run("INSERT INTO p VALUES (9, 'dog')")
    let report = try device.up()
    #expect(report.migrations.flatMap(\.conflicts).map(\.kind) == [.uniqueTaken, .parentDeleted])
    #expect(try device.rows("SELECT * FROM c") == ["1|1"])
  }

  @Test func `what the log holds that nobody can read stays`() throws {
    let device = try Self.device()
    try device.run("UPDATE seedbed_conflicts SET mine = '{', base = NULL")
    try device.up()
    #expect(
      try device.rows("SELECT DISTINCT table_name, mine FROM seedbed_conflicts") == ["words|{"])
  }

  @Test func `on a handle of the app's, too`() throws {
    let device = try Self.device([
      "0004_w/words.csv": "sign,nr,title\ng,7,seven\n",
      "0004_w/words.update.csv": "sign,title,was:title\ne,cinque,five\n",
      "0004_w/migration.json": #"{"tables": {"words": {"key": ["sign"]}}}"#,
    ])
    let app = try AppHandle(device.database)
    let migrator = try LentHandleTests.lent(device)
    try app.run("BEGIN IMMEDIATE")
    for version: Migrator.Version in [3, 4] {
      _ = try migrator.applyIfPending(version, on: app.handle)
    }
    try app.run("COMMIT")
    #expect(
      try device.rows("SELECT table_name, key FROM seedbed_left_to_user")
        == [#"words|{"sign":"e"}"#])
    #expect(try device.rows("SELECT title FROM words WHERE nr IN (5, 7)") == ["own", "seven"])
  }

  @Test func `a row that is pinned and gone is known by the catalog`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT UNIQUE, n TEXT);",
      "0001_t/t.csv": "id,s,n\n1,a,one\n5,e,five\n",
    ])
    try device.up()
    try device.migrator().pin(["id": 5], in: "t")
    try device.run("DELETE FROM t WHERE id = 5")
    try device.write([
      "0002_t/t.update.csv": "s,n,was:n\na,uno,one\n",
      "0002_t/migration.json": #"{"tables": {"t": {"key": ["s"]}}}"#,
    ])
    try device.up()
    #expect(try device.rows("SELECT key FROM seedbed_left_to_user") == [#"{"s":"e"}"#])
  }

  /// No earlier file filled another column, whatever the table was called then.
  @Test(arguments: [
    ["0002_u/up.sql": "ALTER TABLE t RENAME TO u;", "0002_u/u.delete.csv": "id\n2\n"],
    ["0002_u/after.sql": "ALTER TABLE t RENAME TO u;", "0002_u/t.delete.csv": "id\n2\n"],
    [
      "0002_u/t.delete.csv": "id\n2\n", "0002_u/t.csv": "id,note\n3,of this release\n",
      "0003_u/up.sql": "ALTER TABLE t RENAME TO u;",
    ],
  ])
  func `a key is still the whole row`(_ files: [String: String]) throws {
    let first = [
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT);",
      "0001_t/t.csv": "id\n1\n2\n",
    ]
    let device = try Device(first.merging(files) { $1 })
    try device.up()
    #expect(try device.rows("SELECT id FROM u WHERE id < 3") == ["1"])
  }
}
