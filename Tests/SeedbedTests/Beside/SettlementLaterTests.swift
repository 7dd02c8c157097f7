import Testing

@testable import Seedbed

/// What releases and `reseed` do after a conflict locks neither side out.
struct SettlementLaterTests {
  private static let files = [
    "0001_t/up.sql": """
    CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT UNIQUE, note TEXT);
    CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id), name TEXT);
    """,
    "0001_t/t.csv": "id,name,code\n1,one,a\n2,two,b\n3,three,c\n4,four,d\n5,five,e\n",
    "0002_t/t.csv": "id,name,code\n10,ten,j\n11,eleven,k\n",
    "0002_t/c.csv": "id,t,name\n1,2,x\n2,10,y\n",
    "0002_t/t.update.csv": "id,name,was:name\n1,uno,one\n2,due,two\n",
    "0002_t/t.delete.csv": "id,name,code\n3,three,c\n4,four,d\n",
  ]

  /// Each changes the rows, and the last brings one again.
  private static let later = [
    [
      "0003_t/t.update.csv": "id,name,was:name\n1,un,uno\n2,deux,due\n10,dix,ten\n11,onze,eleven\n",
      "0003_t/c.update.csv": "id,name,was:name\n1,xx,x\n2,yy,y\n",
    ],
    [
      "0004_t/t.update.csv": "id,name,was:name\n1,eins,un\n2,zwei,deux\n10,zehn,dix\n11,elf,onze\n",
      "0004_t/t.csv": "id,name,code\n3,drei,c\n",
    ],
  ]

  /// After so many of these.
  private static let seeds = [
    [
      "1|uno|a|n", "2|due|b|NULL", "5|five|e|NULL", "10|ten|j|own", "11|eleven|k|NULL",
      "900|other|o|NULL", "1|2|x", "2|10|y",
    ],
    [
      "1|un|a|n", "2|deux|b|NULL", "5|five|e|NULL", "10|dix|j|own", "11|onze|k|NULL",
      "900|other|o|NULL", "1|2|xx", "2|10|yy",
    ],
    [
      "1|eins|a|n", "2|zwei|b|NULL", "3|drei|c|NULL", "5|five|e|NULL", "10|zehn|j|own",
      "11|elf|k|NULL", "900|other|o|NULL", "1|2|xx", "2|10|yy",
    ],
  ]

  private static let mine = [
    "1|mine|a|n", "3|mine|c|NULL", "4|four|d|NULL", "5|five|e|NULL", "10|own|z|own",
    "900|other|o|NULL",
  ]

  /// A device on which every kind of conflict occurred, and nothing is in the way of either side.
  private static func device() throws -> Device {
    let device = try Device(files)
    try device.up(to: 1)
    try device.run(
      """
      PRAGMA foreign_keys = 1;
      UPDATE t SET name = 'mine', note = 'n' WHERE id = 1;
      DELETE FROM t WHERE id = 2;
      UPDATE t SET name = 'mine' WHERE id = 3;
      INSERT INTO c VALUES (100, 4, 'mine');
      INSERT INTO t VALUES (10, 'own', 'z', 'own'), (900, 'other', 'k', NULL);
      """)
    try device.up()
    try device.run("DELETE FROM c WHERE id = 100; UPDATE t SET code = 'o' WHERE id = 900;")
    #expect(Set(try device.migrator().conflicts().map(\.kind)).count == 8)
    return device
  }

  private static func rows(_ device: Device) throws -> [String] {
    try device.rows("SELECT * FROM t ORDER BY id") + device.rows("SELECT * FROM c ORDER BY id")
  }

  @Test(arguments: 0...2, [false, true])
  func `a side comes after releases, and again`(_ count: Int, _ goesBackFirst: Bool) throws {
    let device = try Self.device()
    let before = try (Self.rows(device), device.leftToUser())
    #expect(before.0 == Self.mine)
    func settle(_ side: Migrator.Conflict.Side, _ rows: [String]) throws {
      let all = try device.migrator().conflicts()
      let settled = try device.migrator().resolve(all, with: side)
      #expect(settled.refused.isEmpty && settled.changedSince.isEmpty, "\(settled)")
      #expect(settled.conflicts == all.map(\.id))
      #expect(try Self.rows(device) == rows)
    }
    try settle(.seed, Self.seeds[0])
    if goesBackFirst {
      try settle(.mine, Self.mine)
      try settle(.seed, Self.seeds[0])
    }
    for files in Self.later.prefix(count) {
      try device.write(files)
      #expect(try device.up().migrations[0].conflictCount == 0)
    }
    #expect(try Self.rows(device) == Self.seeds[count])
    for _ in 0..<2 {
      try settle(.mine, Self.mine)
      #expect(try device.leftToUser() == before.1)
      try settle(.seed, Self.seeds[count])
      #expect(try device.leftToUser() == [])
    }
    try settle(.mine, Self.mine)
    // Releases that meet the user's side log more, and the newest of a row decides.
    for files in Self.later.dropFirst(count) {
      try device.write(files)
      try device.up()
    }
    try settle(.seed, Self.seeds[2])
    try settle(.mine, Self.mine)
  }

  @Test(arguments: 0...2) func `a side comes after reseed`(_ count: Int) throws {
    let device = try Self.device()
    let conflicts = try device.migrator().conflicts().filter {
      [.edited, .deletedByUser, .uniqueTaken, .keyTaken].contains($0.kind)
    }
    try device.migrator().reseed("t", keys: ["1", "2", "10", "11"])
    for files in Self.later.prefix(count) {
      try device.write(files)
      try device.up()
    }
    let seeds = try Self.rows(device)
    let mine = try device.migrator().resolve(conflicts, with: .mine)
    #expect(mine.conflicts == conflicts.map(\.id) && mine.changedSince.isEmpty, "\(mine)")
    let isTheirs: (String) -> Bool = { row in
      ["1|", "2|", "10|", "11|"].contains(where: row.hasPrefix)
    }
    #expect(try Self.rows(device).filter(isTheirs) == Self.mine.filter(isTheirs))
    try device.migrator().resolve(conflicts, with: .seed)
    #expect(try Self.rows(device) == seeds)
  }

  @Test(arguments: [Migrator.Conflict.Side.seed, .mine])
  func `the row that has a row's old key since the same release is not taken for it`(
    _ side: Migrator.Conflict.Side
  ) throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);",
      "0001_t/t.csv": "id,name\n1,one\n2,two\n",
      "0002_t/t.update.csv": "id,was:id,name,was:name\n2,1,uno,one\n1,2,due,two\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine' WHERE id = 1")
    try device.up()
    let settled = try device.migrator().resolve(device.migrator().conflicts(), with: side)
    #expect(settled.refused.map(\.conflict) == [1])
    #expect(try device.rows("SELECT * FROM t") == ["1|due", "2|mine"])
  }

  @Test func `the user's row comes back after the seed's was retired`() throws {
    let device = try Self.device()
    let conflicts = try device.migrator().conflicts().filter { $0.kind == .deletedByUser }
    let taken = try #require(try device.migrator().conflicts().first { $0.mine?["id"] == 10 })
    try device.run("UPDATE t SET note = NULL WHERE id = 10")
    try device.migrator().resolve([taken] + conflicts, with: .seed)
    try device.write(["0003_t/t.delete.csv": "id,name,code\n2,due,b\n10,ten,j\n"])
    try device.write(["0003_t/c.delete.csv": "id,t,name\n1,2,x\n2,10,y\n"])
    try device.up()
    let rows = { try device.rows("SELECT * FROM t WHERE id IN (2, 10)") }
    for _ in 0..<2 {
      // Of the one both sides say that there is none.
      #expect(try device.migrator().resolve([taken] + conflicts, with: .mine).conflicts.count == 2)
      #expect(try rows() == ["10|own|z|NULL"])
      #expect(try device.migrator().resolve([taken] + conflicts, with: .seed).conflicts.count == 2)
      #expect(try rows() == [])
    }
  }

  @Test(arguments: ["reseed", "seed", "trigger"])
  func `a row goes only if the user wrote nothing to it`(_ way: String) throws {
    let device = try Self.device()
    if way == "trigger" {
      try device.run(
        """
        CREATE TRIGGER fills AFTER INSERT ON t BEGIN
          UPDATE t SET note = 'new' WHERE id = new.id; END
        """)
    }
    let deleted = try #require(
      try device.migrator().conflicts().first { $0.kind == .deletedByUser })
    let row = { try device.rows("SELECT * FROM t WHERE id = 2") }
    if way == "reseed" {
      try device.migrator().reseed("t", keys: ["2"])
    } else {
      try device.migrator().resolve([deleted], with: .seed)
    }
    try device.run("UPDATE t SET note = note || '!' WHERE id = 2 AND note IS NOT NULL")
    try device.run("UPDATE t SET note = 'mine' WHERE id = 2 AND note IS NULL")
    #expect(try device.migrator().resolve([deleted], with: .mine).changedSince == [deleted.id])
    #expect(try row() == ["2|due|b|\(way == "trigger" ? "new!" : "mine")"])
    // As it came it may go.
    let before = way == "trigger" ? "'new'" : "NULL"
    try device.run("UPDATE t SET note = \(before) WHERE id = 2")
    try device.migrator().resolve([deleted], with: .seed)
    #expect(try device.migrator().resolve([deleted], with: .mine).touchedTables == ["t"])
    #expect(try row() == [])
  }

  @Test func `two spellings of a key are two rows`() throws {
    let (composed, split) = ("caf\u{E9}", "cafe\u{301}")
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (name TEXT PRIMARY KEY, n INTEGER);",
      "0001_t/t.csv": "name,n\n\(composed),1\n\(split),1\n",
      "0002_t/t.update.csv": "name,n,was:n\n\(composed),2,1\n\(split),3,1\n",
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET n = 10")
    try device.up()
    let all = try device.migrator().conflicts()
    #expect(try device.migrator().resolve(all, with: .seed).conflicts == [1, 2])
    #expect(try device.rows("SELECT n FROM t ORDER BY n") == ["2", "3"])
  }

  @Test func `values of a row that was retired have no place`() throws {
    let device = try Self.device()
    let edited = try #require(try device.migrator().conflicts().first { $0.kind == .edited })
    try device.run("UPDATE t SET note = NULL WHERE id = 1")
    try device.migrator().resolve([edited], with: .seed)
    try device.write(["0003_t/t.delete.csv": "id,name,code\n1,uno,a\n"])
    try device.up()
    for side in [Migrator.Conflict.Side.seed, .mine] {
      let refused = try device.migrator().resolve([edited], with: side).refused
      #expect(refused.first?.error.message.contains("no longer has the row under this") == true)
    }
    #expect(try device.rows("SELECT * FROM t WHERE id = 1") == [])
  }

  @Test func `a column that a release added since is no change of the user's`() throws {
    let device = try Self.device()
    let taken = try #require(try device.migrator().conflicts().first { $0.mine?["id"] == 10 })
    try device.write([
      "0003_t/up.sql": "ALTER TABLE t ADD COLUMN size INTEGER;",
      "0003_t/t.update.csv": "id,size,was:size\n5,50,\n10,100,\n",
    ])
    try device.up()
    let row = { try device.rows("SELECT * FROM t WHERE id = 10") }
    for _ in 0..<2 {
      try device.migrator().resolve([taken], with: .seed)
      #expect(try row() == ["10|ten|j|own|100"])
      try device.migrator().resolve([taken], with: .mine)
      #expect(try row() == ["10|own|z|own|NULL"])
    }
  }

  /// A release was wrong, and the next takes it back.
  private static let reverted = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, code TEXT);",
    "0001_t/t.csv": "id,name,code\n1,one,a\n2,two,b\n",
    "0002_t/t.update.csv": "id,name,was:name\n1,REF,one\n2,REF,two\n",
    "0003_t/t.update.csv": "id,name,was:name\n1,one,REF\n2,deux,REF\n",
  ]

  @Test func `a conflict is settled by the release that takes its value back`() throws {
    let device = try Device(Self.reverted)
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine'")
    try device.up(to: 2)
    #expect(try device.migrator().conflicts().map(\.settled) == [nil, nil])
    let report = try device.up()
    let words = "2 conflicts are settled: 0003_t gives the seed back the values"
    #expect(report.notes.contains { $0.hasPrefix(words) }, "\(report.notes)")
    // What the seed says of the second row is new, so that one is still to be decided.
    let all = try device.migrator().conflicts()
    #expect(all.map(\.key.values) == [[1], [2], [1], [2]])
    #expect(all.map(\.settled) == [.mine, nil, .mine, nil])
    #expect(all.map { $0.settledAt != nil } == [true, false, true, false])
    #expect(try device.rows("SELECT name FROM t") == ["mine", "mine"])
    // Each side can still be chosen.
    let settled = try device.migrator().resolve([all[2]], with: .seed)
    #expect(settled.refused.isEmpty)
    #expect(try device.rows("SELECT name FROM t") == ["one", "mine"])
  }

  @Test func `what a person settled is not settled again`() throws {
    let device = try Device(Self.reverted)
    try device.up(to: 1)
    try device.run("UPDATE t SET name = 'mine'")
    try device.up(to: 2)
    _ = try device.migrator().resolve(device.migrator().conflicts(), with: .mine)
    let before = try device.rows("SELECT settled_at FROM seedbed_conflicts")
    try device.up()
    let after = try device.rows(
      "SELECT coalesce(settled_at, '-') FROM seedbed_conflicts ORDER BY id")
    #expect(Array(after.prefix(2)) == before && after[2] != "-" && after[3] == "-")
  }
}
