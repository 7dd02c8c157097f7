import Testing

@testable import Seedbed

/// A release that gives a value back, as `revert` writes one, leaves nothing to decide.
struct ReturnedValueTests {
  private static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, note TEXT);",
    "0001_t/t.csv": "id,name,note\n1,one,\n2,two,\n3,three,\n",
    "0002_t/t.update.csv": "id,name,was:name\n1,REF,one\n2,REF,two\n3,REF,three\n",
    "0003_t/t.update.csv": "id,name,was:name\n1,one,REF\n2,deux,REF\n3,three,REF\n",
  ]

  @Test func `its conflict is settled with that about the value, and a note says so`() throws {
    let device = try Device(Self.files)
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine' WHERE id < 3")
    try device.up(to: 2)
    #expect(try device.migrator().conflicts().map(\.settled) == [nil, nil])
    let notes = try device.up().notes
    #expect(try device.migrator().conflicts().map(\.settled) == [.mine, nil, .mine, nil])
    #expect(notes.count == 1)
    #expect(notes.first?.hasPrefix("2 conflicts are settled: 0003_t gives the seed back") == true)
    #expect(try device.rows("SELECT name FROM t") == ["mine", "mine", "three"])
  }

  @Test func `a conflict that was settled before stays as it was`() throws {
    let device = try Device(Self.files)
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine' WHERE id = 1")
    try device.up(to: 2)
    let migrator = try device.migrator()
    #expect(try migrator.resolve(migrator.conflicts(), with: .seed).refused.isEmpty)
    #expect(try device.up().notes == [])
    #expect(try device.rows("SELECT name FROM t WHERE id = 1") == ["one"])
    #expect(try migrator.conflicts().map(\.settled) == [.seed])
  }
}

/// Whether a row that came back is the user's says what the user may have edited: neither columns
/// under `ignore` nor those that no file sets, which stay as they are if the row does.
struct ReturnedRowTests {
  @Test(arguments: ["now", "then"])
  func `a column that no file sets does not decide about one under ignore`(_ stamp: String) throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"ignore": ["seen"], "onEdited": "overwriteRow"}}}"#,
      "0001_t/up.sql": """
      CREATE TABLE clock (now TEXT);
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, seen INTEGER, stamp TEXT);
      CREATE TRIGGER stamps AFTER INSERT ON t
      BEGIN UPDATE t SET stamp = (SELECT now FROM clock) WHERE id = new.id; END;
      """,
      "0001_t/t.csv": "id,name,seen\n1,one,4\n",
      "0002_t/t.delete.csv": "id,name,seen\n1,one,4\n",
      "0003_t/t.csv": "id,name,seen\n1,one,4\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET seen = 0, stamp = 'then'; INSERT INTO clock VALUES ('\(stamp)')")
    try device.up()
    let migrator = try device.migrator()
    let settled = try migrator.resolve(migrator.conflicts(), with: .mine)
    #expect(settled.conflicts.count == 1 && settled.changedSince.isEmpty, "\(settled)")
    #expect(try device.rows("SELECT * FROM t") == ["1|one|4|\(stamp)"])
  }
}
