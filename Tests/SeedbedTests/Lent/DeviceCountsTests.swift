import Testing

@testable import Seedbed

/// What an app may send to its author.
struct DeviceCountsTests {
  private static let files = [
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, note TEXT, own TEXT)",
    "0001_t/t.csv": "id,name,note\n1,one,a\n2,two,b\n3,three,c\n4,four,d\n",
    "0002_t/t.update.csv": """
    id,name,note,was:name,was:note
    1,uno,A,one,a
    2,due,B,two,b
    3,tre,C,three,c

    """,
    "0003_t/t.delete.csv": "id,name,note\n4,four,d\n",
  ]

  private static let user = """
    UPDATE t SET name = 'secret', note = 'secret' WHERE id = 1;
    UPDATE t SET name = 'secret', own = 'mine' WHERE id IN (2, 4); DELETE FROM t WHERE id = 3
    """

  private static func lines(_ counts: Migrator.DeviceCounts) -> [String] {
    counts.conflicts.map {
      "\($0.version) \($0.table).\($0.column ?? "-") \($0.kind) \($0.count), \($0.open) open"
    }
  }

  @Test func `it has numbers, and nothing that the user made`() throws {
    let device = try Device(Self.files)
    try device.up(to: 1)
    try device.run(Self.user)
    try device.up()
    let migrator = try device.migrator()
    let edited = try #require(try migrator.conflicts().first { $0.key.json == #"{"id":2}"# })
    try migrator.resolve([edited], with: .mine)
    let counts = try migrator.counts()
    #expect(
      Self.lines(counts) == [
        "2 t.- deletedByUser 1, 1 open", "2 t.name edited 2, 1 open", "2 t.note edited 1, 1 open",
        "3 t.name editedRetired 1, 1 open",
      ])
    #expect(counts.current == 3 && counts.target == 3 && counts.state == .upToDate)
    #expect(counts.lastRun == .applied && counts.lastRunDay == counts.day)
    #expect(counts.day.wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil)
    let json = counts.json
    for secret in ["secret", "mine", "own", device.database, "\"id\"", "\(counts.day)T"] {
      #expect(!json.contains(secret), "\(json)")
    }
    let app = try AppHandle(device.database)
    #expect(try LentHandleTests.lent(device).with(app.handle) { try $0.counts() } == counts)
  }

  @Test func `a database without a ledger has only a version`() throws {
    let device = try Device(Self.files)
    let app = try AppHandle(device.database, setup: "CREATE TABLE own (a)")
    for counts in [
      try device.migrator().counts(),
      try LentHandleTests.lent(device).with(app.handle) { try $0.counts() },
    ] {
      #expect(counts.current == 0 && counts.state == .pending && counts.conflicts == [])
      #expect(counts.lastRun == nil && counts.lastRunDay == nil)
    }
  }
}
