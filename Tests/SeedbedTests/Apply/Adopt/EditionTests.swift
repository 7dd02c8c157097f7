import Testing

@testable import Seedbed

/// Databases with rows of several editions: what counts as the user's, what comes, and what goes.
struct EditionTests {
  static let catalog = [
    "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);",
    "0001_a/t.csv": "id,a,b\n1,one,x\n2,two,x\n3,three,x\n4,four,x\n",
    "0002_b/t.update.csv": "id,a,was:a\n1,one-2,one\n2,two-2,two\n3,three-2,three\n",
    "0002_b/t.csv": "id,a,b\n5,five,x\n6,six,x\n",
    "0003_c/t.update.csv": "id,a,was:a\n1,one-3,one-2\n2,two-3,two-2\n3,three-3,three-2\n",
    "0003_c/t.csv": "id,a,b\n7,seven,x\n8,eight,x\n",
    "0003_c/t.delete.csv": "id,a,b\n4,four,x\n",
    "0004_d/t.update.csv": "id,a,was:a\n1,one-4,one-3\n2,two-4,two-3\n3,three-4,three-3\n",
  ]
  static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, fav INT);"

  static func device(
    _ rows: String, files: [String: String] = catalog, table: String = table,
    sharesIDs: Bool = false
  ) throws -> Device {
    var files = files
    if !sharesIDs, files["catalog.json"] == nil {
      files["catalog.json"] = #"{"tables": {"t": {"identity": ["id"]}}}"#
    }
    return try Device(files, app: "\(table) INSERT INTO t (id, a, b) VALUES \(rows);")
  }

  static func adopted(
    _ device: Device, at version: Version = 3, absent: Adoption.AbsentRows = .byEdition
  ) throws -> Adoption.Report {
    try #require(try device.migrator().baseline(at: version, absent: absent).adopted)
  }

  @Test func `each row belongs to the edition from which it differs least`() throws {
    let device = try Self.device(
      "(1, 'one', 'x'), (2, 'two-2', 'mine'), (3, 'three-3', 'x'), (5, 'five', 'x')")
    let table = try Self.adopted(device).tables[0]
    #expect(table.refreshed == 2 && table.edited == 1 && table.unchanged == 2)
    #expect(table.columns == [.init(name: "b", rows: 1)])
    #expect(
      table.edits == [
        .init(
          key: Migrator.Row(["id"], [.integer(2)]), column: "b", base: .text("x"),
          mine: .text("mine"))
      ])
    let rows = try device.rows("SELECT id, a, b FROM t WHERE id < 4")
    #expect(rows == ["1|one-3|x", "2|two-3|mine", "3|three-3|x"])
    _ = try device.up()
    #expect(try device.rows("SELECT a FROM t WHERE id < 4") == ["one-4", "two-4", "three-4"])
  }

  /// By cells, each value is one that an edition had. By rows, the user set one back.
  @Test func `a value that the user set back to an older edition's stays`() throws {
    let files = [
      "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);",
      "0001_a/t.csv": "id,a,b\n1,off,old\n",
      "0002_b/t.update.csv": "id,a,was:a,b,was:b\n1,on,off,new,old\n",
    ]
    let device = try Self.device("(1, 'off', 'new')", files: files)
    #expect(try Self.adopted(device, at: 2).tables[0].columns == [.init(name: "a", rows: 1)])
    #expect(try device.rows("SELECT a, b FROM t") == ["off|new"])
  }

  @Test func `an edit of a cell that the version changed is a conflict and stays`() throws {
    let device = try Self.device("(1, 'one', 'x'), (2, 'my two', 'x')")
    // As if it had been adopted at 1, and releases 2 and 3 had come.
    #expect(try Self.adopted(device).conflictCount == 2)
    #expect(try device.rows("SELECT a FROM t WHERE id = 2") == ["my two"])
    let other = try Self.device(
      "(1, 'my one', 'old'), (2, 'two-2', 'x')",
      files: [
        "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);",
        "0001_a/t.csv": "id,a,b\n1,one,old\n2,two,x\n",
        "0002_b/t.update.csv": "id,a,was:a,b,was:b\n1,one-2,one,new,old\n2,two-2,two,x,x\n",
      ])
    #expect(try Self.adopted(other, at: 2).conflictCount == 1)
    #expect(try other.rows("SELECT a, b FROM t") == ["my one|new", "two-2|x"])
    let conflict = try #require(try other.migrator().conflicts().first)
    #expect(conflict.kind == .edited && conflict.version == 2)
    _ = try other.migrator().resolve([conflict], with: .seed)
    #expect(try other.rows("SELECT a FROM t WHERE id = 1") == ["one-2"])
  }

  // MARK: absent and retired rows

  @Test func `rows of later editions come, and deleted ones stay away`() throws {
    let device = try Self.device("(1, 'one', 'x'), (3, 'three-2', 'x'), (5, 'five', 'x')")
    let adopted = try Self.adopted(device)
    #expect(adopted.edition == 2)
    #expect(adopted.tables[0].inserted == 2 && adopted.tables[0].deleted == 2)
    #expect(try device.rows("SELECT id FROM t") == ["1", "3", "5", "7", "8"])
    _ = try device.up()
    #expect(try device.rows("SELECT count(*) FROM t WHERE id IN (2, 6)") == ["0"])
    // A row that the user makes under a deleted key is theirs.
    try device.run("INSERT INTO t (id, a) VALUES (2, 'mine')")
    try device.write(["0005_e/t.update.csv": "id,a,was:a\n2,two-5,two-4\n"])
    _ = try device.up()
    #expect(try device.rows("SELECT a FROM t WHERE id = 2") == ["mine"])
  }

  @Test(arguments: Adoption.AbsentRows.allCases)
  func `whoever knows better says what absent rows are`(_ absent: Adoption.AbsentRows) throws {
    let device = try Self.device("(1, 'one', 'x'), (5, 'five', 'x')")
    _ = try Self.adopted(device, absent: absent)
    let rows: [Adoption.AbsentRows: [String]] = [
      .byEdition: ["1", "2", "3", "5", "7", "8"], .deleted: ["1", "5"],
      .missing: ["1", "2", "3", "5", "6", "7", "8"],
    ]
    #expect(try device.rows("SELECT id FROM t") == rows[absent])
  }

  /// The user's row 7 came before edition 3 had one.
  @Test func `a row that is like no edition does not make the database newer`() throws {
    let device = try Self.device("(1, 'one', 'x'), (5, 'five', 'x'), (7, 'my own', 'y')")
    let adopted = try Self.adopted(device)
    #expect(adopted.edition == 2)
    #expect(try device.rows("SELECT a FROM t WHERE id > 5") == ["my own", "eight"])
  }

  @Test func `a retired row goes unless the user changed it`() throws {
    let device = try Self.device("(1, 'one', 'x'), (4, 'four', 'x')")
    #expect(try Self.adopted(device).tables[0].retired == 1)
    #expect(try device.rows("SELECT count(*) FROM t WHERE id = 4") == ["0"])
    for change in ["a = 'mine'", "fav = 1"] {
      let device = try Self.device("(1, 'one', 'x'), (4, 'four', 'x')")
      try device.run("UPDATE t SET \(change) WHERE id = 4")
      let adopted = try Self.adopted(device)
      #expect(adopted.tables[0].retired == 0 && adopted.conflictCount == 1)
      #expect(try device.rows("SELECT count(*) FROM t WHERE id = 4") == ["1"])
    }
  }

  // MARK: schemas

  @Test func `a column that came later has its DEFAULT in older editions`() throws {
    var files = Self.catalog
    files["0003_c/up.sql"] = "ALTER TABLE t ADD COLUMN c TEXT DEFAULT 'none';"
    files["0003_c/t.update.csv"] = "id,a,was:a,c,was:c\n1,one-3,one-2,new,none\n"
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT DEFAULT 'none');"
    let device = try Self.device("(1, 'one', 'x'), (2, 'two', 'x')", files: files, table: table)
    try device.run("UPDATE t SET c = 'mine' WHERE id = 2")
    let found = try Self.adopted(device).tables[0]
    #expect(found.columns == [.init(name: "c", rows: 1)])
    #expect(try device.rows("SELECT a, c FROM t WHERE id < 3") == ["one-3|new", "two-2|mine"])
  }

  @Test func `a table and a column that got new names are known by the old ones`() throws {
    let files = [
      "0001_a/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, note TEXT);",
      "0001_a/words.csv": "id,word,note\n1,one,x\n2,two,x\n",
      "0002_b/up.sql":
        "ALTER TABLE words RENAME TO t; ALTER TABLE t RENAME COLUMN word TO a; "
        + "ALTER TABLE t RENAME COLUMN note TO b;",
      "0002_b/t.update.csv": "id,a,was:a\n1,one-2,one\n2,two-2,two\n",
    ]
    let device = try Self.device("(1, 'one', 'mine'), (2, 'two', 'x')", files: files)
    #expect(try Self.adopted(device, at: 2).tables[0].refreshed == 2)
    #expect(try device.rows("SELECT a, b FROM t") == ["one-2|mine", "two-2|x"])
  }

  @Test func `columns under ignore and compare are no edits`() throws {
    var files = Self.catalog
    files["catalog.json"] = #"{"tables": {"t": {"ignore": ["b"], "compare": {"a": "text"}}}}"#
    let device = try Self.device(
      "(1, 'one-3' || char(13, 10), 'y'), (2, 'two-3', 'z')", files: files)
    let table = try Self.adopted(device).tables[0]
    #expect(table.unchanged == 2 && table.edited == 0)
  }

  @Test func `rows that only SQL wrote are states like any other`() throws {
    var files = Self.catalog
    files["0002_b/after.sql"] = "UPDATE t SET b = 'sql' WHERE id = 1;"
    let device = try Self.device("(1, 'one-2', 'sql'), (2, 'two', 'x')", files: files)
    let table = try Self.adopted(device).tables[0]
    #expect(table.refreshed == 2 && table.edited == 0)
  }

  @Test func `a UNIQUE value that a row gave up in a later edition is no conflict`() throws {
    let files = [
      "0001_a/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);",
      "0001_a/t.csv": "id,a,b\n1,one,x\n2,two,x\n3,three,x\n",
      "0002_b/t.update.csv": "id,a,was:a\n1,two,one\n2,one,two\n",
      "0002_b/t.delete.csv": "id,a,b\n3,three,x\n",
      "0003_c/t.csv": "id,a,b\n9,three,x\n",
    ]
    let device = try Self.device(
      "(1, 'one', 'x'), (2, 'two', 'x'), (3, 'three', 'x')", files: files,
      table: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);")
    #expect(try Self.adopted(device).conflictCount == 0)
    let rows = try device.rows("SELECT id, a FROM t ORDER BY id")
    #expect(rows == ["1|two", "2|one", "9|three"])
  }

  // MARK: suggestions

  @Test func `nobody suggests what the publisher shipped`() throws {
    var files = Self.catalog
    files["0001_a/up.sql"] = nil
    files["0001_a/schema.sql"] = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);"
    let device = try Self.device(
      "(1, 'one', 'x'), (2, 'two-2', 'mine'), (3, 'my', 'x'), (4, 'four', 'x'), (9, 'i', 'x')",
      files: files)
    _ = try device.up()
    try device.run("INSERT OR IGNORE INTO t (id, a, b) VALUES (4, 'four', 'x')")
    let found = try device.migrator().suggestions(additions: true)
    #expect(
      found.map { "\($0.kind) \($0.key.json) \($0.column ?? "")" } == [
        #"addition {"id":2} "#, #"addition {"id":3} "#, #"addition {"id":9} "#,
      ])
    let adopted = try Self.device("(1, 'one', 'x'), (2, 'two', 'x')")
    _ = try Self.adopted(adopted)
    _ = try adopted.up()
    try adopted.run("UPDATE t SET a = 'one-2', b = 'mine'; UPDATE t SET a = 'my two' WHERE id = 2")
    #expect(
      try adopted.migrator().suggestions(tables: ["t"]).filter { $0.key.values == [.integer(1)] }
        .map(\.column) == ["b"])
  }
}
