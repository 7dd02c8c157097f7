import Testing

@testable import Seedbed

/// Conflicts that a person settles afterwards.
struct SettlementTests {
  private static let files = [
    "0001_t/up.sql": """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE, note TEXT);
    CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));
    """,
    "0001_t/down.sql": "DROP TABLE c; DROP TABLE t;",
    "0001_t/t.csv": "id,name,code\n1,one,a\n2,two,b\n3,three,c\n4,four,d\n5,five,e\n",
    "0002_t/t.csv": "id,name,code\n10,ten,j\n11,eleven,k\n",
    "0002_t/c.csv": "id,t\n1,2\n",
    "0002_t/t.update.csv": "id,name,was:name\n1,uno,one\n2,due,two\n",
    "0002_t/t.delete.csv": "id,name,code\n3,three,c\n4,four,d\n",
  ]

  /// A device on which every kind of conflict occurred.
  private static func device(
    _ change: (inout Migrator.Policies) -> Void = { _ in }
  ) throws -> Device {
    let device = try Device(files)
    try device.up(to: 1)
    try device.run(
      """
      PRAGMA foreign_keys = 1;
      UPDATE t SET name = 'mine', note = 'n' WHERE id = 1;
      DELETE FROM t WHERE id = 2;
      UPDATE t SET name = 'drei' WHERE id = 3;
      INSERT INTO c VALUES (100, 4);
      INSERT INTO t VALUES (10, 'zehn', 'z', 'mine'), (900, 'other', 'k', NULL);
      """)
    change(&device.options.policies)
    try device.migrator().up()
    return device
  }

  private static func conflict(
    _ kind: Migrator.Conflict.Kind, _ device: Device
  ) throws -> Migrator.Conflict {
    try #require(try device.migrator().conflicts().first { $0.kind == kind })
  }

  /// Rows, and what is left to the user.
  private static func state(_ device: Device) throws -> [String] {
    try device.dump() + device.rows("SELECT * FROM seedbed_left_to_user")
  }

  // MARK: both sides

  private static let kept: [(Migrator.Conflict.Kind, String, mine: [String], seed: [String])] = [
    (.edited, "1", ["1|mine|a|n"], ["1|uno|a|n"]),
    (.deletedByUser, "2", [], ["2|due|b|NULL"]),
    (.editedRetired, "3", ["3|drei|c|NULL"], []),
    (.keyTaken, "10", ["10|zehn|z|mine"], ["10|ten|j|mine"]),
  ]

  @Test func `a ledger of another name is missed`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY);"])
    try device.up()
    var options = Migrator.Options()
    options.ledger = "other"
    let catalog = try Catalog(directory: device.catalog)
    let migrator = Migrator(catalog: catalog, at: device.database, options: options)
    let error = #expect(throws: SeedbedError.self) { try migrator.resolve([], with: .seed) }
    #expect(error?.code == .usage && error?.message.contains("no ledger 'other'") == true)
  }

  @Test func `a row that keepRow left is settled as a whole`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT, note TEXT);",
      "0001_t/t.csv": "id,name,code,note\n1,one,a,x\n",
      "0002_t/t.update.csv": "id,name,was:name,code,was:code,note,was:note\n1,uno,one,b,a,x,x\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine', note = 'mine'")
    device.options.policies.onEdited = .keepRow
    try device.migrator().up()
    let migrator = try device.migrator()
    let conflict = try #require(try migrator.conflicts().first)
    #expect(conflict.columns.map(\.name) == ["name", "code"])
    #expect(conflict.columns.map(\.mine) == [.text("mine"), .text("a")])
    let mine = try device.rows("SELECT * FROM t")
    #expect(mine == ["1|mine|a|mine"])
    try migrator.resolve([conflict], with: .seed)
    #expect(try device.rows("SELECT * FROM t") == ["1|uno|b|mine"])
    try migrator.resolve([conflict], with: .mine)
    #expect(try device.rows("SELECT * FROM t") == mine)
  }

  @Test(arguments: kept)
  func `the seed's side comes, and the user's comes back`(
    _ kind: Migrator.Conflict.Kind, _ id: String, _ mine: [String], _ seed: [String]
  ) throws {
    let device = try Self.device()
    let rows = { try device.rows("SELECT * FROM t WHERE id = \(id)") }
    let before = try Self.state(device)
    #expect(try rows() == mine)
    let conflict = try Self.conflict(kind, device)
    let settled = try device.migrator().resolve([conflict], with: .seed)
    #expect(settled.conflicts == [conflict.id] && settled.touchedTables == ["t"])
    #expect(try rows() == seed)
    #expect(try !device.leftToUser().contains { $0.contains("\"id\":\(id)}") })
    let logged = try Self.conflict(kind, device)
    #expect(logged.settled == .seed && logged.settledAt != nil)
    try device.migrator().resolve([logged], with: .mine)
    #expect(try Self.state(device) == before)
    #expect(try Self.conflict(kind, device).settled == .mine)
    // Once more, to no effect.
    #expect(try device.migrator().resolve([logged], with: .mine).touchedTables == [])
    #expect(try Self.state(device) == before)
  }

  @Test(arguments: kept.filter { $0.0 != .deletedByUser })
  func `what a policy overwrote comes back, and goes again`(
    _ kind: Migrator.Conflict.Kind, _ id: String, _ mine: [String], _ seed: [String]
  ) throws {
    let device = try Self.device {
      $0.onEdited = .preferSeed
      $0.onTaken = .replaceUser
    }
    let rows = { try device.rows("SELECT * FROM t WHERE id = \(id)") }
    let before = try Self.state(device)
    #expect(try rows() == seed)
    let conflict = try Self.conflict(kind, device)
    try device.migrator().resolve([conflict], with: .mine)
    #expect(try rows() == mine)
    try device.migrator().resolve([conflict], with: .seed)
    #expect(try Self.state(device) == before)
  }

  @Test func `a value that another row holds comes once that one gives it up`() throws {
    let device = try Self.device()
    let conflict = try Self.conflict(.uniqueTaken, device)
    let before = try Self.state(device)
    let refused = try device.migrator().resolve([conflict], with: .seed)
    #expect(
      refused.refused.first?.error.message == """
        Conflict \(conflict.id) (t {"id":11}) is not settled: another row holds one of its UNIQUE \
        values (UNIQUE constraint failed: t.code). Change or delete that one, and try again.
        """)
    #expect(try Self.state(device) == before)
    try device.run("UPDATE t SET code = 'o' WHERE id = 900")
    try device.migrator().resolve([conflict], with: .seed)
    #expect(try device.rows("SELECT * FROM t WHERE id = 11") == ["11|eleven|k|NULL"])
    #expect(try !device.leftToUser().contains { $0.contains("11") })
    try device.migrator().resolve([conflict], with: .mine)
    #expect(try device.rows("SELECT * FROM t WHERE id = 11") == [])
    #expect(try device.leftToUser().contains { $0.contains("11") })
  }

  @Test func `a row to retire goes once nothing refers to it`() throws {
    let device = try Self.device()
    let conflict = try Self.conflict(.referenced, device)
    let refused = try device.migrator().resolve([conflict], with: .seed).refused
    #expect(refused.first?.error.code == .foreignKey)
    #expect(refused.first?.error.message.contains("rows of 'c' refer to what would go") == true)
    try device.run("DELETE FROM c")
    try device.migrator().resolve([conflict], with: .seed)
    #expect(try device.rows("SELECT * FROM t WHERE id = 4") == [])
    try device.migrator().resolve([conflict], with: .mine)
    #expect(try device.rows("SELECT * FROM t WHERE id = 4") == ["4|four|d|NULL"])
  }

  // MARK: what is refused

  @Test func `a row that changed since is not touched`() throws {
    let device = try Self.device()
    try device.run(
      """
      UPDATE t SET name = 'mine again' WHERE id = 1; INSERT INTO t VALUES (2, 'new', 'n', NULL);
      DELETE FROM t WHERE id = 3; UPDATE t SET code = 'more' WHERE id = 10;
      """)
    let before = try Self.state(device)
    let conflicts = try device.migrator().conflicts().filter {
      [.edited, .deletedByUser, .keyTaken].contains($0.kind)
    }
    let settled = try device.migrator().resolve(conflicts, with: .seed)
    #expect(settled.conflicts == [] && settled.refused.count == 3)
    #expect(
      settled.refused.map(\.error.message).allSatisfy { $0.contains("the row changed since, ") })
    #expect(settled.refused[0].error.message.hasSuffix(#"since, name is "mine again" now."#))
    #expect(try Self.state(device) == before)
    #expect(try device.migrator().conflicts().allSatisfy { $0.settled == nil })
    // The row is gone already, as the seed wants.
    let retired = try Self.conflict(.editedRetired, device)
    #expect(try device.migrator().resolve([retired], with: .seed).conflicts == [retired.id])
  }

  @Test func `a row that was skipped for its parent comes only with it`() throws {
    let device = try Self.device()
    let conflict = try Self.conflict(.parentDeleted, device)
    let refused = try device.migrator().resolve([conflict], with: .seed).refused
    #expect(
      refused.first?.error.message == """
        Conflict \(conflict.id) (c {"id":1}) is not settled: the row refers to one that is gone. \
        Put that one back, and try again.
        """)
    // The user may be content with it.
    #expect(try device.migrator().resolve([conflict], with: .mine).conflicts == [conflict.id])
    try device.migrator().resolve([try Self.conflict(.deletedByUser, device)], with: .seed)
    #expect(try device.migrator().resolve([conflict], with: .seed).touchedTables == ["c"])
    #expect(try device.rows("SELECT * FROM c WHERE id = 1") == ["1|2"])
    try device.migrator().resolve([conflict], with: .mine)
    #expect(try device.rows("SELECT * FROM c WHERE id = 1") == [])
    // What the user typed is not what `seed` brought, even if it is the same.
    try device.run("INSERT INTO c VALUES (1, 2)")
    #expect(try device.migrator().resolve([conflict], with: .mine).changedSince == [conflict.id])
    #expect(try device.rows("SELECT * FROM c WHERE id = 1") == ["1|2"])
  }

  @Test func `what was taken back, or is no longer in the log, is refused`() throws {
    let device = try Self.device()
    let conflict = try Self.conflict(.edited, device)
    try device.migrator().down(to: 1)
    let refused = try device.migrator().resolve([conflict], with: .seed).refused
    #expect(refused.first?.error.message.contains("release 2, in which it") == true)
    try device.migrator().pruneConflicts()
    let gone = try device.migrator().resolve([conflict], with: .seed).refused
    #expect(gone.first?.error.message.contains("the log does not have it") == true)
  }

  @Test func `the seed's value is the one of the database's version`() throws {
    let device = try Self.device()
    try device.write(["0003_t/t.update.csv": "id,name,was:name\n1,un,uno\n2,deux,due\n"])
    try device.up()
    let edited = try device.migrator().conflicts().filter { $0.kind == .edited }
    #expect(try device.migrator().resolve(edited, with: .seed).conflicts == edited.map(\.id))
    #expect(try device.rows("SELECT name FROM t WHERE id = 1") == ["un"])
    try device.migrator().resolve([try Self.conflict(.deletedByUser, device)], with: .seed)
    #expect(try device.rows("SELECT name FROM t WHERE id = 2") == ["deux"])
    try device.write([
      "0004_t/t.delete.csv": "id,name,code\n1,un,a\n2,deux,b\n",
      "0004_t/c.delete.csv": "id,t\n1,2\n",
    ])
    try device.up()
    let deleted = try Self.conflict(.deletedByUser, device)
    // Both sides say that there is no row.
    #expect(try device.migrator().resolve([deleted], with: .seed).conflicts == [deleted.id])
    #expect(try device.migrator().resolve([deleted], with: .mine).conflicts == [deleted.id])
  }

  @Test func `one transaction: a crash of the app's own check leaves all as it was`() throws {
    let device = try Self.device()
    let before = try Self.state(device)
    try device.run(
      """
      CREATE TRIGGER no AFTER UPDATE ON t WHEN new.id = 10 BEGIN
        SELECT RAISE(ROLLBACK, 'no'); END
      """)
    let all = try device.migrator().conflicts()
    #expect(throws: SeedbedError.self) { try device.migrator().resolve(all, with: .seed) }
    try device.run("DROP TRIGGER no")
    #expect(try Self.state(device) == before)
    #expect(try device.migrator().conflicts().allSatisfy { $0.settled == nil })
  }

  @Test func `releases go on with a row that the seed got`() throws {
    let device = try Self.device()
    let conflicts = try device.migrator().conflicts().filter {
      [.edited, .deletedByUser, .keyTaken].contains($0.kind)
    }
    try device.migrator().resolve(conflicts, with: .seed)
    try device.write([
      "0003_t/t.update.csv": "id,name,was:name\n1,un,uno\n2,deux,due\n10,dix,ten\n"
    ])
    let report = try device.up()
    #expect(report.counts.updated == 3 && report.migrations[0].conflictCount == 0)
    try device.migrator().down(to: 1)
    #expect(try device.rows("SELECT * FROM t WHERE id < 3") == ["1|one|a|n", "2|two|b|NULL"])
  }
}
