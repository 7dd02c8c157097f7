import Testing

@testable import Seedbed

/// Seed rows whose parent is missing, skipped or the user's.
struct ParentTests {
  static let schema = """
    CREATE TABLE IF NOT EXISTS groups (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
    CREATE TABLE IF NOT EXISTS words (
      id INTEGER PRIMARY KEY, group_id INTEGER REFERENCES groups (id), lemma TEXT);
    CREATE TABLE IF NOT EXISTS senses (
      id INTEGER PRIMARY KEY, word_id INTEGER NOT NULL REFERENCES words (id), text TEXT);
    """

  static let groups = "id,code,name\n1,a,Animals\n2,p,Plants\n"
  static let words = "id,group_id,lemma\n10,1,cat\n11,2,oak\n12,,void\n"
  static let senses = "id,word_id,text\n100,10,a pet\n101,11,a tree\n102,12,nothing\n"

  static let family = [
    "0001_words/up.sql": schema, "0001_words/groups.csv": groups,
    "0001_words/words.csv": words, "0001_words/senses.csv": senses,
  ]

  @Test func `parents go first, whatever the files are called`() throws {
    let device = try Device(Self.family)
    #expect(
      try device.up().lines == [
        "1 groups +2 ~0 -0 =0 kept 0", "1 senses +3 ~0 -0 =0 kept 0", "1 words +3 ~0 -0 =0 kept 0",
      ])
    #expect(try device.conflicts() == [])
  }

  @Test func `a row under a parent that the user took is skipped, and so are its children`() throws
  {
    let device = try Device(Self.family, app: Self.schema)
    try device.run("INSERT INTO groups VALUES (2, 'x', 'Mine')")
    let report = try device.up()
    #expect(
      report.lines == [
        "1 groups +1 ~0 -0 =0 kept 1", "1 senses +2 ~0 -0 =0 kept 1", "1 words +2 ~0 -0 =0 kept 1",
      ])
    #expect(try device.rows("SELECT id FROM words ORDER BY id") == ["10", "12"])
    #expect(try device.rows("SELECT id FROM senses ORDER BY id") == ["100", "102"])
    #expect(
      try device.conflicts() == [
        #"1 groups {"id":2} keyTaken keepUser keptUser mine={"id":2,"code":"x","name":"Mine"}"#
          + #" seed={"id":2,"code":"p","name":"Plants"}"#,
        #"1 words {"id":11} parentTaken - skipped seed={"id":11,"group_id":2,"lemma":"oak"}"#,
        #"1 senses {"id":101} parentDeleted - skipped"#
          + #" seed={"id":101,"word_id":11,"text":"a tree"}"#,
      ])
    #expect(try device.leftToUser() == [#"1|groups|{"id":2}"#])
  }

  @Test func `a parent that lost its UNIQUE value to the user is not there`() throws {
    let device = try Device(Self.family, app: Self.schema)
    try device.run("INSERT INTO groups VALUES (9, 'p', 'Mine')")
    try device.up()
    #expect(
      try device.rows("SELECT key, kind FROM seedbed_conflicts ORDER BY id") == [
        #"{"id":2}|uniqueTaken"#, #"{"id":11}|parentDeleted"#, #"{"id":101}|parentDeleted"#,
      ])
  }

  @Test func `replaceUser makes the parent the seed's, so its children go in`() throws {
    let device = try Device(Self.family, app: Self.schema)
    try device.run("INSERT INTO groups VALUES (2, 'x', 'Mine')")
    let report = try device.up(onTaken: .replaceUser)
    #expect(
      report.lines == [
        "1 groups +1 ~1 -0 =0 kept 0", "1 senses +3 ~0 -0 =0 kept 0", "1 words +3 ~0 -0 =0 kept 0",
      ])
  }

  @Test func `an unchanged parent is the seed's`() throws {
    let device = try Device(Self.family, app: Self.schema)
    try device.run("INSERT INTO groups VALUES (2, 'p', 'Plants')")
    let report = try device.up()
    #expect(
      report.lines == [
        "1 groups +1 ~0 -0 =1 kept 0", "1 senses +3 ~0 -0 =0 kept 0", "1 words +3 ~0 -0 =0 kept 0",
      ])
  }

  @Test func `a later migration skips children of what was left to the user, and its key`() throws {
    let device = try Device(Self.family, app: Self.schema)
    try device.run("INSERT INTO groups VALUES (2, 'x', 'Mine')")
    try device.up()
    try device.write([
      "0002_more/words.csv": "id,group_id,lemma\n20,2,elm\n21,1,dog\n",
      // Shipping a key again is the author's slip, and still no reason to take it from the user.
      "0002_more/groups.csv": "id,code,name\n2,p,Plants\n3,m,Minerals\n",
    ])
    let report = try device.up()
    #expect(report.lines == ["2 groups +1 ~0 -0 =0 kept 1", "2 words +1 ~0 -0 =0 kept 1"])
    #expect(
      report.migrations[0].conflicts.map(\.line) == [
        #"2 words {"id":20} parentTaken - skipped seed={"id":20,"group_id":2,"lemma":"elm"}"#
      ])
    #expect(try device.rows("SELECT * FROM groups WHERE id = 2") == ["2|x|Mine"])
  }

  @Test(arguments: [Migrator.CollisionPolicy.keepUser, .replaceUser, .fail])
  func `a row whose parent the user deleted is skipped under`(_ policy: Migrator.CollisionPolicy)
    throws
  {
    let device = try Device([
      "0001_groups/up.sql": Self.schema, "0001_groups/groups.csv": Self.groups,
    ])
    try device.up()
    try device.run("DELETE FROM groups WHERE id = 2")
    try device.write(["0002_words/words.csv": Self.words, "0002_words/senses.csv": Self.senses])
    let report = try device.up(onTaken: policy)
    #expect(report.lines == ["2 senses +2 ~0 -0 =0 kept 1", "2 words +2 ~0 -0 =0 kept 1"])
    #expect(
      try device.conflicts() == [
        #"2 words {"id":11} parentDeleted - skipped seed={"id":11,"group_id":2,"lemma":"oak"}"#,
        #"2 senses {"id":101} parentDeleted - skipped"#
          + #" seed={"id":101,"word_id":11,"text":"a tree"}"#,
      ])
    #expect(try device.leftToUser() == [])
  }

  @Test func `the log has the new key of a row that keeps its old one`() throws {
    let device = try Device([
      "0001_p/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p INTEGER REFERENCES p, n INTEGER, PRIMARY KEY (p, n));
      """,
      "0001_p/p.csv": "id\n1\n2\n", "0001_p/c.csv": "p,n\n1,7\n",
    ])
    try device.up()
    try device.run("DELETE FROM p WHERE id = 2")
    try device.write(["0002_c/c.update.csv": "p,n,was:p\n2,7,1\n"])
    try device.up()
    #expect(
      try device.conflicts() == [
        #"2 c {"p":1,"n":7} parentDeleted - skipped base={"p":1} mine={"p":1} seed={"p":2}"#
      ])
  }

  @Test func `children of a skipped row are skipped where this run made their parent's table`()
    throws
  {
    // `groups` is the user's to delete from; `words` and `senses` are made by the run itself.
    let device = try Device([
      "0001_groups/up.sql": "CREATE TABLE groups (id INTEGER PRIMARY KEY, code TEXT, name TEXT);",
      "0001_groups/groups.csv": Self.groups,
    ])
    try device.up()
    try device.run("DELETE FROM groups WHERE id = 2")
    try device.write([
      "0002_words/up.sql": Self.schema, "0002_words/words.csv": Self.words,
      "0003_senses/senses.csv": Self.senses,
    ])
    let report = try device.up()
    #expect(report.lines == ["2 words +2 ~0 -0 =0 kept 1", "3 senses +2 ~0 -0 =0 kept 1"])
    #expect(
      try device.rows("SELECT version, key, kind FROM seedbed_conflicts ORDER BY id") == [
        #"2|{"id":11}|parentDeleted"#, #"3|{"id":101}|parentDeleted"#,
      ])
  }

  @Test func `a parent that never was is an error of the files where this run made its table`()
    throws
  {
    var files = Self.family
    files["0001_words/words.csv"] = "id,group_id,lemma\n10,1,cat\n\"11\",7,oak\n"
    let device = try Device(files)
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(
      error.description == """
        0001_words/words.csv:3: This row of 'words' refers to {"id":7} of 'groups', which does not \
        exist; this run created 'groups', so no user can have deleted it. Ship the parent's row.
        """)
    #expect(try device.dump() == [])
  }

  @Test func `a parent that never was is an error even beside one that was skipped`() throws {
    let device = try Device([
      "0001_groups/up.sql": "CREATE TABLE groups (id INTEGER PRIMARY KEY, code TEXT, name TEXT);",
      "0001_groups/groups.csv": Self.groups,
    ])
    try device.up()
    try device.run("DELETE FROM groups WHERE id = 2")
    try device.write([
      "0002_words/up.sql": Self.schema, "0002_words/words.csv": Self.words,
      "0003_senses/senses.csv": Self.senses + "103,77,never\n",
    ])
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(error.description.hasPrefix("0003_senses/senses.csv:5: This row of 'senses' refers"))
  }

  @Test(arguments: [false, true])
  func `a parent that was left to the user stays so when its table is made again`(
    _ isPinned: Bool
  ) throws {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id));
      """,
      "0001_t/down.sql": "DROP TABLE c; DROP TABLE p;",
      "0001_t/p.csv": "id,name\n1,one\n2,two\n",
    ])
    try device.up()
    if isPinned { try device.migrator().pin(["id": 2], in: "p") }
    try device.run("DELETE FROM p WHERE id = 2")
    try device.write([
      "0002_c/c.csv": "id,p\n10,1\n20,2\n",
      "0002_c/p.update.csv": "id,name,was:name\n2,due,two\n",
    ])
    try device.up()
    try device.down(to: 0)
    try device.up()
    #expect(try device.rows("SELECT id FROM p") == ["1"])
    #expect(try device.rows("SELECT id FROM c") == ["10"])
  }

  @Test func `a table renamed in up.sql was not created by this run`() throws {
    let device = try Device([
      "0001_groups/up.sql": "CREATE TABLE kinds (id INTEGER PRIMARY KEY, code TEXT, name TEXT);",
      "0001_groups/kinds.csv": Self.groups,
    ])
    try device.up()
    try device.run("DELETE FROM kinds WHERE id = 2")
    try device.write([
      "0002_words/up.sql": "ALTER TABLE kinds RENAME TO groups;\n" + Self.schema,
      "0002_words/words.csv": Self.words,
    ])
    #expect(try device.up().lines == ["2 words +2 ~0 -0 =0 kept 1"])
  }

  @Test func `a reference to a UNIQUE column that is not the key is followed`() throws {
    let schema = """
      CREATE TABLE IF NOT EXISTS groups (id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE TABLE IF NOT EXISTS words (id INTEGER PRIMARY KEY, code TEXT REFERENCES groups (code));
      """
    let device = try Device(
      [
        "0001_words/up.sql": schema, "0001_words/groups.csv": "id,code\n1,a\n2,p\n",
        "0001_words/words.csv": "id,code\n10,a\n11,p\n12,x\n",
      ], app: schema)
    try device.run("INSERT INTO groups VALUES (2, 'x')")
    try device.up()
    #expect(
      try device.rows("SELECT key, kind FROM seedbed_conflicts ORDER BY id") == [
        #"{"id":2}|keyTaken"#, #"{"id":11}|parentDeleted"#, #"{"id":12}|parentTaken"#,
      ])
    #expect(try device.rows("SELECT * FROM words") == ["10|a"])
  }

  @Test func `a child column that the file leaves out takes its default, which needs a parent`()
    throws
  {
    let schema = """
      CREATE TABLE IF NOT EXISTS groups (id INTEGER PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS words (
        id INTEGER PRIMARY KEY, group_id INTEGER DEFAULT 7 REFERENCES groups);
      """
    let device = try Device(
      ["0001_words/up.sql": schema, "0001_words/words.csv": "id\n10\n"], app: schema)
    #expect(try device.up().lines == ["1 words +0 ~0 -0 =0 kept 1"])
    #expect(
      try device.conflicts() == [
        #"1 words {"id":10} parentDeleted - skipped seed={"id":10}"#
      ])
  }

  @Test func `composite foreign keys are held against all their columns`() throws {
    let schema = """
      CREATE TABLE IF NOT EXISTS places (country TEXT, city TEXT, PRIMARY KEY (country, city));
      CREATE TABLE IF NOT EXISTS streets (
        id INTEGER PRIMARY KEY, country TEXT, city TEXT,
        FOREIGN KEY (country, city) REFERENCES places);
      """
    let device = try Device(
      [
        "0001_places/up.sql": schema,
        "0001_places/places.csv": "country,city\nfr,Paris\nus,Paris\n",
        "0001_places/streets.csv": "id,country,city\n1,fr,Paris\n2,de,Paris\n3,de,\n",
      ], app: schema)
    try device.up()
    #expect(
      try device.rows("SELECT id FROM streets ORDER BY id") == ["1", "3"])
    #expect(
      try device.rows("SELECT key, kind FROM seedbed_conflicts") == [#"{"id":2}|parentDeleted"#])
  }
}
