import Testing

@testable import Seedbed

/// Rows that an update points to another parent, in the migration that brings or retires it.
struct RepointTests {
  @Test func `to a new parent, the old one goes, and back`() throws {
    let device = try Releases.atFirst()
    let elements = "SELECT number FROM elements ORDER BY number"
    let isotopes = "SELECT id, element FROM isotopes ORDER BY id"
    #expect(try device.up().migrations[0].conflictCount == 0)
    #expect(try device.rows(elements) == ["1", "2", "20", "21"])
    #expect(try device.rows(isotopes) == ["10|1", "11|20", "12|20"])
    #expect(try device.down(to: 1).migrations[0].conflictCount == 0)
    #expect(try device.rows(elements) == ["1", "2", "3", "4"])
    #expect(try device.rows(isotopes) == ["10|1", "11|3"])
  }

  @Test func `a new parent whose key the user has is no parent, so the old one stays`() throws {
    let device = try Releases.atFirst(user: "INSERT INTO elements (number) VALUES (20)")
    try device.up()
    #expect(try device.rows("SELECT id, element FROM isotopes") == ["10|1", "11|3"])
    #expect(
      try device.conflicts().map { $0.split(separator: " ").prefix(4).joined(separator: " ") } == [
        #"2 elements {"number":3} referenced"#, #"2 elements {"number":20} keyTaken"#,
        #"2 isotopes {"id":11} parentTaken"#, #"2 isotopes {"id":12} parentTaken"#,
      ])
  }

  @Test func `a parent that is there holds nobody up`() throws {
    // The new element needs the symbol that the update frees in the same step.
    let device = try Device([
      "0001_base/up.sql": """
      CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT UNIQUE,
        heavier INTEGER REFERENCES elements (number));
      """,
      "0001_base/elements.csv": "number,symbol,heavier\n1,H,\n2,He,\n3,Li,\n",
      "0002_next/elements.update.csv":
        "number,symbol,was:symbol,heavier,was:heavier\n1,D,H,2,\n",
      "0002_next/elements.csv": "number,symbol,heavier\n10,H,3\n",
    ])
    #expect(
      try device.up().lines == [
        "1 elements +3 ~0 -0 =0 kept 0", "2 elements +1 ~1 -0 =0 kept 0",
      ])
    #expect(
      try device.rows("SELECT * FROM elements ORDER BY number")
        == ["1|D|2", "2|He|NULL", "3|Li|NULL", "10|H|3"])
  }

  @Test func `a parent comes back with its children`() throws {
    let device = try Device(
      [
        "0001_base/up.sql": """
        CREATE TABLE tree (id INTEGER PRIMARY KEY, name TEXT, favourite INTEGER DEFAULT 0,
          parent INTEGER REFERENCES tree (id) ON DELETE CASCADE);
        """,
        "0001_base/tree.csv": "id,name,parent\n5,root,\n8,branch,5\n6,leaf,8\n",
        "0002_next/tree.delete.csv": "id,name,parent\n8,branch,5\n6,leaf,8\n",
      ])
    try device.up(to: 1)
    try device.run("UPDATE tree SET name = 'mine', favourite = 1 WHERE id = 8")
    device.options.policies.onEdited = .overwriteRow
    #expect(try device.migrator().up().lines == ["2 tree +0 ~0 -2 =0 kept 0"])
    #expect(try device.down(to: 1).lines == ["2 tree +2 ~0 -0 =0 kept 0"])
    #expect(
      try device.rows("SELECT * FROM tree ORDER BY id")
        == ["5|root|0|NULL", "6|leaf|0|8", "8|branch|0|5"])
  }
}
