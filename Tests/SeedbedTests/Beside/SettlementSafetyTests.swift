import Testing

@testable import Seedbed

/// What settling must never do to rows of users, whatever the schema says.
struct SettlementSafetyTests {
  /// A device at version 2, after what the user did at version 1.
  private static func device(
    _ sql: String, _ files: [String: String], user: String
  ) throws -> Device {
    let device = try Device(["0001_t/up.sql": sql].merging(files) { $1 })
    try device.up(to: 1)
    try device.run(user)
    try device.up(to: 2)
    return device
  }

  private static func reason(
    _ device: Device, _ side: Migrator.Conflict.Side = .seed, _ number: Int = 0
  ) throws -> String? {
    let conflict = try device.migrator().conflicts()[number]
    return try device.migrator().resolve([conflict], with: side).refused.first?.error.message
  }

  private static let edited = [
    "0001_t/t.csv": "id,name,code\n1,one,a\n2,two,b\n",
    "0002_t/t.update.csv": "id,name,was:name,code,was:code\n1,uno,one,x,a\n",
  ]

  @Test func `a schema that replaces rows replaces none of the user's`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE ON CONFLICT REPLACE);",
      Self.edited,
      user: "UPDATE t SET code = 'mine' WHERE id = 1; INSERT INTO t VALUES (900, 'my own', 'x');")
    #expect(try Self.reason(device)?.contains("holds one of its UNIQUE values") == true)
    #expect(try device.rows("SELECT name FROM t WHERE id = 900") == ["my own"])
  }

  @Test(arguments: [
    ("code TEXT PRIMARY KEY COLLATE NOCASE", "TEXT", "'de'"),
    ("code INTEGER PRIMARY KEY", "", "'1'"),
  ])
  func `children are found by the parent's rules`(_ key: String, _ type: String, _ child: String)
    throws
  {
    let isText = key.contains("TEXT")
    let device = try Self.device(
      "CREATE TABLE p (\(key), name TEXT); "
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, p \(type) REFERENCES p ON DELETE CASCADE);",
      [
        "0001_t/p.csv": "code,name\n\(isText ? "DE" : "1"),one\n",
        "0002_t/p.delete.csv": "code,name\n\(isText ? "DE" : "1"),one\n",
      ], user: "UPDATE p SET name = 'mine'; INSERT INTO c VALUES (1, \(child));")
    #expect(try Self.reason(device)?.contains("rows of 'c' refer to what would go") == true)
    #expect(try device.rows("SELECT count(*) FROM c") == ["1"])
  }

  @Test func `what the user wrote after the seed came is not lost on the way back`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT, note TEXT);",
      [
        "0001_t/t.csv": "id,name,code\n1,one,a\n",
        "0002_t/t.update.csv": "id,name,was:name\n1,uno,one\n",
        "0002_t/t.csv": "id,name,code\n10,ten,j\n",
      ], user: "DELETE FROM t; INSERT INTO t VALUES (10, 'zehn', 'z', 'old');")
    let conflicts = try device.migrator().conflicts()
    #expect(try device.migrator().resolve(conflicts, with: .seed).conflicts.count == 2)
    try device.run("UPDATE t SET note = 'diary'")
    let back = try device.migrator().resolve(conflicts, with: .mine)
    // One row would go. The other stays, and so does what the user wrote in a column of theirs.
    #expect(back.changedSince == [conflicts[0].id])
    #expect(try device.rows("SELECT * FROM t") == ["1|uno|a|diary", "10|zehn|z|diary"])
    try device.migrator().resolve(conflicts, with: .seed)
    #expect(try device.rows("SELECT * FROM t") == ["1|uno|a|diary", "10|ten|j|diary"])
  }

  @Test func `mine deletes no row that the user typed`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT, note TEXT);", Self.edited,
      user: "DELETE FROM t WHERE id = 1;")
    try device.run("INSERT INTO t VALUES (1, 'uno', 'x', 'typed again')")
    let conflict = try device.migrator().conflicts()[0]
    #expect(try device.migrator().resolve([conflict], with: .mine).changedSince == [conflict.id])
    #expect(try device.rows("SELECT note FROM t WHERE id = 1") == ["typed again"])
  }

  @Test func `a column that is gone, a table that is gone, and the others`() throws {
    let device = try Self.device(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);
      CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE v (id INTEGER PRIMARY KEY, name TEXT);
      """,
      Self.edited.merging([
        "0001_t/u.csv": "id,name\n1,one\n", "0001_t/v.csv": "id,name\n1,one\n",
        "0002_t/u.update.csv": "id,name,was:name\n1,uno,one\n",
        "0002_t/v.update.csv": "id,name,was:name\n1,uno,one\n",
        "0003_t/up.sql": "ALTER TABLE t DROP COLUMN name; DROP TABLE u;",
      ]) { $1 },
      user: "UPDATE t SET name = 'm' WHERE id = 1; UPDATE u SET name = 'm'; "
        + "UPDATE v SET name = 'm';")
    try device.up()
    for side in [Migrator.Conflict.Side.seed, .mine] {
      let settled = try device.migrator().resolve(try device.migrator().conflicts(), with: side)
      let reasons = settled.refused.map(\.error.message)
      #expect(reasons.contains { $0.contains("the database no longer has the table") })
      #expect(reasons.contains { $0.contains("no longer has a column") })
    }
    #expect(try device.rows("SELECT * FROM t WHERE id = 1") == ["1|x"])
    #expect(try device.rows("SELECT name FROM v") == ["m"])
  }

  @Test func `the newest conflict of a row says what the user had`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);",
      Self.edited.merging([
        "0003_t/t.update.csv": "id,name,was:name\n1,un,uno\n"
      ]) { $1 }, user: "UPDATE t SET name = 'A' WHERE id = 1;")
    try device.run("UPDATE t SET name = 'B' WHERE id = 1")
    try device.up()
    let all = try device.migrator().conflicts()
    for chosen in [[all[0]], all, all] {
      #expect(try device.migrator().resolve(chosen, with: .seed).conflicts == [1, 2])
      #expect(try device.rows("SELECT name FROM t WHERE id = 1") == ["un"])
      #expect(try device.migrator().resolve(chosen, with: .mine).conflicts == [1, 2])
      #expect(try device.rows("SELECT name FROM t WHERE id = 1") == ["B"])
    }
  }

  @Test func `all open conflicts of a row are settled with one of them`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);",
      Self.edited.merging([
        "0003_t/t.update.csv": "id,code,was:code\n1,y,x\n"
      ]) { $1 }, user: "UPDATE t SET name = 'mine', code = 'm' WHERE id = 1;")
    try device.up()
    let row = { try device.rows("SELECT name, code FROM t WHERE id = 1") }
    let all = try device.migrator().conflicts()
    for chosen in [[all[0]], [all[1]], all] {
      #expect(try device.migrator().resolve(chosen, with: .seed).conflicts == [1, 2])
      #expect(try row() == ["uno|y"])
      #expect(try device.migrator().resolve(chosen, with: .mine).conflicts == [1, 2])
      #expect(try row() == ["mine|m"])
    }
  }

  @Test func `a later conflict of a row settles no value that was settled before`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);",
      Self.edited.merging([
        "0003_t/t.update.csv": "id,code,was:code\n1,y,x\n"
      ]) { $1 }, user: "UPDATE t SET name = 'mine', code = 'm' WHERE id = 1;")
    let row = { try device.rows("SELECT name, code FROM t WHERE id = 1") }
    let first = try device.migrator().conflicts()
    #expect(try device.migrator().resolve(first, with: .mine).conflicts == [1])
    try device.up()
    let second = try device.migrator().conflicts().filter { $0.settled == nil }
    for _ in 0..<2 {
      #expect(try device.migrator().resolve(second, with: .seed).conflicts == [2])
      #expect(try row() == ["mine|y"])
      #expect(try device.migrator().resolve(second, with: .mine).conflicts == [2])
      #expect(try row() == ["mine|m"])
    }
    // To decide about the row as it was before is to decide about all that came since.
    #expect(try device.migrator().resolve(first, with: .seed).conflicts == [1, 2])
    #expect(try row() == ["uno|y"])
    #expect(try device.migrator().resolve(first, with: .mine).conflicts == [1, 2])
    #expect(try row() == ["mine|m"])
  }

  @Test func `a row whose keys changed is not taken for another`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);",
      Self.edited.merging(["0003_t/t.update.csv": "id,was:id\n1,2\n2,1\n"]) { $1 },
      user: "UPDATE t SET name = 'mine' WHERE id = 1;")
    try device.up()
    #expect(try Self.reason(device)?.contains("a later one changed keys") == true)
  }

  @Test func `two spellings of a text are two values`() throws {
    let (composed, split) = ("caf\u{E9}", "cafe\u{301}")
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);",
      [
        "0001_t/t.csv": "id,name,code\n1,one,a\n",
        "0002_t/t.update.csv": "id,name,was:name\n1,\(composed),one\n",
      ], user: "UPDATE t SET name = '\(split)'")
    #expect(try Self.reason(device) == nil)
    #expect(try device.rows("SELECT hex(name) FROM t") == ["636166C3A9"])
    let keys = try Device([
      "0001_t/up.sql": "CREATE TABLE t (name TEXT PRIMARY KEY, n INTEGER);",
      "0001_t/t.csv": "name,n\n\(composed),1\n\(split),2\n",
    ])
    try keys.up()
    for name in [composed, split] {
      try keys.migrator().pin(["name": .text(name)], in: "t")
    }
    #expect(try keys.migrator().userOwnedKeys().count == 2)
    #expect(throws: Never.self) { try keys.migrator().reseed("t") }
  }

  @Test func `a seed row does not become the child of a user's row, or of none`() throws {
    let device = try Self.device(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id));
      """,
      [
        "0001_t/p.csv": "id,name\n1,one\n", "0001_t/c.csv": "id,p\n1,1\n",
        "0002_t/p.csv": "id,name\n2,two\n", "0002_t/c.update.csv": "id,p,was:p\n1,2,1\n",
      ], user: "DELETE FROM c; INSERT INTO p VALUES (2, 'my own');")
    let number = try #require(
      device.migrator().conflicts().firstIndex { $0.kind == .deletedByUser })
    #expect(
      try Self.reason(device, .seed, number)?.contains("refer to a row of 'p' that is the user's")
        == true)
    #expect(try device.rows("SELECT * FROM c") == [])
  }

  @Test func `a trigger that makes another row of it is seen`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);", Self.edited,
      user: "UPDATE t SET name = 'mine' WHERE id = 1;")
    try device.run(
      """
      CREATE TRIGGER loud AFTER UPDATE ON t WHEN new.name NOT LIKE '%!' BEGIN
        UPDATE t SET name = new.name || '!' WHERE id = new.id; END
      """)
    #expect(try Self.reason(device)?.contains("a trigger of the table keeps the row from") == true)
    #expect(try device.rows("SELECT name FROM t WHERE id = 1") == ["mine"])
  }

  @Test func `a key with ids that the database chose is found by names`() throws {
    let device = try Self.device(
      """
      CREATE TABLE w (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE);
      CREATE TABLE s (w INTEGER REFERENCES w (id), no INTEGER, txt TEXT, PRIMARY KEY (w, no));
      """,
      [
        "catalog.json": #"{"tables": {"w": {"key": ["lemma"]}}}"#,
        "0001_t/w.csv": "lemma\ncat\n", "0001_t/s.csv": "w:w.lemma,no,txt\ncat,1,purrs\n",
        "0002_t/s.update.csv": "w:w.lemma,no,txt,was:txt\ncat,1,sleeps,purrs\n",
      ], user: "UPDATE s SET txt = 'mine'")
    #expect(try Self.reason(device) == nil)
    #expect(try device.rows("SELECT txt FROM s") == ["sleeps"])
    try device.migrator().pin(["w": 1, "no": 1], in: "s")
    #expect(try device.leftToUser() == [#"0|s|{"w":1,"no":1}"#])
  }

  @Test func `keys in another case, and columns that hold no edits`() throws {
    let device = try Self.device(
      """
      CREATE TABLE t (code TEXT PRIMARY KEY COLLATE NOCASE, name TEXT, at INTEGER DEFAULT 0);
      CREATE TRIGGER clock AFTER UPDATE OF name ON t BEGIN
        UPDATE t SET at = at + 1 WHERE code = new.code; END;
      """,
      [
        "catalog.json": #"{"tables": {"t": {"ignore": ["at"]}}}"#,
        "0002_t/t.csv": "code,name\nneu,new\n",
      ], user: "INSERT INTO t VALUES ('NEU', 'mine', 5)")
    let conflict = try device.migrator().conflicts()[0]
    for _ in 0..<2 {
      #expect(try device.migrator().resolve([conflict], with: .seed).conflicts == [1])
      #expect(try device.rows("SELECT code, name FROM t") == ["NEU|new"])
      #expect(try device.migrator().resolve([conflict], with: .mine).conflicts == [1])
      #expect(try device.rows("SELECT code, name FROM t") == ["NEU|mine"])
    }
  }

  @Test func `a row that refers to itself comes and goes`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, up INTEGER REFERENCES t (id));",
      ["0002_t/t.csv": "id,name,up\n8,eight,8\n"], user: "INSERT INTO t VALUES (8, 'mine', NULL)")
    let all = try device.migrator().conflicts()
    for _ in 0..<2 {
      #expect(try device.migrator().resolve(all, with: .seed).refused.isEmpty)
      #expect(try device.rows("SELECT name FROM t") == ["eight"])
      #expect(try device.migrator().resolve(all, with: .mine).conflicts == [1])
      #expect(try device.rows("SELECT name FROM t") == ["mine"])
    }
  }

  @Test func `rows that wait for each other come in one call`() throws {
    let device = try Self.device(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, up INTEGER REFERENCES t (id));",
      [
        "0001_t/t.csv": "id,name,up\n1,one,\n2,two,1\n3,three,2\n",
        "0002_t/t.update.csv": "id,name,was:name\n1,un,one\n2,deux,two\n3,trois,three\n",
      ], user: "DELETE FROM t")
    let all = try device.migrator().conflicts()
    #expect(try device.migrator().resolve(all, with: .seed).conflicts == [1, 2, 3])
    #expect(try device.migrator().resolve(all, with: .mine).conflicts == [1, 2, 3])
    #expect(try device.rows("SELECT count(*) FROM t") == ["0"])
  }
}
