import Testing

@testable import Seedbed

/// What each call tells of how far it is: first 0, last 1, and never back.
struct ProgressTests {
  final class Heard {
    var values: [Migrator.Progress] = []
    func add(_ value: Migrator.Progress) { values.append(value) }

    var phases: [Migrator.Progress.Phase] {
      values.map(\.phase).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    func check(sourceLocation: SourceLocation = #_sourceLocation) {
      let fractions = values.map(\.fraction)
      #expect(fractions.first == 0, sourceLocation: sourceLocation)
      #expect(fractions.last == 1, sourceLocation: sourceLocation)
      #expect(fractions.sorted() == fractions, sourceLocation: sourceLocation)
      let rows = values.map(\.rows)
      #expect(rows.sorted() == rows, sourceLocation: sourceLocation)
      let isWithin = values.allSatisfy { $0.bytes <= $0.totalBytes }
      #expect(isWithin, sourceLocation: sourceLocation)
    }
  }

  @Test func `up goes through its phases for each migration`() throws {
    let device = try CommitTests.device("delete")
    let heard = Heard()
    _ = try device.migrator().up(progress: heard.add)
    heard.check()
    #expect(
      heard.phases == [
        .waiting, .backingUp, .applying, .checking, .committing, .waiting, .applying, .checking,
        .committing,
      ])
    #expect(heard.values.last?.rows == 3)
    #expect(heard.values.last?.bytes == heard.values.last?.totalBytes)
    #expect(heard.values.last?.version == 2)
  }

  @Test(arguments: [true, false])
  func `nothing pending is a 0 and a 1, with a lock and without`(_ isLocked: Bool) throws {
    let device = try CommitTests.device("delete")
    if isLocked { try device.lock() }
    try device.up()
    let heard = Heard()
    let report = try device.migrator(locked: isLocked).up(progress: heard.add)
    #expect(report.outcome == .upToDate)
    #expect(heard.values.map(\.fraction) == [0, 1])
  }

  @Test func `where another process applied it all, it waits no second time`() throws {
    let device = try CommitTests.device("delete")
    let other = try device.migrator()
    device.host.reaching = { moment in
      guard moment == .runStarted else { return }
      do { _ = try other.up() } catch { Issue.record("\(error)") }
    }
    let heard = Heard()
    let report = try device.migrator().up(progress: heard.add)
    heard.check()
    #expect(report.outcome == .upToDate)
    #expect(heard.values.allSatisfy { $0.phase != .waiting || [0, 1].contains($0.fraction) })
  }

  @Test func `a racer that applies some meanwhile makes it jump ahead`() throws {
    let device = try CommitTests.device("delete")
    let other = try device.migrator()
    device.host.reaching = { moment in
      guard moment == .runStarted else { return }
      do { _ = try other.up(to: 1) } catch { Issue.record("\(error)") }
    }
    let heard = Heard()
    _ = try device.migrator().up(progress: heard.add)
    heard.check()
    let second = try #require(heard.values.first { $0.version == 2 })
    #expect(second.bytes == 12)
    #expect(second.totalBytes == 20)
  }

  @Test func `a migration that begins again without foreign keys counts once`() throws {
    let example = BrokenForeignKeyTests.cases[0]
    let device = try Device(
      ["0001_t/t.csv": "a,b\n1,\n2,\n3,\n", "0002_t/t.csv": "a,b\n4,\n"], app: example.app)
    device.isCheckedForForeignKeys = false
    let heard = Heard()
    let report = try device.migrator().up(progress: heard.add)
    #expect(report.notes.count == 2)
    heard.check()
    #expect(heard.values.last?.rows == 4)
  }

  @Test func `a plan, also where it takes a copy`() throws {
    let device = try Device(
      [
        "0001_rebuild/up.sql": RebuildTests.rebuild,
        "0001_rebuild/migration.json": RebuildTests.off,
        "0001_rebuild/elements.csv": "number,name,symbol\n3,Lithium,Li\n",
      ], app: RebuildTests.app)
    let heard = Heard()
    #expect(try device.migrator().plan(progress: heard.add).outcome == .planned)
    heard.check()
    #expect(heard.values.last?.rows == 1)
  }

  @Test func `down, which tries all of it first`() throws {
    let device = try Device(DownRunTests.scripted)
    try device.up()
    let heard = Heard()
    _ = try device.migrator().down(to: 0, progress: heard.add)
    heard.check()
    #expect(heard.phases.starts(with: [.waiting, .checking]))
    let applying = try #require(heard.values.first { $0.phase == .applying })
    #expect(applying.fraction >= 0.5)
  }

  @Test func `restore, whose share is that of the pages`() throws {
    let device = try CommitTests.device("wal")
    try device.run(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO mine SELECT randomblob(1000) FROM n
      """)
    try device.up()
    let heard = Heard()
    _ = try device.migrator().restore(progress: heard.add)
    heard.check()
    #expect(heard.phases == [.waiting, .backingUp, .applying])
    #expect(heard.values.count > 3)
  }

  @Test func `waiting for the lock is a phase that is told while it lasts`() throws {
    let device = try CommitTests.device("delete")
    device.options.lockTimeout = .seconds(30)
    let other = BusyTests.Other()
    other.begin(device.database, BusyTests.writing)
    let heard = Heard()
    let started = Clock.monotonic()
    _ = try device.migrator().up { progress in
      heard.add(progress)
      // The second value is that of the wait: it comes although nothing moves.
      if heard.values.count == 2 { other.end() }
    }
    #expect(Clock.monotonic() - started < 20)
    heard.check()
    #expect(heard.values[1].phase == .waiting && heard.values[1].version == 1)
  }

  @Test func `also where so much was told before that it finds no room at first`() throws {
    let files = (10...49).map { ("00\($0)_a/up.sql", "SELECT 1;") }
    let device = try Device(Dictionary(uniqueKeysWithValues: files))
    device.options.lockTimeout = .seconds(30)
    let other = BusyTests.Other()
    let left = Guarded(20)
    device.host.reaching = { [path = device.database] moment in
      guard moment == .beforeNextMigration else { return }
      let isDue = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isDue { other.begin(path, BusyTests.writing) }
    }
    let heard = Heard()
    _ = try device.migrator().up { progress in
      heard.add(progress)
      // Nobody else would let the lock go.
      if progress.version == 30, progress.phase == .waiting { other.end() }
    }
    heard.check()
  }

  /// The file is read in a quarter of the time. So many rows take long enough for several reports.
  @Test func `an update that was read has yet to be merged`() throws {
    let count = 600_000
    let rows = { (head: String, row: (Int) -> String) in
      head + (1...count).map(row).joined()
    }
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);",
      "0001_t/t.csv": rows("a,b\n") { "\($0),x\n" },
      "0002_t/t.update.csv": rows("a,b,was:b\n") { "\($0),y\($0),x\n" },
    ])
    try device.up(to: 1)
    let heard = Heard()
    var beforeCommit: [Double] = []
    var migrator = try device.migrator()
    nonisolated(unsafe) let note = {
      if let last = heard.values.last { beforeCommit.append(last.fraction) }
    }
    migrator.host.reaching = { if $0 == .beforeCommit || $0 == .afterCommit { note() } }
    _ = try migrator.up(progress: heard.add)
    heard.check()
    let isRead = heard.values.filter { $0.phase == .applying && $0.bytes == $0.totalBytes }
    #expect(try #require(isRead.first).fraction < 0.5)
    #expect(isRead.count > 2, "merging is told, too")
    #expect(heard.values.last?.rows == Int64(count))
    #expect(beforeCommit.count == 2 && beforeCommit.allSatisfy { $0 < 1 })
    #expect(heard.values.dropLast().allSatisfy { $0.fraction < 1 })
  }

  /// All rows go in by one statement at first, which tells only at its end that one did not.
  @Test func `an insert that meets a user's row has yet to be merged`() throws {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);",
      "0002_t/t.csv": "a,b\n" + (1...20_000).map { "\($0),x\n" }.joined(),
    ])
    try device.up(to: 1)
    try device.run("INSERT INTO t VALUES (10000, 'mine')")
    let heard = Heard()
    _ = try device.migrator().up(progress: heard.add)
    heard.check()
    let isRead = heard.values.filter { $0.phase == .applying && $0.bytes == $0.totalBytes }
    withKnownIssue("The first statement counts as all of the file's work.") {
      let first = try #require(isRead.first)
      #expect(first.fraction < 0.5)
    }
  }

  @Test func `a run that fails does not end with 1`() throws {
    let device = try Device(["0001_t/up.sql": "SELEC"])
    let heard = Heard()
    #expect(throws: SeedbedError.self) { try device.migrator().up(progress: heard.add) }
    #expect(heard.values.last?.fraction == 0)
  }
}
