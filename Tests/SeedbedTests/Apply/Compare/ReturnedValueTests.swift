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
