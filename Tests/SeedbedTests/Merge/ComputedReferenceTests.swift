import Testing

@testable import Seedbed

/// A foreign key on a generated column: the columns that it is computed from have to stay as they
/// are if the parent is missing.
struct ComputedReferenceTests {
  private static func device(_ words: String, _ files: [String: String]) throws -> Device {
    let catalog = [
      "0001_p/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (
        id INTEGER PRIMARY KEY, a INTEGER, w TEXT,
        half INTEGER GENERATED ALWAYS AS (a / 5) VIRTUAL,
        g INTEGER GENERATED ALWAYS AS (half / 2) STORED REFERENCES p \(words));
      """,
      "0001_p/p.csv": "id\n1\n2\n3\n", "0001_p/c.csv": "id,a,w\n1,10,one\n3,30,three\n",
    ].merging(files) { $1 }
    let device = try Device(catalog)
    try device.up(to: 1)
    try device.run("DELETE FROM p WHERE id = 2")
    return device
  }

  @Test(arguments: ["", "DEFERRABLE INITIALLY DEFERRED", "ON DELETE CASCADE"])
  func `keeps a row at its parent`(_ words: String) throws {
    let device = try Self.device(
      words, ["0002_c/c.update.csv": "id,a,w,was:a,was:w\n1,20,ONE,10,one\n3,11,three,30,three\n"])
    try device.up()
    #expect(try device.rows("SELECT id, a, w, g FROM c") == ["1|10|ONE|1", "3|11|three|1"])
    let conflicts = try device.migrator().conflicts()
    #expect(conflicts.map(\.kind) == [.parentDeleted])
    #expect(conflicts.map(\.key.json) == [#"{"id":1}"#])
  }

  @Test(arguments: ["", "DEFERRABLE INITIALLY DEFERRED", "ON DELETE CASCADE"])
  func `skips a new row without its parent`(_ words: String) throws {
    let device = try Self.device(words, ["0002_c/c.csv": "id,a,w\n4,25,four\n5,15,five\n6,,six\n"])
    try device.up()
    #expect(
      try device.rows("SELECT id, a, g FROM c ORDER BY id")
        == ["1|10|1", "3|30|3", "5|15|1", "6|NULL|NULL"])
    #expect(try device.migrator().conflicts().map(\.kind) == [.parentDeleted])
  }

  @Test func `retires no row that a new one refers to`() throws {
    let device = try Self.device(
      "",
      [
        "0002_c/p.delete.csv": "id\n3\n", "0002_c/c.update.csv": "id,a,was:a\n3,10,30\n",
        "0003_c/p.csv": "id\n7\n", "0003_c/c.csv": "id,a,w\n7,70,seven\n",
      ])
    try device.up()
    #expect(try device.rows("SELECT id FROM p") == ["1", "7"])
    #expect(try device.rows("SELECT id, g FROM c") == ["1|1", "3|1", "7|7"])
    #expect(try device.migrator().conflicts().isEmpty)
  }
}
