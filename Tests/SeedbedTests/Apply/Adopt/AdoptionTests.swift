import Testing

@testable import Seedbed

/// Apps that filled their database before they had Seedbed: with a flag, or with a row counter and
/// perhaps stopped half-way.
struct AdoptionTests {
  private typealias Question = @Sendable (Migrator.DatabaseReader) throws -> Adoption

  private static let words = (1...10).map { "\($0),word \($0)" }
  private static let files = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, seen INTEGER);",
    "0001_words/words.csv": "id,word\n" + words.map { $0 + "\n" }.joined(),
    "0002_june/words.update.csv":
      "id,word,was:word\n1,first,word 1\n2,second,word 2\n3,third,word 3\n",
    "0002_june/words.delete.csv": "id,word\n5,word 5\n6,word 6\n",
    "0002_june/words.csv": "id,word\n20,word 20\n",
  ]

  /// The app's old way: a table, so many rows one after the other, and what users did since.
  private static func device(rows count: Int, user: String = "") throws -> Device {
    let rows = words.prefix(count).map { row in
      let fields = row.split(separator: ",")
      return "INSERT INTO words (id, word) VALUES (\(fields[0]), '\(fields[1])');"
    }
    return try Device(
      files,
      app: "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT, seen INTEGER);"
        + rows.joined() + user)
  }

  private static func migrator(_ device: Device, _ adoption: @escaping Question) throws
    -> Migrator
  {
    Migrator(
      catalog: try device.migrator().catalog, at: device.database,
      options: device.options, hooks: Migrator.Hooks(adoption: adoption))
  }

  private static let isFilled: Question = {
    try $0.hasTable("words") && $0.integer("SELECT count(*) FROM words") ?? 0 > 0
      ? .version(1) : .nothing
  }

  @Test func `each database of a fleet is asked`() throws {
    let device = try Self.device(rows: 10)
    let fleet = Fleet(
      catalog: try device.migrator().catalog, at: [device.database],
      hooks: Migrator.Hooks(adoption: Self.isFilled))
    let summary = try fleet.up()
    #expect(summary.changed == 1 && summary.adopted == 1)
    #expect(summary.json.contains(#""adopted":1"#))
    let states = try device.migrator().status().migrations.map(\.state)
    #expect(states == [.baseline, .applied])
  }

  @Test(arguments: [false, true])
  func `a filled database keeps what users did to it`(locked: Bool) throws {
    let device = try Self.device(
      rows: 10,
      user: """
        DELETE FROM words WHERE id IN (2, 4, 5); UPDATE words SET word = 'mine' WHERE id IN (3, 6);
        UPDATE words SET seen = 7 WHERE id = 1; INSERT INTO words VALUES (100, 'my own', 1);
        """)
    if locked { try device.lock() }
    let report = try Self.migrator(device, Self.isFilled).up()
    #expect(report.migrations.map(\.version) == [2])
    #expect(report.adopted?.version == 1 && report.notes == [])
    #expect(
      try device.rows("SELECT id, word, seen FROM words ORDER BY id") == [
        "1|first|7", "3|mine|NULL", "6|mine|NULL", "7|word 7|NULL", "8|word 8|NULL",
        "9|word 9|NULL", "10|word 10|NULL", "20|word 20|NULL", "100|my own|1",
      ])
    let status = try device.migrator().status()
    #expect(status.migrations.map(\.state) == [.baseline, .applied])
    #expect(status.state == .upToDate)
    #expect(try device.migrator().verify() == [])
  }

  @Test func `SQL that only a new database ran may do no more than any other`() throws {
    let device = try Self.device(rows: 10)
    try device.write(["0001_words/after.sql": "DELETE FROM seedbed_migrations;"])
    let error = #expect(throws: SeedbedError.self) { try Self.migrator(device, Self.isFilled).up() }
    #expect(
      error?.message.hasSuffix("The ledger belongs to Seedbed; SQL files may only read it.") == true
    )
  }

  @Test func `a table that is there before the ledger asks for an adoption`() throws {
    let hint = "The database has tables and no ledger"
    let device = try Self.device(rows: 10)
    let error = try device.failure()
    #expect(
      error.description.hasPrefix(
        "0001_words/up.sql:1:14: SQLite error 1: table words already exists. \(hint)"),
      "\(error)")
    #expect(error.code == .sql && error.version == 1 && error.isDatabaseUnchanged)
    let again = try device.failure()
    #expect(again.message == error.message, "the failed run left a ledger, with nothing in it")

    try Self.migrator(device, Self.isFilled).up()
    try device.write(["0003_words/up.sql": "CREATE TABLE words (id);"])
    #expect(try device.failure().message == "SQLite error 1: table words already exists.")
    let twice = try Device(["0001_a/up.sql": "CREATE TABLE a (b); CREATE TABLE a (b);"])
    #expect(try twice.failure().message == "SQLite error 1: table a already exists.")
  }

  @Test func `an empty one is filled from the first migration on`() throws {
    let device = try Device(Self.files)
    let report = try Self.migrator(device, Self.isFilled).up()
    #expect(report.migrations.map(\.version) == [1, 2])
    #expect(report.notes == [])
    #expect(try device.rows("SELECT count(*) FROM words") == ["9"])
  }

  /// A database that was filled half-way: whoever knows it says that absent rows never came.
  @Test(arguments: Adoption.AbsentRows.allCases)
  func `absent rows are what the app says they are`(_ absent: Adoption.AbsentRows) throws {
    let device = try Self.device(rows: 7, user: "DELETE FROM words WHERE id = 1")
    let migrator = try Self.migrator(device, { _ in .version(1, absent: absent) })
    let adopted = try #require(try migrator.up(to: 1).adopted)
    let isMissing = absent == .missing
    #expect(adopted.edition == 1)
    #expect(adopted.tables[0].inserted == (isMissing ? 4 : 0))
    #expect(adopted.tables[0].deleted == (isMissing ? 0 : 4))
    #expect(try device.rows("SELECT count(*) FROM words") == [isMissing ? "10" : "6"])
  }

  @Test func `whoever is killed after it is not asked again`() throws {
    let device = try Self.device(rows: 4, user: "DELETE FROM words WHERE id = 1")
    let cancellation = Migrator.Cancellation()
    let asked = Guarded(0)
    let adoption: Question = { _ in
      asked.withLock { $0 += 1 }
      return .version(1, absent: .missing)
    }
    var migrator = try Self.migrator(device, adoption)
    migrator.host.reaching = { if $0 == .afterRows { cancellation.cancel() } }
    #expect(throws: SeedbedError.self) { try migrator.up(cancellation: cancellation) }
    #expect(try device.rows("SELECT count(*) FROM words") == ["10"], "the adoption was committed")
    migrator.host = .real
    _ = try migrator.up()
    #expect(try device.rows("SELECT id FROM words WHERE id < 4") == ["1", "2", "3"])
    #expect(asked.withLock { $0 } == 1)
    _ = try migrator.up()
    #expect(asked.withLock { $0 } == 1)
  }

  @Test func `what cannot be is an error, and nothing is changed`() throws {
    let device = try Self.device(rows: 10)
    let before = try device.dump()
    func message(_ adoption: @escaping Question) throws -> String {
      let migrator = try Self.migrator(device, adoption)
      let error = #expect(throws: SeedbedError.self) { try migrator.up() }
      #expect(try device.dump() == before)
      return error?.message ?? ""
    }
    #expect(try message { _ in .version(9) }.contains("migration 9"))
    #expect(
      try message { try $0.integer("DELETE FROM words RETURNING 1") == 1 ? .version(1) : .nothing }
        .contains("only looks"))
  }

  @Test func `a plan shows the same, and asks nothing of the disk`() throws {
    let device = try Self.device(rows: 10)
    let migrator = try Self.migrator(device, Self.isFilled)
    let plan = try migrator.plan()
    #expect(plan.migrations.map(\.version) == [2])
    #expect(try migrator.status().migrations.map(\.state) == [.pending, .pending])
    // What the app had done is neither before it nor behind it.
    let estimate = try migrator.estimate()
    #expect(estimate.pending == [2])
    var told: [Migrator.Progress] = []
    #expect(try migrator.up { told.append($0) }.lines == plan.lines)
    let total = told.last?.totalBytes
    #expect(total == estimate.bytes)
    let applied = told.first { $0.phase == .checking || $0.phase == .committing }
    #expect(applied?.bytes == total)
  }

  @Test func `a question that fails says whose it was`() throws {
    let device = try Self.device(rows: 10)
    let migrator = try Self.migrator(
      device,
      { try $0.integer("SELECT done FROM settings") == 1 ? .version(1) : .nothing })
    let error = #expect(throws: SeedbedError.self) { try migrator.up() }
    #expect(error?.message.hasPrefix("While asking the adoption: ") == true)
    #expect(error?.message.contains("no such table: settings") == true)
  }

  @Test func `the whole catalog may be there already`() throws {
    let device = try Self.device(rows: 10)
    let report = try Self.migrator(device, { _ in .version(2) }).up()
    #expect(report.outcome == .applied)
    #expect(report.to == 2)
    #expect(
      try device.rows("SELECT id, word FROM words WHERE id < 7 OR id > 10 ORDER BY id") == [
        "1|first", "2|second", "3|third", "4|word 4", "20|word 20",
      ])
    #expect(try Self.migrator(device, { _ in .version(2) }).up().outcome == .upToDate)
  }

  @Test func `a baseline marks migrations as there`() throws {
    let device = try Self.device(rows: 10, user: "DELETE FROM words WHERE id = 4")
    let rows = "SELECT * FROM words"
    let before = try device.rows(rows)
    let report = try device.migrator().baseline(at: 1)
    #expect(report.adopted?.version == 1 && report.notes == [])
    #expect(try device.rows(rows) == before)
    #expect(try device.migrator().baseline(at: 1).outcome == .upToDate)
    #expect(try device.migrator().status().lastRun?.outcome == .applied)
    _ = try device.up()
    #expect(try device.rows("SELECT count(*) FROM words WHERE id = 4") == ["0"])
    #expect(try device.migrator().baseline(at: 1).outcome == .upToDate, "again is no error")
  }
}
