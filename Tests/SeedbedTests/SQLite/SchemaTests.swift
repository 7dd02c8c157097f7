import Testing

@testable import Seedbed

@Suite struct SchemaTests {
  private let connection: Connection

  init() throws { connection = try Connection(":memory:", .memory, setup: nil) }

  private func schema(_ sql: String, of name: String = "t") throws -> TableSchema {
    try connection.executeAll(sql)
    return try connection.schema(of: name)
  }

  @Test func `columns are read as the schema spells them`() throws {
    let table = try schema(
      """
      CREATE TABLE t (
        Id INTEGER PRIMARY KEY, "na""me" VARCHAR(10) NOT NULL COLLATE NOCASE DEFAULT 'x''y',
        größe, up TEXT AS (upper("na""me")), low TEXT AS (lower("na""me")) STORED,
        "select" REAL DEFAULT (1 + 2))
      """)
    #expect(table.columns.map(\.name) == ["Id", "na\"me", "größe", "up", "low", "select"])
    #expect(
      table.columns.map(\.declaredType) == ["INTEGER", "VARCHAR(10)", "", "TEXT", "TEXT", "REAL"])
    #expect(table.columns.map(\.isNotNull) == [false, true, false, false, false, false])
    #expect(table.columns.map(\.defaultSQL) == [nil, "'x''y'", nil, nil, nil, "1 + 2"])
    #expect(table.columns.map(\.primaryKeyPosition) == [1, 0, 0, 0, 0, 0])
    #expect(table.columns.map(\.generated) == [.no, .no, .no, .virtual, .stored, .no])
    #expect(
      table.columns.map(\.collation)
        == ["BINARY", "NOCASE", "BINARY", "BINARY", "BINARY", "BINARY"])
    #expect(!table.isStrict && !table.isWithoutRowid)
  }

  @Test(arguments: [
    ("none", "'none'"), ("\"it's\"", "'it''s'"), ("[a b]", "'a b'"), ("`x`", "'x'"),
    ("'text'", "'text'"), ("NULL", "NULL"), ("true", "true"), ("12", "12"), ("x'00'", "x'00'"),
    ("current_timestamp", "current_timestamp"), ("(5 -- five\n)", "5 -- five\n"),
    ("(1 + random())", "1 + random()"),
  ])
  func `a DEFAULT is read as an expression`(_ clause: String, _ expression: String) throws {
    let table = try schema("CREATE TABLE t (a, b DEFAULT \(clause))")
    #expect(table.columns[1].defaultSQL == expression)
    try connection.execute("INSERT INTO t (a) VALUES (1)")
    guard try connection.constantDefault(of: table.columns[1]) != nil else { return }
    #expect(try connection.value("SELECT b IS (\(expression)) FROM t") == 1)
  }

  @Test func `names are found without regard to ASCII case`() throws {
    let table = try schema("CREATE TABLE t (Name, Größe)")
    #expect(table.column("nAME")?.name == "Name")
    #expect(table.column("größe")?.name == "Größe")
    #expect(table.column("GRÖSSE") == nil)
    // Only ASCII letters are folded, as in SQLite itself.
    #expect(table.column("GRÖßE") == nil)
    #expect(table.column("nam") == nil)
  }

  @Test(
    arguments: [
      ("CREATE TABLE t (a INTEGER PRIMARY KEY, b)", ["a"], "a", false),
      ("CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b)", ["a"], "a", false),
      ("CREATE TABLE t (a INTEGER, b, PRIMARY KEY (a))", ["a"], "a", false),
      // SQLite's old slip: a column constraint with DESC is no alias of the rowid.
      ("CREATE TABLE t (a INTEGER PRIMARY KEY DESC, b)", ["a"], nil, false),
      ("CREATE TABLE t (a INT PRIMARY KEY, b)", ["a"], nil, false),
      ("CREATE TABLE t (a TEXT PRIMARY KEY, b)", ["a"], nil, false),
      ("CREATE TABLE t (a, b, PRIMARY KEY (b, a))", ["b", "a"], nil, false),
      ("CREATE TABLE t (a INTEGER PRIMARY KEY, b) WITHOUT ROWID", ["a"], nil, true),
      ("CREATE TABLE t (a INTEGER PRIMARY KEY, b ANY) STRICT", ["a"], "a", false),
      ("CREATE TABLE t (a, b)", [], nil, false),
    ] as [(String, [String], String?, Bool)])
  func `the primary key of`(_ sql: String, _ key: [String], _ alias: String?, _ without: Bool)
    throws
  {
    let table = try schema(sql)
    #expect(table.primaryKey.map(\.name) == key)
    #expect(table.rowidAlias?.name == alias)
    #expect(table.isWithoutRowid == without)
    #expect(table.isStrict == sql.hasSuffix("STRICT"))
    #expect(table.rowidName == (without ? nil : "rowid"))
  }

  @Test(
    arguments: [
      ("CREATE TABLE t (a)", "rowid"), ("CREATE TABLE t (RowID)", "_rowid_"),
      ("CREATE TABLE t (rowid, _rowid_)", "oid"), ("CREATE TABLE t (rowid, _rowid_, oid)", nil),
    ] as [(String, String?)])
  func `the rowid has a name that no column took`(_ sql: String, _ name: String?) throws {
    #expect(try schema(sql).rowidName == name)
  }

  @Test func `indexes are read with their columns and collations`() throws {
    let table = try schema(
      """
      CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT UNIQUE, c, d);
      CREATE INDEX plain ON t (c, d COLLATE NOCASE);
      CREATE UNIQUE INDEX partial ON t (d) WHERE c IS NOT NULL;
      CREATE INDEX "an ""expression"" i" ON t (lower(c), d);
      """)
    func index(_ name: String) -> IndexSchema? { table.indexes.first { $0.name == name } }
    #expect(
      index("plain")
        == IndexSchema(
          name: "plain", isUnique: false, origin: "c", isPartial: false, columns: ["c", "d"],
          collations: ["BINARY", "NOCASE"]))
    #expect(index("plain")?.isPlain == true)
    #expect(index("partial")?.isPartial == true)
    #expect(index("partial")?.isUnique == true)
    #expect(index("partial")?.isPlain == false)
    #expect(index("an \"expression\" i")?.columns == [nil, "d"])
    #expect(index("an \"expression\" i")?.isPlain == false)
    #expect(table.indexes.filter { $0.origin == "pk" }.map(\.columns) == [["a"]])
    #expect(table.indexes.filter { $0.origin == "u" }.map(\.columns) == [["b"]])
  }

  @Test func `foreign keys are read as declared`() throws {
    let table = try schema(
      """
      CREATE TABLE t (
        a REFERENCES Parent, b REFERENCES "other ""table"" " (x),
        c, d, FOREIGN KEY (c, d) REFERENCES pair (y, z) ON DELETE CASCADE)
      """)
    let keys = table.foreignKeys.sorted { $0.childColumns[0] < $1.childColumns[0] }
    #expect(keys.map(\.parent) == ["Parent", "other \"table\" ", "pair"])
    #expect(keys.map(\.childColumns) == [["a"], ["b"], ["c", "d"]])
    #expect(keys.map(\.parentColumns) == [[], ["x"], ["y", "z"]])
  }

  @Test func `a name says what stands under it`() throws {
    try connection.executeAll(
      """
      CREATE TABLE Plain (a); CREATE VIEW Look AS SELECT 1; CREATE TABLE "größe 'x' ""y"" z" (a);
      CREATE VIRTUAL TABLE Search USING fts5(a); CREATE TEMP TABLE hidden (a);
      """)
    #expect(try connection.object(named: "pLAIN")?.name == "Plain")
    let found = try ["plain", "look", "search", "search_data", "größe 'x' \"y\" z"].map {
      try connection.object(named: $0)?.kind
    }
    #expect(found == [.table, .view, .virtual, .shadow, .table])
    #expect(try connection.object(named: "hidden") == nil)
    #expect(try connection.object(named: "missing") == nil)
    #expect(try connection.tableNames() == ["Plain", "Search", "größe 'x' \"y\" z"])
  }

  @Test func `an index or a trigger is no table`() throws {
    try connection.executeAll(
      """
      CREATE TABLE t (a); CREATE INDEX i ON t (a);
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END;
      """)
    #expect(try connection.object(named: "i") == nil)
    #expect(try connection.object(named: "g") == nil)
  }

  /// SQLite keeps the table's name as the trigger spells it.
  @Test func `a trigger is found however it spells its table`() throws {
    try connection.executeAll(
      """
      CREATE TABLE Words (a); CREATE TABLE other (a);
      CREATE TRIGGER g BEFORE INSERT ON WORDS BEGIN SELECT RAISE(IGNORE); END;
      CREATE TRIGGER h AFTER DELETE ON other BEGIN SELECT 1; END;
      """)
    #expect(try connection.triggers(of: "Words").map(\.name) == ["g"])
  }

  @Test func `a rebuilt table is not a new one`() throws {
    try connection.executeAll("CREATE TABLE a (x); CREATE TABLE b (x)")
    let before = try connection.tableNumbers()
    try connection.executeAll(
      """
      CREATE TABLE Fresh (x);
      CREATE TABLE a2 (x, y); INSERT INTO a2 (x) SELECT x FROM a; DROP TABLE a;
      ALTER TABLE a2 RENAME TO a; ALTER TABLE b RENAME TO c;
      """)
    #expect(try connection.createdTables(since: before) == ["fresh"])
  }
}
