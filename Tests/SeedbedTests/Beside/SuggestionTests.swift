import Testing

@testable import Seedbed

/// What a user corrected, for the author of the data.
struct SuggestionTests {
  private static let files = [
    "catalog.json": """
    {"tables": {"t": {"ignore": ["stamp"], "compare": {"body": "text"}}}}
    """,
    "0001_t/up.sql": """
    CREATE TABLE t (
      id INTEGER PRIMARY KEY, name TEXT, body TEXT, size REAL, stamp TEXT, own TEXT);
    """,
    "0001_t/t.csv": """
    id,name,body,size,stamp
    1,one,line,1.5,x
    2,two,,2.5,x
    3,three,"",,x
    4,four,end,4,x

    """,
  ]

  private static func device(_ user: String = "") throws -> Device {
    let device = try Device(files)
    try device.up()
    if !user.isEmpty { try device.run(user) }
    return device
  }

  private static func lines(
    _ device: Device, deletions: Bool = false, additions: Bool = false
  ) throws -> [String] {
    try device.migrator().suggestions(deletions: deletions, additions: additions).map(\.json)
  }

  @Test func `each changed value of a seed row is one, with its base`() throws {
    let device = try Self.device(
      """
      UPDATE t SET name = 'uno', size = 1.25 WHERE id = 1;
      UPDATE t SET name = NULL, body = 'say "so"' WHERE id = 2
      """)
    #expect(
      try Self.lines(device) == [
        #"{"kind":"edit","table":"t","key":{"id":1},"column":"name","base":"one","mine":"uno","#
          + #""version":1}"#,
        #"{"kind":"edit","table":"t","key":{"id":1},"column":"size","base":1.5,"mine":1.25,"#
          + #""version":1}"#,
        #"{"kind":"edit","table":"t","key":{"id":2},"column":"name","base":"two","mine":null,"#
          + #""version":1}"#,
        #"{"kind":"edit","table":"t","key":{"id":2},"column":"body","base":null,"#
          + #""mine":"say \"so\"","version":1}"#,
      ])
    let suggestion = try device.migrator().suggestions(tables: ["T"])[0]
    #expect(suggestion.kind == .edit && suggestion.key == ["id": 1] && suggestion.row == nil)
    #expect(suggestion.base == "one" && suggestion.mine == "uno" && suggestion.version == 1)
  }

  @Test(arguments: [
    "", "UPDATE t SET own = 'mine'", "UPDATE t SET stamp = 'now'",
    "UPDATE t SET body = body || char(13, 10) WHERE id = 1",
    "INSERT INTO t (id, name) VALUES (9, 'mine')", "DELETE FROM t WHERE id = 4",
  ])
  func `what is none`(_ user: String) throws {
    #expect(try Self.lines(Self.device(user)) == [])
  }

  @Test func `a pinned row's changes are in it, too`() throws {
    let device = try Self.device("UPDATE t SET name = 'uno' WHERE id = 1")
    try device.migrator().pin(["id": 1], in: "t")
    #expect(try Self.lines(device).count == 1)
  }

  @Test func `a deleted row and a row of the user's are, if asked for`() throws {
    let device = try Self.device(
      "DELETE FROM t WHERE id = 4; INSERT INTO t VALUES (9, 'mine', NULL, NULL, 's', 'secret')")
    let deleted = #"{"kind":"deletion","table":"t","key":{"id":4},"version":1}"#
    let added =
      #"{"kind":"addition","table":"t","key":{"id":9},"#
      + #""row":{"id":9,"name":"mine","body":null,"size":null},"version":1}"#
    #expect(try Self.lines(device, deletions: true) == [deleted])
    #expect(try Self.lines(device, additions: true) == [added])
    #expect(try Self.lines(device, deletions: true, additions: true) == [added, deleted])
  }

  @Test func `a row that a release retired or left out is no deletion`() throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));
      """,
      "0001_t/t.csv": "id,code\n1,a\n2,b\n",
      "0002_t/t.csv": "id,code\n3,c\n4,d\n",
      "0002_t/c.csv": "id,t\n1,3\n2,1\n",
      "0002_t/t.delete.csv": "id,code\n2,b\n",
    ])
    try device.up(to: 1)
    // The user's row keeps the seed's 3 and its child out.
    try device.run("INSERT INTO t VALUES (900, 'c')")
    try device.up()
    #expect(try device.rows("SELECT id FROM t") == ["1", "4", "900"])
    #expect(try Self.lines(device, deletions: true) == [])
    // And what the user deletes after that is one.
    try device.run("DELETE FROM t WHERE id = 4")
    #expect(try Self.lines(device, deletions: true).count == 1)
  }

  @Test func `a row that took the key of the seed's is the user's`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);\n",
      "0001_t/t.csv": "id,name\n1,one\n", "0002_t/t.csv": "id,name\n2,two\n",
    ])
    try device.up(to: 1)
    try device.run("INSERT INTO t VALUES (2, 'mine')")
    try device.up()
    #expect(try Self.lines(device, deletions: true) == [])
    #expect(try Self.lines(device, additions: true).count == 1)
  }

  // MARK: references

  private static let references = [
    "catalog.json": #"{"tables": {"w": {"key": ["name"]}}}"#,
    "0001_w/up.sql": """
    CREATE TABLE w (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT);
    CREATE TABLE t (
      w INTEGER REFERENCES w (id), lang TEXT, text TEXT, same INTEGER REFERENCES w (id),
      PRIMARY KEY (w, lang));
    """,
    "0002_more/w.csv": "name,kind\nant,n\nbee,n\ncat,n\n",
    "0002_more/t.csv":
      "w:w.name,lang,text,same:w.name\nant,de,Ameise,\nbee,de,Biene,cat\ncat,de,Katze,ant\n",
  ]

  @Test func `ids that a database chose become names`() throws {
    let device = try Device(Self.references)
    try device.up(to: 1)
    // The user was first, so this database chooses other ids.
    try device.run("INSERT INTO w VALUES (70, 'cow', NULL)")
    try device.up()
    #expect(try Self.lines(device) == [])
    try device.run(
      """
      UPDATE t SET text = 'Imme', same = (SELECT id FROM w WHERE name = 'ant')
      WHERE text = 'Biene';
      UPDATE t SET same = 70 WHERE text = 'Katze';
      UPDATE w SET kind = 'insect' WHERE name = 'ant'
      """)
    #expect(
      try Self.lines(device) == [
        #"{"kind":"edit","table":"t","key":{"w:w.name":"bee","lang":"de"},"column":"text","#
          + #""base":"Biene","mine":"Imme","version":2}"#,
        #"{"kind":"edit","table":"t","key":{"w:w.name":"bee","lang":"de"},"#
          + #""column":"same:w.name","base":"cat","mine":"ant","version":2}"#,
        #"{"kind":"edit","table":"w","key":{"name":"ant"},"column":"kind","base":"n","#
          + #""mine":"insect","version":2}"#,
      ])
  }

  @Test func `a reference to a row of the user's own is left out, and counted`() throws {
    let device = try Device(Self.references)
    try device.up()
    try device.run(
      """
      INSERT INTO w VALUES (70, 'cow', NULL);
      UPDATE t SET same = 70, text = 'Kuh' WHERE text = 'Katze';
      INSERT INTO t VALUES (70, 'de', 'Kuh', NULL)
      """)
    var found: [String] = []
    let omitted = try device.migrator().findingUserRows { rows in
      try rows.suggestions(["t"], deletions: false, additions: true) {
        found.append($0.column ?? $0.kind.rawValue)
      }
    }
    #expect(found == ["text"])
    #expect(omitted == 2)
  }

  @Test func `what an earlier release had is none, under whatever key`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size TEXT)",
      "0001_t/t.csv": "id,name,size\n1,one,S\n2,two,S\n3,three,S\n4,four,S\n",
      "0002_t/t.update.csv": "was:id,id\n1,11\n",
      "0003_t/t.update.csv": "id,name,was:name\n11,uno,one\n2,due,two\n",
      "0004_t/up.sql": "ALTER TABLE t ADD COLUMN heavy INTEGER NOT NULL DEFAULT 0",
      "0004_t/t.update.csv": "id,heavy,was:heavy\n2,1,0\n",
      "0005_t/t.delete.csv": "id,name,size,heavy\n3,three,S,0\n",
    ])
    try device.up()
    // The seed's old names, and a retired row. No release shipped the rest.
    try device.run(
      """
      UPDATE t SET name = 'one' WHERE id = 11;
      UPDATE t SET name = 'two', heavy = 0 WHERE id = 2;
      INSERT INTO t VALUES (3, 'three', 'S', 0);
      UPDATE t SET name = 'one' WHERE id = 4
      """)
    let found = try device.migrator().suggestions(deletions: false, additions: true)
    #expect(
      found.map { "\($0.kind.rawValue) \($0.key.values) \($0.column ?? "")" } == [
        "edit [2] heavy", "edit [4] name",
      ])
  }

  @Test func `it changes nothing, and knows which tables the catalog fills`() throws {
    let device = try Self.device("UPDATE t SET name = 'uno' WHERE id = 1")
    let before = try device.bytes()
    _ = try device.migrator().suggestions(deletions: true, additions: true)
    #expect(try device.bytes() == before)
    let unknown = #expect(throws: SeedbedError.self) {
      try device.migrator().suggestions(tables: ["no"])
    }
    #expect(unknown?.code == .usage)
  }
}
