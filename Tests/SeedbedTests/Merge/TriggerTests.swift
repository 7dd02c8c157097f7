import Testing

@testable import Seedbed

/// Triggers that an app has on a table which Seedbed fills.
struct TriggerTests {
  static let table = """
    CREATE TABLE IF NOT EXISTS t (a INTEGER PRIMARY KEY, v TEXT UNIQUE);
    CREATE TABLE IF NOT EXISTS log (what TEXT, a INTEGER);
    """
  static let csv = "a,v\n1,x\n2,y\n3,z\n"

  struct Case: CustomTestStringConvertible {
    var name: String
    var triggers: String
    var mine = ""
    var policy: Migrator.CollisionPolicy?
    var counts: String
    var log: [String]

    var testDescription: String { name }
  }

  static func log(_ name: String, _ event: String, when: String = "") -> String {
    let row = event.contains("DELETE") ? "old" : "new"
    return """
      CREATE TRIGGER "\(name)" \(event) ON t \(when)
      BEGIN INSERT INTO log VALUES ('\(name)', \(row).a); END;
      """
  }

  static let cases = [
    Case(
      name: "a sync queue gets every row once", triggers: log("new", "AFTER INSERT"),
      counts: "+3 ~0 -0 =0 kept 0", log: ["new|1", "new|2", "new|3"]),
    Case(
      name: "a trigger that looks at seedbed_applying gets none",
      triggers: log(
        "new", "AFTER INSERT", when: "WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying)"),
      counts: "+3 ~0 -0 =0 kept 0", log: []),
    Case(
      name: "rows that stay do not fire, those that go in do",
      triggers: log("before", "BEFORE INSERT") + log("after", "AFTER INSERT")
        + log("change", "AFTER UPDATE") + log("gone", "AFTER DELETE"),
      mine: "(1, 'x'), (2, 'mine')", counts: "+1 ~0 -0 =1 kept 1", log: ["before|3", "after|3"]),
    Case(
      name: "looking for the holder of a UNIQUE value fires nothing",
      triggers: log("before", "BEFORE INSERT") + log("change", "BEFORE UPDATE"),
      mine: "(8, 'x'), (9, 'y')", counts: "+1 ~0 -0 =0 kept 2", log: ["before|3"]),
    Case(
      name: "an update by replaceUser fires", triggers: log("change", "AFTER UPDATE OF v"),
      mine: "(2, 'mine')", policy: .replaceUser, counts: "+2 ~1 -0 =0 kept 0", log: ["change|2"]),
    Case(
      name: "an app that forbids to change rows does not stand in the way of keeping them",
      triggers: """
        CREATE TRIGGER guard BEFORE UPDATE ON t BEGIN SELECT RAISE(ABORT, 'rows are for good'); END;
        """,
      mine: "(2, 'mine'), (9, 'z')", counts: "+1 ~0 -0 =0 kept 2", log: []),
    Case(
      name: "an app that ignores changes does not either",
      triggers: "CREATE TRIGGER guard BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END;",
      mine: "(2, 'mine'), (9, 'z')", counts: "+1 ~0 -0 =0 kept 2", log: []),
    Case(
      name: "a trigger that rewrites the row",
      triggers: """
        CREATE TRIGGER up AFTER INSERT ON t BEGIN UPDATE t SET v = upper(v) WHERE a = new.a; END;
        """, counts: "+3 ~0 -0 =0 kept 0", log: []),
  ]

  @Test(arguments: cases)
  func `triggers on a seeded table`(_ example: Case) throws {
    let device = try Device(
      ["0001_ledger/up.sql": "SELECT 1;", "0002_t/t.csv": Self.csv], app: Self.table)
    // The ledger is there from the first migration, as it is when an app's triggers name it.
    try device.up(to: 1)
    if !example.mine.isEmpty { try device.run("INSERT INTO t VALUES \(example.mine)") }
    try device.run(example.triggers)
    #expect(try device.up(onTaken: example.policy).lines == ["2 t " + example.counts])
    #expect(try device.rows("SELECT * FROM log ORDER BY rowid") == example.log)
  }

  @Test func `tables that triggers wrote are reported as touched`() throws {
    let device = try Device(["0001_t/t.csv": Self.csv], app: Self.table)
    try device.run(Self.log("new", "AFTER INSERT"))
    #expect(try device.up().touchedTables == ["log", "t"])
  }

  struct Swallow: CustomTestStringConvertible {
    var name: String
    var trigger: String
    var mine = ""
    var policy: Migrator.CollisionPolicy?
    var line: Int

    var testDescription: String { name }
  }

  static let swallows = [
    Swallow(
      name: "one row", trigger: "BEFORE INSERT ON t WHEN new.a = 2 BEGIN SELECT RAISE(IGNORE); END",
      line: 3),
    Swallow(
      name: "every row", trigger: "BEFORE INSERT ON t BEGIN SELECT RAISE(IGNORE); END", line: 2),
    Swallow(
      name: "a row beside a conflict",
      trigger: "BEFORE INSERT ON t WHEN new.a = 3 BEGIN SELECT RAISE(IGNORE); END",
      mine: "(1, 'mine')", line: 4),
    Swallow(
      name: "a change by replaceUser",
      trigger: "BEFORE UPDATE ON t BEGIN SELECT RAISE(IGNORE); END", mine: "(2, 'mine')",
      policy: .replaceUser, line: 3),
  ]

  @Test(arguments: swallows)
  func `a trigger that swallows is named:`(_ example: Swallow) throws {
    let device = try Device(["0001_t/t.csv": Self.csv], app: Self.table)
    if !example.mine.isEmpty { try device.run("INSERT INTO t VALUES \(example.mine)") }
    try device.run("CREATE TRIGGER other AFTER DELETE ON t BEGIN SELECT 1; END")
    try device.run("CREATE TRIGGER picky \(example.trigger)")
    let before = try device.dump()
    let error = try device.failure(onTaken: example.policy)
    #expect(error.code == .constraint)
    #expect(
      error.description == """
        0001_t/t.csv:\(example.line): The trigger 'picky' of the table 't' ignored this row \
        without an error (RAISE(IGNORE)). Let it pass while Seedbed applies: WHEN NOT EXISTS \
        (SELECT 1 FROM seedbed_applying).
        """)
    #expect(try device.dump() == before)
  }

  static let ignoring = "BEGIN SELECT RAISE(IGNORE); END"

  /// Each case: the triggers, a file that meets them, and who did it.
  static let culprits: [(triggers: [String], file: String, who: String)] = [
    (
      ["del BEFORE DELETE ON t", "upd BEFORE UPDATE ON t"], "t.update.csv",
      "The trigger 'upd' of the table 't'"
    ),
    (
      ["upd BEFORE UPDATE ON t", "\"AFTER\" DELETE ON t"], "t.delete.csv",
      "The trigger 'AFTER' of the table 't'"
    ),
    (
      ["late AFTER UPDATE ON t", "soon UPDATE OF v ON t"], "t.update.csv",
      "The trigger 'soon' of the table 't'"
    ),
    (
      ["a BEFORE UPDATE ON t", "b BEFORE UPDATE OF v ON t"], "t.update.csv",
      "A trigger of the table 't' ('a' or 'b')"
    ),
  ]

  @Test(arguments: culprits.indices)
  func `the trigger is named that met the change`(_ index: Int) throws {
    let example = Self.culprits[index]
    let files = ["t.update.csv": "a,v,was:v\n1,X,x\n", "t.delete.csv": "a,v\n1,x\n"]
    let device = try Device([
      "0001_t/up.sql": Self.table, "0001_t/t.csv": Self.csv,
      "0002_t/\(example.file)": files[example.file] ?? "",
    ])
    try device.up(to: 1)
    for trigger in example.triggers { try device.run("CREATE TRIGGER \(trigger) \(Self.ignoring)") }
    let error = try device.failure()
    #expect(
      error.description.hasPrefix("0002_t/\(example.file):2: \(example.who) ignored this row"))
  }

  @Test func `a trigger that writes the row itself is no reason to name another`() throws {
    let device = try Device([
      "0001_t/up.sql": Self.table, "0001_t/t.csv": Self.csv,
      "0002_t/t.update.csv": "a,v,was:v\n1,X,x\n", "0002_t/t.csv": "a,v\n9,z\n",
    ])
    try device.up(to: 1)
    try device.run(
      """
      CREATE TRIGGER own BEFORE UPDATE ON t
      BEGIN UPDATE t SET v = NEW.v WHERE a = OLD.a; SELECT RAISE(IGNORE); END
      """)
    let error = try device.failure()
    #expect(
      error.description.hasPrefix(
        "0002_t/t.update.csv: The trigger 'own' of the table 't' wrote a row of this file itself, "
          + "so Seedbed cannot count its own. Let it pass while Seedbed applies: "), "\(error)")
  }

  static let search = """
    CREATE TABLE IF NOT EXISTS docs (id INTEGER PRIMARY KEY, body TEXT);
    CREATE VIRTUAL TABLE IF NOT EXISTS search USING fts5 (
      body, content = 'docs', content_rowid = 'id');
    CREATE TRIGGER IF NOT EXISTS docs_new AFTER INSERT ON docs
    BEGIN INSERT INTO search (rowid, body) VALUES (new.id, new.body); END;
    CREATE TRIGGER IF NOT EXISTS docs_gone AFTER DELETE ON docs
    BEGIN INSERT INTO search (search, rowid, body) VALUES ('delete', old.id, old.body); END;
    CREATE TRIGGER IF NOT EXISTS docs_change AFTER UPDATE ON docs
    BEGIN
      INSERT INTO search (search, rowid, body) VALUES ('delete', old.id, old.body);
      INSERT INTO search (rowid, body) VALUES (new.id, new.body);
    END;
    """
  static let found = "SELECT rowid FROM search WHERE search MATCH 'seed' ORDER BY rowid"
  static let sound = "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)"

  @Test(arguments: [true, false])
  func `an external-content search index follows`(_ isMadeByMigration: Bool) throws {
    var files = ["0001_docs/docs.csv": "id,body\n1,a seed\n2,a weed\n3,seed again\n"]
    if isMadeByMigration { files["0001_docs/up.sql"] = Self.search }
    let device = try Device(files, app: isMadeByMigration ? nil : Self.search)
    let report = try device.up()
    #expect(report.lines == ["1 docs +3 ~0 -0 =0 kept 0"])
    #expect(report.touchedTables.contains("docs"))
    #expect(report.touchedTables.contains("search"))
    #expect(try device.rows(Self.found) == ["1", "3"])
    try device.run(Self.sound)
  }

  @Test func `a search index follows replaceUser`() throws {
    let device = try Device(
      ["0001_docs/docs.csv": "id,body\n1,a seed\n2,a weed\n"], app: Self.search)
    try device.run("INSERT INTO docs VALUES (1, 'mine'), (2, 'a seed of mine')")
    try device.up(onTaken: .replaceUser)
    #expect(try device.rows(Self.found) == ["1"])
    try device.run(Self.sound)
  }

  @Test func `search tables of the older kind and R-trees follow too`() throws {
    let device = try Device([
      "0001_docs/up.sql": """
      CREATE TABLE docs (id INTEGER PRIMARY KEY, body TEXT, x REAL);
      CREATE VIRTUAL TABLE search USING fts4 (content="docs", body);
      CREATE VIRTUAL TABLE places USING rtree (id, low, high);
      CREATE TRIGGER docs_new AFTER INSERT ON docs
      BEGIN
        INSERT INTO search (docid, body) VALUES (new.id, new.body);
        INSERT INTO places VALUES (new.id, new.x, new.x);
      END;
      """,
      "0001_docs/docs.csv": "id,body,x\n1,a seed,1.5\n2,a weed,2.5\n",
      "0001_docs/verify.sql": """
      SELECT docid FROM search WHERE search MATCH 'nothing';
      SELECT id FROM places WHERE low > 3;
      """,
    ])
    try device.up()
    #expect(try device.rows("SELECT docid FROM search WHERE search MATCH 'seed'") == ["1"])
    #expect(try device.rows("SELECT id FROM places WHERE low > 2") == ["2"])
  }

  @Test func `a search index may be built in up.sql and after.sql, and asked in verify.sql`() throws
  {
    let device = try Device([
      "0001_docs/up.sql": """
      CREATE TABLE docs (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE search USING fts5 (
      body, content = 'docs', content_rowid = 'id');
      """,
      "0001_docs/docs.csv": "id,body\n1,a seed\n2,a weed\n",
      "0001_docs/after.sql": """
      INSERT INTO search (search) VALUES ('rebuild');
      INSERT INTO search (search) VALUES ('optimize');
      """,
      "0001_docs/verify.sql": "SELECT rowid FROM search WHERE search MATCH 'nothing';",
    ])
    try device.up()
    #expect(try device.rows(Self.found) == ["1"])
    try device.run(Self.sound)
  }
}
