import Testing

@testable import Seedbed

/// Rows that a person leaves to the user for good, and whose rows are whose.
struct PinTests {
  private static func device() throws -> Device {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE);
      CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));
      """,
      "0001_t/t.csv": "id,name,code\n1,one,a\n2,two,b\n3,three,c\n4,four,d\n",
      "0002_t/t.update.csv": "id,name,was:name\n1,uno,one\n2,due,two\n4,quattro,four\n",
      "0002_t/t.delete.csv": "id,name,code\n3,three,c\n",
      "0002_t/c.csv": "id,t\n1,1\n",
      "0003_t/t.csv": "id,name,code\n3,tre,c\n",
    ])
    try device.up(to: 1)
    return device
  }

  @Test func `no release changes, retires or brings back a pinned row`() throws {
    let device = try Self.device()
    try device.run("DELETE FROM t WHERE id = 2")
    let migrator = try device.migrator()
    for id: Migrator.Value in [1, 2, 3] { try migrator.pin(["id": id], in: "T") }
    let report = try device.up()
    #expect(report.migrations.map(\.conflictCount) == [0, 0])
    #expect(report.counts.kept == 4 && report.counts.updated == 1)
    #expect(try device.rows("SELECT * FROM t") == ["1|one|a", "3|three|c", "4|quattro|d"])
    // It is still the seed's to refer to.
    #expect(try device.rows("SELECT * FROM c") == ["1|1"])
    #expect(try migrator.reseed("t").counts.inserted == 0)
    #expect(try device.rows("SELECT * FROM t WHERE id < 4") == ["1|one|a", "3|three|c"])
    #expect(try migrator.userOwnedKeys().map(\.isPinned) == [true, true, true])
    try migrator.down(to: 1)
    #expect(try migrator.userOwnedKeys().count == 3)
  }

  @Test func `a row that is unpinned follows the releases again`() throws {
    let device = try Self.device()
    let migrator = try device.migrator()
    try migrator.pin(["id": 1], in: "t")
    try migrator.pin(["id": 1], in: "t")
    try device.up()
    let refused = #expect(throws: SeedbedError.self) { try migrator.reseed("t", keys: ["1"]) }
    #expect(refused?.message == "The row '1' of 't' is pinned. Unpin it first.")
    try migrator.unpin(["id": 1], in: "t")
    #expect(try device.leftToUser() == [])
    try device.write(["0004_t/t.update.csv": "id,name,was:name\n1,un,uno\n"])
    #expect(try device.up().migrations.map(\.conflictCount) == [1])
    try device.migrator().reseed("t", keys: ["1"])
    #expect(try device.rows("SELECT name FROM t WHERE id = 1") == ["un"])
  }

  @Test func `a pinned row keeps its values in a conflict`() throws {
    let device = try Self.device()
    try device.run("UPDATE t SET name = 'mine' WHERE id = 1")
    try device.up()
    let conflict = try device.migrator().conflicts()[0]
    try device.migrator().pin(["id": 1], in: "t")
    let refused = try device.migrator().resolve([conflict], with: .seed).refused
    #expect(refused.first?.error.message.contains("is pinned. Unpin it first.") == true)
    #expect(try device.migrator().resolve([conflict], with: .mine).conflicts == [conflict.id])
  }

  @Test func `what cannot be pinned`() throws {
    let device = try Self.device()
    try device.run("INSERT INTO t VALUES (900, 'my own', NULL)")
    let migrator = try device.migrator()
    func message(_ key: Migrator.Row, _ table: String) -> String? {
      #expect(throws: SeedbedError.self) { try migrator.pin(key, in: table) }?.message
    }
    #expect(message(["id": 900], "t")?.hasPrefix("The catalog has no row '900' of 't'") == true)
    #expect(message(["name": "one"], "t") == "A row of 't' is known by id, and not by name.")
    #expect(message([:], "t") == "A row of 't' is known by id, and not by nothing.")
    #expect(message(["id": 1], "no") == "The database has no table 'no'.")
    let unpinned = #expect(throws: SeedbedError.self) { try migrator.unpin(["id": 1], in: "t") }
    #expect(unpinned?.message == "The row '1' of 't' is not pinned.")
    try device.run("DELETE FROM t WHERE id = 2")
    try device.up()
    #expect(message(["id": 2], "t")?.contains("is the user's already (deletedByUser)") == true)
  }

  @Test func `whose a row is, and how the catalog has it`() throws {
    let device = try Self.device()
    try device.run(
      """
      UPDATE t SET name = 'mine' WHERE id = 1; DELETE FROM t WHERE id = 2;
      INSERT INTO t VALUES (900, 'my own', NULL);
      """)
    let migrator = try device.migrator()
    func origin(_ id: Migrator.Value) throws -> Migrator.Origin? {
      try migrator.origin(of: ["ID": id], in: "t")
    }
    #expect(try origin(1)?.kind == .editedSeed)
    #expect(try origin(1)?.original == ["id": 1, "name": "one", "code": "a"])
    #expect(try origin(2)?.kind == .deletedSeed && origin(3)?.kind == .seed)
    #expect(try origin(900)?.kind == .user && origin(900)?.original == nil)
    #expect(try origin(901) == nil)
    try migrator.pin(["id": 1], in: "t")
    #expect(try origin(1)?.isPinned == true && origin(3)?.isPinned == false)
  }

  @Test func `a user's row under a seed's key is the user's`() throws {
    let device = try Self.device()
    try device.run("DELETE FROM t WHERE id = 3")
    try device.up(to: 2)
    try device.run("INSERT INTO t VALUES (3, 'mine', 'm')")
    try device.write(["0004_t/t.csv": "id,name,code\n5,five,e\n"])
    try device.run("INSERT INTO t VALUES (5, 'fifth', 'f')")
    try device.up()
    #expect(try device.migrator().origin(of: ["id": 5], in: "t")?.kind == .user)
  }
}
