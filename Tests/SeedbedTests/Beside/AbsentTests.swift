import TestSupport
import Testing

@testable import Seedbed

/// The seed rows that a database does not have are listed, counted and brought back.
struct AbsentTests {
  /// The user deleted 1, edited 2, and keeps the seed's 3 and its child out.
  private static func device() throws -> Device {
    let device = try Device([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));
      """,
      "0001_t/t.csv": "id,code,name\n1,a,one\n2,b,two\n",
      "0002_t/t.csv": "id,code,name\n3,c,three\n",
      "0002_t/c.csv": "id,t\n7,3\n8,2\n",
    ])
    try device.up(to: 1)
    try device.run(
      """
      DELETE FROM t WHERE id = 1; UPDATE t SET name = 'mine' WHERE id = 2;
      INSERT INTO t VALUES (900, 'c', 'mine')
      """)
    try device.up()
    return device
  }

  private static func said(_ rows: [Migrator.AbsentRow]) -> [String] {
    rows.map { "\($0.table) \($0.key.written) \($0.reason)" }
  }

  @Test func `what the user deleted and what a release left out is absent, with the reason`() throws
  {
    let device = try Self.device()
    let before = try device.bytes()
    let rows = try device.migrator().absent()
    #expect(Self.said(rows) == ["t 1 deletedByUser", "t 3 uniqueTaken", "c 7 parentDeleted"])
    #expect(rows[0].row == ["id": 1, "code": "a", "name": "one"])
    #expect(rows.map(\.version) == [2, 2, 2])
    #expect(Self.said(try device.migrator().absent(from: "C")) == ["c 7 parentDeleted"])
    #expect(try device.bytes() == before)
    let unknown = #expect(throws: SeedbedError.self) { try device.migrator().absent(from: "no") }
    #expect(unknown?.code == .usage)
  }

  @Test func `all that is absent comes back, after it was counted, and nothing else`() throws {
    let device = try Self.device()
    var counted: [Int] = []
    let reports = try device.migrator().reseed(missingFrom: nil) { rows in
      counted.append(rows.count)
      // Nothing is written yet.
      #expect((try? device.rows("SELECT count(*) FROM t WHERE id = 1")) == ["0"])
    }
    #expect(counted == [3])
    #expect(reports.map(\.table) == ["t", "c"])
    #expect(reports.map(\.counts.inserted) == [1, 0])
    // The user's row is in the place of 3, without which 7 stays away, too.
    #expect(reports.map(\.counts.kept) == [1, 1])
    #expect(reports[0].backup?.isVerified == true)
    #expect(try device.rows("SELECT * FROM t") == ["1|a|one", "2|b|mine", "900|c|mine"])
    #expect(try device.rows("SELECT * FROM c") == ["8|2"])
    try device.run("DELETE FROM t WHERE id = 900")
    #expect(try device.migrator().reseed(missingFrom: "t").map(\.counts.inserted) == [1])
    #expect(try device.migrator().reseed(missingFrom: "c").map(\.counts.inserted) == [1])
    #expect(try device.rows("SELECT * FROM c") == ["7|3", "8|2"])
  }

  @Test func `where nothing is absent there is no backup and no run`() throws {
    let device = try Self.device()
    try device.run("DELETE FROM t WHERE id = 900")
    try device.migrator().reseed(missingFrom: nil)
    let before = try device.bytes()
    let reports = try device.migrator().reseed(missingFrom: nil) { #expect($0.isEmpty) }
    #expect(reports.map(\.counts) == [Migrator.Counts(), Migrator.Counts()])
    #expect(reports.allSatisfy { $0.backup == nil && $0.touchedTables.isEmpty })
    #expect(try device.bytes() == before)
  }

  @Test func `a pinned row is absent, and stays away`() throws {
    let device = try Self.device()
    let migrator = try device.migrator()
    try migrator.pin(["id": 1], in: "t")
    #expect(Self.said(try migrator.absent(from: "t")) == ["t 1 deletedByUser", "t 3 uniqueTaken"])
    #expect(try migrator.reseed(missingFrom: "t").map(\.counts.kept) == [2])
    #expect(try device.rows("SELECT id FROM t") == ["2", "900"])
    let pinned = #expect(throws: SeedbedError.self) { try migrator.reseed([["id": 1]], in: "t") }
    #expect(pinned?.remedies == [.unpin("t", key: "1")])
  }

  @Test func `an absent row is named as in the row files, and comes back by that name`() throws {
    let device = try RowKeyTests.device()
    try device.run(
      """
      DELETE FROM step; DELETE FROM rate WHERE id IN (1, 2); DELETE FROM country WHERE code = 'CZ'
      """)
    let migrator = try device.migrator()
    let rows = try migrator.absent(from: "rate")
    // The one went with its country, and has no id here.
    #expect(
      rows.map(\.key) == [
        ["country_id:country.code": "CZ", "plan": "pro"],
        ["country_id:country.code": "DE", "plan": "pro"],
      ])
    #expect(rows.map(\.reason) == [.deletedByUser, .deletedByUser])
    #expect(rows[1].row["country_id"] == 6)
    let report = try migrator.reseed([rows[1].key], in: "rate")
    #expect(report.changedKeys == [["country_id": 6, "plan": "pro"]])
    let missing = #expect(throws: SeedbedError.self) {
      try migrator.reseed([rows[0].key], in: "rate")
    }
    #expect(missing?.remedies == [.reseed("country", key: "CZ")])
    #expect(try migrator.reseed(missingFrom: "rate").map(\.counts.kept) == [1])
    try migrator.reseed(missingFrom: nil)
    #expect(try migrator.absent() == [])
    // What the user edited is not absent.
    #expect(try device.rows("SELECT price FROM rate WHERE slug = 'aq'") == ["99"])
  }

  @Test func `each owner has rows that are absent`() throws {
    let device = try Households.device()
    try device.up()
    try device.run("DELETE FROM foods WHERE household_id = 2 AND code = 'apple'")
    let migrator = try device.migrator()
    let rows = try migrator.absent()
    #expect(rows.map(\.key) == [["household_id": 2, "code": "apple"]])
    try migrator.reseed(rows.map(\.key), in: "foods")
    #expect(try migrator.absent() == [])
  }

  @Test func `it stops when it is cancelled, and changes nothing`() throws {
    let device = try Self.device()
    let before = try device.rows("SELECT * FROM t")
    let cancellation = Migrator.Cancellation()
    cancellation.cancel()
    for call: (Migrator) throws -> Void in [
      { _ = try $0.absent(cancellation: cancellation) },
      { _ = try $0.reseed(missingFrom: nil, cancellation: cancellation) },
      { _ = try $0.reseed([["id": 1]], in: "t", cancellation: cancellation) },
    ] {
      let error = #expect(throws: SeedbedError.self) { try call(device.migrator()) }
      #expect(error?.code == .cancelled)
    }
    #expect(try device.rows("SELECT * FROM t") == before)
  }
}
