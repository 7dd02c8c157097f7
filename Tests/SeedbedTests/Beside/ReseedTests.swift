import TestSupport
import Testing

@testable import Seedbed

/// Seed rows come back as the catalog has them, whatever users did to them.
struct ReseedTests {
  private static func story(user: String) throws -> Device {
    let device = try Releases.atFirst(user: user)
    try device.up()
    return device
  }

  @Test func `deleted, edited and lost rows come back, and columns of the user stay`() throws {
    let device = try Self.story(
      user: """
        UPDATE elements SET favourite = 1, name = 'Mine' WHERE number = 1;
        DELETE FROM elements WHERE number = 2; UPDATE elements SET low = 4.5 WHERE number = 3;
        """)
    let report = try device.migrator().reseed("Elements", keys: ["1", "2", "20"])
    #expect([report.counts.inserted, report.counts.updated, report.counts.unchanged] == [1, 1, 1])
    #expect(report.changedKeys == ["{\"number\":1}", "{\"number\":2}"])
    #expect(report.backup?.isVerified == true)
    #expect(report.touchedTables == ["elements"])
    #expect(
      try device.rows("SELECT number, symbol, name, low, favourite FROM elements WHERE number < 4")
        == ["1|D|Deuterium|3.0|1", "2|He|Helion|4.0|0", "3|Li|Lithium|4.5|0"])
    #expect(try device.migrator().reseed("elements").counts.unchanged == 4)
  }

  @Test func `rows come back where a row of the user already refers to a missing one`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t, word TEXT);
      """,
      "0001_t/t.csv": "id,up,word\n1,,one\n2,1,two\n",
    ])
    try device.up()
    // Without enforcement, as the sqlite3 tool works by itself.
    try device.run(
      """
      PRAGMA foreign_keys = OFF;
      INSERT INTO t VALUES (50, 99, 'dangling'); DELETE FROM t WHERE id = 1;
      UPDATE t SET word = 'zwei' WHERE id = 2;
      """)
    let report = try device.migrator().reseed("t")
    #expect([report.counts.inserted, report.counts.updated] == [1, 1])
    #expect(
      try device.rows("SELECT * FROM t ORDER BY id") == ["1|NULL|one", "2|1|two", "50|99|dangling"])
    try device.run("PRAGMA foreign_keys = OFF; DELETE FROM t WHERE id = 50")
  }

  @Test func `rows come back where the catalog's own rows disagree under a policy fail`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"onEdited": "fail", "onTaken": "fail"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);",
      "0001_t/t.csv": "id,a\n1,x\n2,y\n",
      "0002_t/up.sql": "UPDATE t SET a = 'by SQL' WHERE id = 1;",
      "0003_t/t.update.csv": "id,a,was:a\n1,X,x\n",
      "0004_t/t.csv": "id,a\n3,y\n",
    ])
    let error = try device.failure()
    #expect(error.code == .conflict && error.message.contains("onEdited is 'fail'"), "\(error)")
    device.options.policies = .init(onEdited: .keepEdits, onTaken: .keepUser)
    try device.migrator().up()
    #expect(try device.rows("SELECT * FROM t") == ["1|by SQL", "2|y"])
    device.options.policies = .init()
    try device.run("UPDATE t SET a = 'mine' WHERE id = 2")
    let report = try device.migrator().reseed("t")
    #expect(report.changedKeys == [#"{"id":1}"#, #"{"id":2}"#])
    #expect(try device.rows("SELECT * FROM t") == ["1|X", "2|y"])
  }

  @Test func `rows come back where the catalog ships one without its parent`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t);
      """,
      "0001_t/t.csv": "id,a\n1,x\n", "0002_c/c.csv": "id,t\n7,1\n8,9\n",
    ])
    try device.up(to: 1)
    // As if the user had deleted row 9.
    #expect(try device.up().migrations[0].conflicts.map(\.kind) == [.parentDeleted])
    try device.run("DELETE FROM c; UPDATE t SET a = 'mine'")
    #expect(try device.migrator().reseed("t").counts.updated == 1)
    #expect(try device.migrator().reseed("c").counts.inserted == 1)
    #expect(try device.rows("SELECT id FROM c") == ["7"])
  }

  @Test func `in a table that was made again the seed's ids stay the seed's`() throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);"
    let device = try Device([
      "0001_t/migration.json": #"{"tables": {"t": {"reserve": 1000}}}"#,
      "0001_t/up.sql": table, "0001_t/t.csv": "id,name\n1,one\n2,two\n",
    ])
    try device.up()
    try device.run("DROP TABLE t; \(table)")
    #expect(try device.migrator().reseed("t").counts.inserted == 2)
    try device.run("INSERT INTO t (name) VALUES ('mine')")
    #expect(try device.rows("SELECT id FROM t") == ["1", "2", "1001"])
  }

  @Test func `a column that is called like an old value comes back, too`() throws {
    let device = try Device([
      "0001_t/up.sql": #"CREATE TABLE t (id INTEGER PRIMARY KEY, "was:id" TEXT);"#,
      "0001_t/t.csv": "id,was:id\n1,one\n",
    ])
    try device.up()
    try device.run(#"UPDATE t SET "was:id" = 'mine'"#)
    #expect(try device.migrator().reseed("t").counts.updated == 1)
    #expect(try device.rows("SELECT * FROM t") == ["1|one"])
  }

  @Test func `rows whose parents the catalog no longer knows by name do not come back`() throws {
    let device = try Device([
      "0001_t/migration.json": #"{"tables": {"p": {"key": ["code"]}}}"#,
      "0001_t/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);
      CREATE UNIQUE INDEX by_code ON p (code);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p, n TEXT);
      """,
      "0001_t/p.csv": "code\nx\n", "0001_t/c.csv": "id,p,n\n1,1,one\n",
      "0002_t/up.sql": "DROP INDEX by_code; ALTER TABLE p DROP COLUMN code;",
      "0003_t/c.update.csv": "id,n,was:n\n1,uno,one\n",
    ])
    try device.up()
    try device.run("DELETE FROM c")
    let error = #expect(throws: SeedbedError.self) { try device.migrator().reseed("c") }
    #expect(error?.message.contains("'code'") == true, "\(error?.message ?? "")")
    #expect(try device.rows("SELECT * FROM c") == [])
  }

  @Test func `a row that was left to the user is the seed's again`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
      "0001_t/t.csv": "id,word\n1,one\n2,two\n",
      "0002_t/t.csv": "id,word\n3,three\n",
      "0003_t/t.update.csv": "id,word,was:word\n3,drei,three\n",
    ])
    try device.up(to: 1)
    try device.run("INSERT INTO t VALUES (3, 'mine')")
    try device.up(to: 2, onTaken: .keepUser)
    #expect(try device.leftToUser() == [#"2|t|{"id":3}"#])
    // Who wants all seeds back does not ask for the user's own rows to go.
    let all = try device.migrator().reseed("t")
    #expect([all.counts.kept, all.counts.unchanged, all.counts.updated] == [1, 2, 0])
    #expect(try device.rows("SELECT word FROM t WHERE id = 3") == ["mine"])
    #expect(try device.leftToUser() == [#"2|t|{"id":3}"#])
    let report = try device.migrator().reseed("t", keys: ["3"])
    #expect(report.replacedKeys == [#"{"id":3}"#])
    // As at the version of the database, not at the catalog's last.
    #expect(report.version == 2)
    #expect(try device.rows("SELECT word FROM t WHERE id = 3") == ["three"])
    #expect(try device.leftToUser() == [])
    try device.up()
    #expect(try device.rows("SELECT word FROM t WHERE id = 3") == ["drei"])
  }

  @Test func `a row that the user deleted is the seed's again`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT);",
      "0001_t/t.csv": "id,word\n1,one\n",
      "0002_t/t.update.csv": "id,word,was:word\n1,eins,one\n",
      "0003_t/t.update.csv": "id,word,was:word\n1,un,eins\n",
    ])
    try device.up(to: 1)
    try device.run("DELETE FROM t")
    try device.up(to: 2)
    #expect(try device.leftToUser() == [#"2|t|{"id":1}"#])
    let report = try device.migrator().reseed("t")
    #expect(report.counts.inserted == 1 && report.replacedKeys == [])
    #expect(try device.leftToUser() == [])
    try device.up()
    #expect(try device.rows("SELECT word FROM t") == ["un"])
  }

  @Test func `rows that the database numbers are found by their names`() throws {
    let device = try Device(
      [
        "catalog.json": """
        {"tables": {"words": {"key": ["word"]}, "senses": {"key": ["word_id", "place"]}}}
        """,
        "0001_t/up.sql": """
        CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE);
        CREATE TABLE senses (id INTEGER PRIMARY KEY, word_id INTEGER NOT NULL REFERENCES words (id),
          place INTEGER NOT NULL, text TEXT, UNIQUE (word_id, place));
        """,
        "0001_t/words.csv": "word\nrun\nset\n\"a,b\"\n",
        "0001_t/senses.csv":
          "word_id:words.word,place,text\nrun,1,move\nset,1,put\nset,2,group\n",
      ], app: "CREATE TABLE other (a)")
    try device.run(
      """
      CREATE TABLE words (id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE);
      INSERT INTO words VALUES (70, 'mine'); DROP TABLE words;
      INSERT INTO sqlite_sequence VALUES ('words', 70)
      """)
    try device.up()
    #expect(try device.rows("SELECT id FROM words") == ["71", "72", "73"])
    try device.run("DELETE FROM senses; UPDATE words SET word = 'ab' WHERE id = 73")
    let words = try device.migrator().reseed("words", keys: ["a,b".quotedForKey])
    #expect(words.counts.inserted == 1)
    let set = try device.rows("SELECT id FROM words WHERE word = 'set'")[0]
    let senses = try device.migrator().reseed("senses")
    #expect(senses.counts.inserted == 3)
    #expect(
      try device.rows("SELECT place, text FROM senses WHERE word_id = \(set) ORDER BY place")
        == ["1|put", "2|group"])
    try device.run("DELETE FROM senses; DELETE FROM words WHERE word = 'set'")
    let error = #expect(throws: SeedbedError.self) { try device.migrator().reseed("senses") }
    #expect(error?.remedies == [.reseed("words", key: "set")])
    #expect(try device.rows("SELECT count(*) FROM senses") == ["0"])
  }

  @Test func `what cannot be is an error, and nothing is changed`() throws {
    let device = try Self.story(
      user: """
        DELETE FROM isotopes; DELETE FROM elements WHERE number IN (1, 2);
        INSERT INTO elements (number, symbol) VALUES (50, 'He');
        """)
    let before = try device.dump()
    func failure(_ table: String, _ keys: [String]?) throws -> SeedbedError? {
      let error = #expect(throws: SeedbedError.self) {
        try device.migrator().reseed(table, keys: keys)
      }
      #expect(try device.dump() == before)
      return error
    }
    #expect(try failure("elements", ["2"])?.code == .constraint)
    #expect(try failure("elements", ["1", "99"])?.message.contains("'99'") == true)
    #expect(try failure("notes", nil)?.message.contains("elements, isotopes") == true)
    #expect(try failure("isotopes", ["10"])?.remedies == [.reseed("elements", key: "1")])
    #expect(try failure("nothing", nil)?.code == .usage)
  }

  @Test func `an app that owns its tables has schema.sql in their place`() throws {
    let device = try Device(
      [
        "0001_t/schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, mine TEXT);",
        "0001_t/t.csv": "id,word\n1,one\n2,two\n",
        "0001_t/after.sql": "UPDATE t SET word = upper(word);",
      ], app: "CREATE TABLE t (id INTEGER PRIMARY KEY, word TEXT, mine TEXT)")
    try device.up()
    try device.run("UPDATE t SET word = 'x', mine = 'kept'")
    try device.migrator().reseed("t", keys: ["2"])
    #expect(try device.rows("SELECT * FROM t") == ["1|x|kept", "2|TWO|kept"])
  }

  @Test func `cancelling changes nothing`() throws {
    let device = try Self.story(user: "DELETE FROM elements WHERE number = 2")
    let cancellation = Migrator.Cancellation()
    var migrator = try device.migrator()
    migrator.host.reaching = { if $0 == .beforeCommit { cancellation.cancel() } }
    let error = #expect(throws: SeedbedError.self) {
      try migrator.reseed("elements", cancellation: cancellation)
    }
    #expect(error?.code == .cancelled)
    #expect(try device.rows("SELECT count(*) FROM elements WHERE number = 2") == ["0"])
  }

  @Test func `all tables that the catalog fills come back, parents first`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE a (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE own (id INTEGER PRIMARY KEY);
      """
    ])
    try device.up()
    let empty = #expect(throws: SeedbedError.self) {
      try device.migrator().reseed(tables: nil)
    }
    #expect(empty?.message == SeedbedError.nothingSeeded().message)
    try device.write(["0002_t/a.csv": "id,p\n1,1\n", "0002_t/p.csv": "id\n1\n2\n"])
    try device.up()
    try device.run("DELETE FROM a; DELETE FROM p")
    let reports = try device.migrator().reseed(tables: nil)
    #expect(reports.map(\.counts.inserted) == [2, 1])
    #expect(try device.rows("SELECT * FROM a") == ["1|1"])
  }
}

extension String {
  fileprivate var quotedForKey: String { "\"\(self)\"" }
}
