import Testing

@testable import Seedbed

/// Settling conflicts of rows whose references only the options declare. SQLite enforces none.
struct SettlementReferenceTests {
  /// A device at version 2, after what the user did at version 1.
  private static func device(
    _ isDeclared: Bool, _ files: [String: String], user: String
  ) throws -> Device {
    let options = #"{"tables": {"p": {"references": {"c": ["p"]}}}}"#
    let device = try Device(
      [
        "catalog.json": isDeclared ? options : "{}",
        "0001_p/up.sql": """
        CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER, name TEXT);
        """,
        "0001_p/p.csv": "id,name\n1,one\n2,two\n",
        "0001_p/c.csv": "id,p,name\n10,1,ten\n",
      ].merging(files) { $1 })
    try device.up(to: 1)
    try device.run(user)
    try device.up()
    return device
  }

  private static func refused(
    _ device: Device, _ side: Migrator.Conflict.Side
  ) throws -> [String] {
    let all = try device.migrator().conflicts()
    #expect(all.count == 1)
    return try device.migrator().resolve(all, with: side).refused.map(\.error.message)
  }

  @Test(arguments: [true, false])
  func `a row does not come back without its parent`(_ isDeclared: Bool) throws {
    let device = try Self.device(
      isDeclared, ["0002_p/c.update.csv": "id,name,was:name\n10,dix,ten\n"],
      user: "DELETE FROM c; DELETE FROM p WHERE id = 1")
    let refused = try Self.refused(device, .seed)
    let rows = { try device.rows("SELECT * FROM c") }
    guard isDeclared else {
      #expect(refused == [])
      #expect(try rows() == ["10|1|dix"])
      return
    }
    let words =
      "Conflict 1 (c {\"id\":10}) is not settled: the row refers to one that is gone. "
      + "Put that one back, and try again."
    #expect(refused == [words])
    #expect(try rows() == [])
    try device.migrator().reseed("p")
    #expect(try Self.refused(device, .seed) == [])
    #expect(try rows() == ["10|1|dix"])
  }

  private static let referred = "rows of 'c' refer to what would go"

  @Test(arguments: [true, false])
  func `a row to which others refer is not retired afterwards`(_ isDeclared: Bool) throws {
    let device = try Self.device(
      isDeclared, ["0002_p/p.delete.csv": "id,name\n2,two\n"],
      user: "UPDATE p SET name = 'mine' WHERE id = 2; INSERT INTO c VALUES (900, 2, 'mine')")
    let refused = try Self.refused(device, .seed)
    #expect(refused.contains { $0.contains(Self.referred) } == isDeclared)
    #expect(try device.rows("SELECT name FROM p WHERE id = 2") == (isDeclared ? ["mine"] : []))
    try device.run("DELETE FROM c WHERE id = 900")
    #expect(try Self.refused(device, .seed) == [])
    #expect(try device.rows("SELECT name FROM p WHERE id = 2") == [])
  }

  @Test(arguments: [true, false])
  func `a row to which others refer is not deleted again`(_ isDeclared: Bool) throws {
    let device = try Self.device(
      isDeclared, ["0002_p/p.update.csv": "id,name,was:name\n2,deux,two\n"],
      user: "DELETE FROM p WHERE id = 2")
    #expect(try Self.refused(device, .seed) == [])
    try device.run("INSERT INTO c VALUES (900, 2, 'mine')")
    let refused = try Self.refused(device, .mine)
    #expect(refused.contains { $0.contains(Self.referred) } == isDeclared)
    #expect(try device.rows("SELECT name FROM p WHERE id = 2") == (isDeclared ? ["deux"] : []))
  }

  @Test func `a row that refers to itself comes and goes`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"references": {"t": ["up"]}}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, up INTEGER);",
      "0001_t/t.csv": "id,name,up\n7,sept,7\n",
      "0002_t/t.update.csv": "id,name,was:name\n7,seven,sept\n",
      "0002_t/t.csv": "id,name,up\n8,eight,8\n",
    ])
    try device.up(to: 1)
    try device.run("DELETE FROM t; INSERT INTO t VALUES (8, 'mine', NULL)")
    try device.up()
    let all = try device.migrator().conflicts()
    for _ in 0..<2 {
      #expect(try device.migrator().resolve(all, with: .seed).conflicts == [1, 2])
      #expect(try device.rows("SELECT * FROM t") == ["7|seven|7", "8|eight|8"])
      #expect(try device.migrator().resolve(all, with: .mine).conflicts == [1, 2])
      #expect(try device.rows("SELECT * FROM t") == ["8|mine|NULL"])
    }
  }

  @Test func `a row comes back beside one that has got its id since`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"t": {"key": ["code"]}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);",
      "0001_t/t.csv": "code,name\na,one\nb,two\n",
      "0002_t/t.delete.csv": "code,name\nb,two\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine' WHERE code = 'b'")
    try device.up()
    func resolve(_ side: Migrator.Conflict.Side) throws {
      let outcome = try device.migrator().resolve(device.migrator().conflicts(), with: side)
      #expect(outcome.refused.isEmpty && outcome.conflicts.count == 1, "\(outcome)")
    }
    try resolve(.seed)
    try device.run("INSERT INTO t (code, name) VALUES ('x', 'own')")
    #expect(try device.rows("SELECT * FROM t ORDER BY code") == ["1|a|one", "2|x|own"])
    try resolve(.mine)
    #expect(try device.rows("SELECT * FROM t ORDER BY code") == ["1|a|one", "3|b|mine", "2|x|own"])
    try resolve(.seed)
    #expect(try device.rows("SELECT code FROM t ORDER BY code") == ["a", "x"])
  }

  /// Rows that refer to each other, and one of a user's own that may refer to them.
  private static func ring(_ files: [String: String], _ reference: String) throws -> Device {
    try Device(
      [
        "0001_t/up.sql": """
        CREATE TABLE t (id INTEGER PRIMARY KEY, other INTEGER REFERENCES t \(reference), a TEXT);
        """,
        "0001_t/t.csv": "id,other,a\n1,2,x\n2,3,y\n3,1,z\n4,1,w\n",
      ].merging(files) { $1 })
  }

  @Test(arguments: ["", "DEFERRABLE INITIALLY DEFERRED", "ON DELETE CASCADE"], [true, false])
  func `rows that refer to each other go together`(
    _ reference: String, _ isReferred: Bool
  ) throws {
    let device = try Self.ring(
      ["0002_t/t.delete.csv": "id,other,a\n1,2,x\n2,3,y\n3,1,z\n4,1,w\n"], reference)
    try device.up(to: 1)
    try device.run("UPDATE t SET a = 'mine' WHERE id = 1")
    if isReferred { try device.run("INSERT INTO t VALUES (50, 3, 'own')") }
    try device.up()
    let before = try device.rows("SELECT * FROM t")
    let all = try device.migrator().conflicts()
    let settled = try device.migrator().resolve(all, with: .seed)
    if isReferred {
      #expect(
        !settled.refused.isEmpty
          && settled.refused.allSatisfy {
            $0.error.message.contains("rows of 't' refer to what would go")
          })
      #expect(try device.rows("SELECT * FROM t WHERE id <> 4") == before.filter { $0 != "4|1|w" })
    } else {
      #expect(settled.refused.isEmpty && settled.conflicts == all.map(\.id), "\(settled)")
      #expect(try device.rows("SELECT * FROM t") == [])
    }
  }

  @Test(arguments: ["", "DEFERRABLE INITIALLY DEFERRED"])
  func `rows that refer to each other come together`(_ reference: String) throws {
    let device = try Self.ring(
      ["0002_t/t.update.csv": "id,a,was:a\n1,x2,x\n2,y2,y\n3,z2,z\n4,w2,w\n"], reference)
    try device.up(to: 1)
    try device.run("PRAGMA foreign_keys = 0; DELETE FROM t")
    try device.up()
    let all = try device.migrator().conflicts()
    // One alone cannot come.
    let alone = try device.migrator().resolve(all.filter { $0.key == ["id": 4] }, with: .seed)
    #expect(alone.refused.count == 1)
    #expect(try device.rows("SELECT * FROM t") == [])
    for _ in 0..<2 {
      let settled = try device.migrator().resolve(all, with: .seed)
      #expect(settled.refused.isEmpty && settled.conflicts == all.map(\.id), "\(settled)")
      #expect(try device.rows("SELECT * FROM t") == ["1|2|x2", "2|3|y2", "3|1|z2", "4|1|w2"])
      #expect(try device.migrator().resolve(all, with: .mine).refused.isEmpty)
      #expect(try device.rows("SELECT * FROM t") == [])
    }
  }
}
