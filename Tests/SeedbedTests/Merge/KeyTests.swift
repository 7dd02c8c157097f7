import Testing

@testable import Seedbed

/// Every kind of table and key that a catalog may serve.
struct KeyTests {
  /// One table that the user may have written to, one file, and what comes of it.
  struct Case: CustomTestStringConvertible {
    var name: String
    var table: String
    var mine: String?
    var csv: String
    var json: String?
    var policy: Migrator.CollisionPolicy?
    var counts: String
    var rows: [String]
    /// Key and kind of each.
    var conflicts: [String] = []

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a composite key", table: "(a INTEGER, b TEXT, v TEXT, PRIMARY KEY (b, a))",
      mine: "(1, 'x', 'one'), (2, 'x', 'mine')", csv: "a,b,v\n1,x,one\n2,x,two\n2,y,two\n",
      counts: "+1 ~0 -0 =1 kept 1", rows: ["1|x|one", "2|x|mine", "2|y|two"],
      conflicts: [#"{"b":"x","a":2}|keyTaken"#]),
    Case(
      name: "WITHOUT ROWID", table: "(a TEXT, b INTEGER, v TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID",
      mine: "('x', 1, 'mine')", csv: "b,v,a\n1,one,x\n2,two,x\n", counts: "+1 ~0 -0 =0 kept 1",
      rows: ["x|1|mine", "x|2|two"], conflicts: [#"{"a":"x","b":1}|keyTaken"#]),
    Case(
      name: "WITHOUT ROWID under replaceUser", table: "(a TEXT PRIMARY KEY, v TEXT) WITHOUT ROWID",
      mine: "('x', 'mine')", csv: "a,v\nx,one\n", policy: .replaceUser,
      counts: "+0 ~1 -0 =0 kept 0", rows: ["x|one"], conflicts: [#"{"a":"x"}|keyTaken"#]),
    Case(
      name: "STRICT, and a table of key columns only",
      table: "(a INTEGER, b TEXT, PRIMARY KEY (a, b)) STRICT",
      mine: "(1, 'x')", csv: "a,b\n1,x\n1,y\n", policy: .replaceUser,
      counts: "+1 ~0 -0 =1 kept 0", rows: ["1|x", "1|y"]),
    Case(
      name: "STRICT with ANY, which keeps text as it is",
      table: "(a INTEGER PRIMARY KEY, v ANY) STRICT",
      mine: "(1, '007'), (2, 7)", csv: "a,v\n1,007\n2,7\n", counts: "+0 ~0 -0 =1 kept 1",
      rows: ["1|007", "2|7"], conflicts: [#"{"a":2}|keyTaken"#]),
    Case(
      name: "a NOCASE key is the same row in another case",
      table: "(code TEXT PRIMARY KEY COLLATE NOCASE, v TEXT)", mine: "('abc', 'one'), ('DEF', 'x')",
      csv: "code,v\nABC,one\ndef,two\n", counts: "+0 ~0 -0 =1 kept 1", rows: ["abc|one", "DEF|x"],
      conflicts: [#"{"code":"def"}|keyTaken"#]),
    Case(
      name: "a NOCASE key under replaceUser",
      table: "(code TEXT PRIMARY KEY COLLATE NOCASE, v TEXT)",
      mine: "('abc', 'one'), ('DEF', 'x')", csv: "code,v\nABC,one\ndef,two\n", policy: .replaceUser,
      counts: "+0 ~1 -0 =1 kept 0", rows: ["abc|one", "DEF|two"],
      conflicts: [#"{"code":"def"}|keyTaken"#]),
    Case(
      name: "an RTRIM key", table: "(code TEXT PRIMARY KEY COLLATE RTRIM, v TEXT)",
      mine: "('abc  ', 'one')", csv: "code,v\nabc,one\n", counts: "+0 ~0 -0 =1 kept 0",
      rows: ["abc  |one"]),
    Case(
      name: "a text key that looks like a number", table: "(code TEXT PRIMARY KEY, v TEXT)",
      mine: "('1', 'x')", csv: "code,v\n01,one\n1,two\n", counts: "+1 ~0 -0 =0 kept 1",
      rows: ["01|one", "1|x"], conflicts: [#"{"code":"1"}|keyTaken"#]),
    Case(
      name: "a UNIQUE column named by the key option, beside the rows of users",
      table: "(id INTEGER PRIMARY KEY, seed_id TEXT UNIQUE, v TEXT)",
      mine: "(1, NULL, 'mine'), (2, 'b', 'taken'), (3, 'c', 'three')",
      csv: "seed_id,v\na,one\nb,two\nc,three\n", json: #"{"key":["seed_id"]}"#,
      counts: "+1 ~0 -0 =1 kept 1",
      rows: ["1|NULL|mine", "2|b|taken", "3|c|three", "4|a|one"],
      conflicts: [#"{"seed_id":"b"}|keyTaken"#]),
    Case(
      name: "the key option names a UNIQUE index in another order and other letters",
      table: "(id INTEGER PRIMARY KEY, a TEXT, b TEXT, v TEXT, UNIQUE (b, a))",
      mine: "(1, 'x', 'y', 'mine')", csv: "a,b,v\nx,y,one\n", json: #"{"key":["A","B"]}"#,
      counts: "+0 ~0 -0 =0 kept 1", rows: ["1|x|y|mine"],
      conflicts: [#"{"a":"x","b":"y"}|keyTaken"#]),
    Case(
      name: "a key that is not the primary key, whose primary key the user holds",
      table: "(id INTEGER PRIMARY KEY, code TEXT UNIQUE)", mine: "(1, 'mine')",
      csv: "id,code\n1,a\n", json: #"{"key":["code"]}"#, counts: "+0 ~0 -0 =0 kept 1",
      rows: ["1|mine"], conflicts: [#"{"code":"a"}|uniqueTaken"#]),
    Case(
      name: "generated columns are left to SQLite",
      table: "(a INTEGER PRIMARY KEY, v TEXT, twice AS (v || v), long TEXT AS (v || a) STORED)",
      mine: nil, csv: "a,v\n1,x\n", counts: "+1 ~0 -0 =0 kept 0", rows: ["1|x|xx|x1"]),
    Case(
      name: "a UNIQUE generated column that the user's row holds",
      table: "(a INTEGER PRIMARY KEY, v TEXT, low TEXT AS (lower(v)) STORED UNIQUE)",
      mine: "(9, 'ABC')", csv: "a,v\n1,abc\n", counts: "+0 ~0 -0 =0 kept 1", rows: ["9|ABC|abc"],
      conflicts: [#"{"a":1}|uniqueTaken"#]),
    Case(
      name: "columns to ignore do not make a row another",
      table: "(a INTEGER PRIMARY KEY, v TEXT, at TEXT)", mine: "(1, 'x', 'now'), (2, 'y', 'now')",
      csv: "a,v,at\n1,x,then\n2,z,then\n", json: #"{"ignore":["AT"]}"#,
      policy: .replaceUser, counts: "+0 ~1 -0 =1 kept 0", rows: ["1|x|now", "2|z|now"],
      conflicts: [#"{"a":2}|keyTaken"#]),
    Case(
      name: "columns that are absent take their DEFAULT",
      table: "(a INTEGER PRIMARY KEY, v TEXT NOT NULL DEFAULT 'd', w TEXT)", mine: nil,
      csv: "a\n1\n", counts: "+1 ~0 -0 =0 kept 0", rows: ["1|d|NULL"]),
    Case(
      name: "a real that another program wrote with fifteen digits is the same",
      table: "(a INTEGER PRIMARY KEY, v REAL)", mine: "(1, 0.3), (2, 0.30000000000001)",
      csv: "a,v\n1,0.30000000000000004\n2,0.3\n", counts: "+0 ~0 -0 =1 kept 1",
      rows: ["1|0.3", "2|0.30000000000001"], conflicts: [#"{"a":2}|keyTaken"#]),
    Case(
      name: "a number stored as text by the user is another value",
      table: "(a INTEGER PRIMARY KEY, v)", mine: "(1, 5), (2, '5')", csv: "a,v\n1,5\n2,5\n",
      counts: "+0 ~0 -0 =1 kept 1", rows: ["1|5", "2|5"], conflicts: [#"{"a":1}|keyTaken"#]),
    Case(
      name: "NULL and the empty text differ", table: "(a INTEGER PRIMARY KEY, v TEXT)",
      mine: "(1, NULL), (2, '')", csv: "a,v\n1,\n2,\n", counts: "+0 ~0 -0 =1 kept 1",
      rows: ["1|NULL", "2|"], conflicts: [#"{"a":2}|keyTaken"#]),
    Case(
      name: "a partial UNIQUE index holds only where it applies",
      table: "(a INTEGER PRIMARY KEY, v TEXT, active INTEGER);"
        + "CREATE UNIQUE INDEX IF NOT EXISTS only ON t (v) WHERE active",
      mine: "(8, 'x', 0), (9, 'y', 1)", csv: "a,v,active\n1,x,1\n2,y,1\n3,y,0\n",
      counts: "+2 ~0 -0 =0 kept 1", rows: ["1|x|1", "3|y|0", "8|x|0", "9|y|1"],
      conflicts: [#"{"a":2}|uniqueTaken"#]),
    Case(
      name: "a UNIQUE index over an expression",
      table: "(a INTEGER PRIMARY KEY, v TEXT);"
        + "CREATE UNIQUE INDEX IF NOT EXISTS only ON t (lower(v))",
      mine: "(9, 'ABC')", csv: "a,v\n1,abc\n2,def\n", policy: .replaceUser,
      counts: "+1 ~0 -0 =0 kept 1", rows: ["2|def", "9|ABC"],
      conflicts: [#"{"a":1}|uniqueTaken"#]),
    Case(
      name: "two rows of the user hold what one seed row needs",
      table: "(a INTEGER PRIMARY KEY, v TEXT UNIQUE, w TEXT UNIQUE)",
      mine: "(8, 'x', 'p'), (9, 'q', 'y')", csv: "a,v,w\n1,x,y\n", policy: .replaceUser,
      counts: "+0 ~0 -0 =0 kept 1", rows: ["8|x|p", "9|q|y"],
      conflicts: [#"{"a":1}|uniqueTaken"#]),
  ]

  @Test(arguments: cases)
  func `rows go into a table with`(_ example: Case) throws {
    let table = "CREATE TABLE IF NOT EXISTS t \(example.table);"
    var files = ["0001_t/up.sql": table, "0001_t/t.csv": example.csv]
    files["catalog.json"] = example.json.map { #"{"tables":{"T":\#($0)}}"# }
    let device = try Device(files, app: table)
    if let mine = example.mine { try device.run("INSERT INTO t VALUES \(mine)") }
    #expect(try device.up(onTaken: example.policy).lines == ["1 t " + example.counts])
    #expect(try device.rows("SELECT * FROM t ORDER BY 1, 2") == example.rows)
    #expect(
      try device.rows("SELECT key, kind FROM seedbed_conflicts ORDER BY id") == example.conflicts)
  }

  static let names = [
    "order", "naïve", "日本", "a\"b", "a b", "x.y", "select", "Group", "1st", "a'b",
  ]

  @Test(arguments: names)
  func `tables, columns, indexes and triggers may be called`(_ name: String) throws {
    let quoted = name.quoted
    let header = name.contains("\"") ? quoted : name
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE \(quoted) (\(quoted) INTEGER PRIMARY KEY, "from" TEXT UNIQUE, "a:b" TEXT,
        up INTEGER REFERENCES \(quoted) (\(quoted)));
      CREATE INDEX "index \(name.replacing("\"", with: "\"\""))" ON \(quoted) ("a:b");
      """,
      "0001_t/\(name).csv": "\(header),from,a:b,up\n1,x,c,2\n2,y,d,\n",
      "0002_t/\(name).csv": "\(header),from,a:b,up\n1,z,c,2\n3,y,d,\n4,v,d,9\n5,w,d,2\n",
    ])
    #expect(try device.up(to: 1).lines == ["1 \(name) +2 ~0 -0 =0 kept 0"])
    #expect(try device.up().lines == ["2 \(name) +1 ~0 -0 =0 kept 3"])
    #expect(try device.rows("SELECT * FROM \(quoted)") == ["1|x|c|2", "2|y|d|NULL", "5|w|d|2"])
  }

  @Test func `names are found without regard to case, and spelled as the schema does`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE Elements (Number INTEGER PRIMARY KEY, Name TEXT);",
      "0001_t/ELEMENTS.csv": "NUMBER,name\n1,x\n",
    ])
    #expect(try device.up().touchedTables == ["Elements"])
    #expect(try device.rows("SELECT Number, Name FROM elements") == ["1|x"])
  }

  @Test func `a NOCASE parent that the user took is taken in any letters`() throws {
    let schema = """
      CREATE TABLE IF NOT EXISTS groups (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT);
      CREATE TABLE IF NOT EXISTS words (id INTEGER PRIMARY KEY, code TEXT REFERENCES groups);
      """
    let device = try Device(
      [
        "0001_t/up.sql": schema, "0001_t/groups.csv": "code,name\nabc,Seed\n",
        "0002_t/words.csv": "id,code\n1,aBC\n",
      ], app: schema)
    try device.run("INSERT INTO groups VALUES ('ABC', 'Mine')")
    #expect(try device.up().lines == ["1 groups +0 ~0 -0 =0 kept 1", "2 words +0 ~0 -0 =0 kept 1"])
    #expect(
      try device.rows("SELECT kind FROM seedbed_conflicts ORDER BY id")
        == ["keyTaken", "parentTaken"])
  }
}
