import Foundation
import Testing

@testable import Seedbed

/// Many databases of one catalog.
struct FleetTests {
  private static let releases = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL);",
    "0001_words/words.csv": "id,text\n1,one\n2,two\n",
    "0002_more/words.update.csv": "id,was:text,text\n1,one,ONE\n2,two,TWO\n",
  ]

  /// A device whose folder has databases at 1: `1.sqlite`, `2.sqlite`, …
  private func device(_ count: Int) throws -> Device {
    let device = try Device(Self.releases)
    try device.up(to: 1)
    for number in 1...count {
      try FileManager.default.copyItem(
        atPath: device.database, toPath: "\(device.path)/\(number).sqlite")
    }
    return device
  }

  private func paths(_ device: Device, _ names: [String]) -> [String] {
    names.map { "\(device.path)/\($0).sqlite" }
  }

  private func fleet(_ device: Device, _ names: [String]) throws -> Fleet {
    var fleet = Fleet(
      catalog: try Catalog(directory: device.catalog), at: paths(device, names))
    fleet.options.takesBackup = false
    return fleet
  }

  private func run(_ device: Device, _ name: String, _ sql: String) throws {
    try Connection("\(device.path)/\(name).sqlite", .readWrite, setup: nil).executeAll(sql)
  }

  private func numbers(_ summary: Fleet.Summary) -> String {
    "\(summary.changed) changed, \(summary.upToDate) up to date, \(summary.failures.count) failed, "
      + "\(summary.left) left"
  }

  private func texts(_ device: Device, _ name: String) throws -> [String] {
    try Connection("\(device.path)/\(name).sqlite", .readWrite, setup: nil)
      .rows("SELECT text FROM words ORDER BY id").map { $0[0].text ?? "" }
  }

  @Test func `each is brought up to date, and conflicts are counted by table and column`() throws {
    let device = try device(4)
    try run(device, "2", "UPDATE words SET text = 'mine' WHERE id = 1")
    try run(device, "3", "UPDATE words SET text = 'mine'")
    try run(device, "4", "DELETE FROM words WHERE id = 2")
    let fleet = try fleet(device, ["1", "2", "3", "4", "4"])
    var heard: [String] = []
    let summary = try fleet.up { path, result in
      if case .success(let report) = result { heard.append("\(path) \(report.outcome)") }
    }
    #expect(heard.sorted() == paths(device, ["1", "2", "3", "4"]).map { "\($0) applied" })
    #expect(
      summary.databases == 4 && numbers(summary) == "4 changed, 0 up to date, 0 failed, 0 left")
    #expect(summary.withConflicts == 3)
    #expect(
      summary.conflicts == [
        .init(table: "words", column: "text", kind: .edited, policy: "keepEdits", count: 3),
        .init(table: "words", column: nil, kind: .deletedByUser, policy: nil, count: 1),
      ])
    #expect(try texts(device, "1") == ["ONE", "TWO"] && texts(device, "2") == ["mine", "TWO"])
    let slowest = try #require(summary.slowest)
    #expect(slowest.duration > .zero && slowest.duration <= summary.duration)
    #expect(paths(device, ["1", "2", "3", "4"]).contains(slowest.database))

    let again = try fleet.up()
    #expect(numbers(again) == "0 changed, 4 up to date, 0 failed, 0 left")
    #expect(again.withConflicts == 0)
  }

  @Test func `a plan tells the same and changes nothing`() throws {
    let device = try device(3)
    try run(device, "2", "UPDATE words SET text = 'mine'")
    try run(device, "3", "DROP TABLE words")
    let before = try Data(contentsOf: URL(fileURLWithPath: "\(device.path)/1.sqlite"))
    var fleet = try fleet(device, ["3", "1", "2"])
    fleet.jobs = 1
    let plan = try fleet.plan()
    #expect(numbers(plan) == "2 changed, 0 up to date, 1 failed, 0 left", "it goes on")
    #expect(plan.conflicts.map(\.count) == [2])
    #expect(try Data(contentsOf: URL(fileURLWithPath: "\(device.path)/1.sqlite")) == before)
  }

  @Test func `after a failure no other is begun, unless it is to go on`() throws {
    let device = try device(4)
    try run(device, "1", "DROP TABLE words")
    var fleet = try fleet(device, ["1", "2", "3", "4"])
    fleet.jobs = 1
    let stopped = try fleet.up()
    #expect(numbers(stopped) == "0 changed, 0 up to date, 1 failed, 3 left")
    #expect(stopped.failures[0].database == "\(device.path)/1.sqlite")
    #expect(stopped.failures[0].error.message.contains("The table 'words' no longer exists"))
    fleet.keepsGoing = true
    let all = try fleet.up()
    #expect(numbers(all) == "3 changed, 0 up to date, 1 failed, 0 left")
  }

  @Test func `canaries are of all versions and sizes, and one that fails stops the others`() throws
  {
    let device = try device(9)
    for (number, rows) in [3: 2000, 5: 4000, 7: 6000] {
      try run(
        device, "\(number)",
        "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) "
          + "INSERT INTO words SELECT i, 'mine' FROM n")
    }
    var one = try device.migrator()
    one = Migrator(catalog: one.catalog, at: "\(device.path)/9.sqlite")
    try one.up()
    try run(device, "7", "DELETE FROM seedbed_migrations")
    var fleet = try fleet(device, (1...9).map(String.init))
    (fleet.jobs, fleet.canaries, fleet.keepsGoing) = (1, 3, true)
    var heard: [String] = []
    let summary = try fleet.up { path, _ in heard.append(path) }
    // The oldest, the one in the middle, the newest; the oldest has lost its ledger's row.
    #expect(heard == [paths(device, ["7"])[0]])
    #expect(numbers(summary) == "0 changed, 0 up to date, 1 failed, 8 left")

    let sound = (1...9).filter { $0 != 7 }.map(String.init)
    fleet = try self.fleet(device, sound)
    (fleet.jobs, fleet.canaries) = (1, 3)
    heard = []
    try fleet.up { path, _ in heard.append(path) }
    // The smallest, the one in the middle, the largest; not 9, which is up to date.
    #expect(heard.prefix(3) == paths(device, ["1", "6", "5"])[...])
    #expect(heard.count == 8)
  }

  @Test func `a missing database is a failure and not created`() throws {
    let device = try device(1)
    var fleet = try fleet(device, ["1", "gone"])
    // Whatever the app sets.
    fleet.options = Migrator.Options()
    fleet.keepsGoing = true
    let summary = try fleet.up()
    #expect(numbers(summary) == "1 changed, 0 up to date, 1 failed, 0 left")
    #expect(summary.failures[0].error.message.hasPrefix("There is no database at"))
    #expect(!FileManager.default.fileExists(atPath: "\(device.path)/gone.sqlite"))
  }

  @Test func `one that is locked holds nobody up beyond its timeout`() throws {
    let device = try device(4)
    var fleet = try fleet(device, ["1", "2", "3", "4"])
    (fleet.jobs, fleet.keepsGoing) = (1, true)
    fleet.options.lockTimeout = .milliseconds(200)
    let app = try Connection("\(device.path)/1.sqlite", .readWrite, setup: nil)
    try app.execute("BEGIN EXCLUSIVE")
    let started = Clock.monotonic()
    let summary = try fleet.up()
    #expect(summary.failures.map(\.error.code) == [.busy] && summary.changed == 3)
    #expect(Clock.monotonic() - started < 5)
    try app.execute("ROLLBACK")
    #expect(try fleet.up().changed == 1)
  }

  @Test func `several are worked on at a time`() throws {
    let device = try device(2)
    let inside = Guarded((now: 0, most: 0))
    var fleet = try fleet(device, ["1", "2"])
    fleet.jobs = 2
    fleet.hooks.beforeCommit = { _, _ in
      inside.wait(until: { _ in true }) { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
      // Neither leaves before the other is there, or two seconds are over.
      for _ in 0..<200 where inside.withLock({ $0.most }) < 2 { usleep(10_000) }
      inside.withLock { $0.now -= 1 }
    }
    #expect(try fleet.up().changed == 2)
    #expect(inside.withLock { $0.most } == 2)
    (fleet.jobs, fleet.canaries) = (1, 0)
    #expect(try fleet.up().upToDate == 2)
  }

  @Test func `cancelled, it rolls back what is in flight and says what is left`() throws {
    let device = try device(3)
    let cancellation = Migrator.Cancellation()
    var fleet = try fleet(device, ["1", "2", "3"])
    (fleet.jobs, fleet.keepsGoing) = (1, true)
    let count = Guarded(0)
    fleet.hooks.beforeCommit = { _, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 2 { cancellation.cancel() }
    }
    let summary = try fleet.up(cancellation: cancellation)
    #expect(numbers(summary) == "1 changed, 0 up to date, 0 failed, 2 left")
    #expect(try texts(device, "2") == ["one", "two"])
    fleet.hooks.beforeCommit = nil
    let rest = try fleet.up()
    #expect(numbers(rest) == "2 changed, 1 up to date, 0 failed, 0 left")
  }

  @Test func `the rows are read once for all of them`() throws {
    let device = try device(3)
    var fleet = try fleet(device, ["1", "2", "3"])
    fleet.jobs = 1
    let file = "\(device.catalog)/0002_more/words.update.csv"
    fleet.hooks.beforeCommit = { _, _ in
      // Of the same size: whoever reads it again finds a header without a key.
      try Data(repeating: UInt8(ascii: "x"), count: 37).write(to: URL(fileURLWithPath: file))
    }
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int == 37)
    #expect(try fleet.up().changed == 3)
    #expect(try texts(device, "3") == ["ONE", "TWO"])
  }

  @Test func `what does not fit into the room is read from its file`() throws {
    let device = try Device(Self.releases)
    let catalog = try Catalog(directory: device.catalog)
    let migrations = try catalog.migrations()
    let cache = ContentCache(limit: 40)
    let second = try #require(migrations[1].files.first)
    #expect(try cache.content(of: second, in: migrations[1], of: catalog)?.count == 37)
    let first = try #require(migrations[0].file(.insert(table: "words")))
    #expect(try cache.content(of: first, in: migrations[0], of: catalog) == nil)
    #expect(try cache.content(of: second, in: migrations[1], of: catalog)?.count == 37)
  }

  @Test func `one folder for all backups is refused`() throws {
    let device = try device(1)
    var fleet = try fleet(device, ["1"])
    fleet.options.backupFolder = device.path
    let error = #expect(throws: SeedbedError.self) { try fleet.up() }
    #expect(error?.code == .usage)
    #expect(
      error?.message.hasPrefix("Databases of the same name would share their backups") == true)
  }

  @Test func `one request stops several runs`() {
    let cancellation = Migrator.Cancellation()
    let stopped = Guarded<Set<String>>([])
    cancellation.interrupting(with: { stopped.withLock { _ = $0.insert("first") } }) {
      cancellation.interrupting(with: { stopped.withLock { _ = $0.insert("gone") } }) {}
      cancellation.interrupting(with: { stopped.withLock { _ = $0.insert("second") } }) {
        cancellation.cancel()
      }
    }
    #expect(stopped.withLock { $0 } == ["first", "second"])
  }
}
