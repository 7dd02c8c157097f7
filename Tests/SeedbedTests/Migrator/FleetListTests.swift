import Foundation
import Testing

@testable import Seedbed

/// What is wrong with the list of databases, with the catalog, or with the disk, and not with one
/// database.
struct FleetListTests {
  private static let releases = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, text TEXT NOT NULL);",
    "0001_words/words.csv": "id,text\n1,one\n2,two\n",
    "0002_more/words.update.csv": "id,was:text,text\n1,one,ONE\n",
  ]

  /// Databases at 1, and one of no bytes.
  private func fleet(_ device: Device, _ names: [String]) throws -> Fleet {
    try device.up(to: 1)
    for name in ["1", "2", "3"] {
      try FileManager.default.copyItem(
        atPath: device.database, toPath: "\(device.path)/\(name).sqlite")
    }
    try Data().write(to: URL(fileURLWithPath: "\(device.path)/empty.sqlite"))
    var fleet = Fleet(
      catalog: try Catalog(directory: device.catalog),
      at: names.map { "\(device.path)/\($0).sqlite" })
    fleet.options.takesBackup = false
    return fleet
  }

  @Test(arguments: ["gone", "empty"])
  func `one that is not there is no canary`(_ name: String) throws {
    let device = try Device(Self.releases)
    var fleet = try fleet(device, [name, "1", "2", "3"])
    (fleet.jobs, fleet.canaries, fleet.keepsGoing) = (1, 10, true)
    let summary = try fleet.up()
    #expect(summary.changed == 3 && summary.left == 0)
    #expect(summary.failures.map(\.error.code) == [.io])
  }

  @Test func `an empty file stays empty, unless a database is to be created`() throws {
    let device = try Device(Self.releases)
    let fleet = try fleet(device, ["empty"])
    let words = "There is no database at '\(device.path)/empty.sqlite': the file is empty. "
    for summary in [try fleet.up(), try fleet.plan()] {
      #expect(summary.failures.map { $0.error.message.hasPrefix(words) } == [true])
    }
    try fleet.each(nil, { try $0.status() }) { _, result, _ in
      #expect(throws: SeedbedError.self) { try result.get() }
    }
    let migrator = Migrator(catalog: fleet.catalog, at: "\(device.path)/empty.sqlite")
    #expect(throws: SeedbedError.self) { try migrator.baseline(at: 1) }
    #expect(throws: SeedbedError.self) { try migrator.plan(createsDatabase: false) }
    #expect(throws: SeedbedError.self) { try migrator.up(createsDatabase: false) }
    #expect(Paths.size("\(device.path)/empty.sqlite") == 0)
    #expect(try migrator.up().to == 2)
  }

  @Test func `a broken catalog.json is an error once, before the first database`() throws {
    let device = try Device(Self.releases)
    let paths = try fleet(device, ["1", "2", "3"]).paths
    try device.write(["catalog.json": #"{"tables": {"words": {"onEdited": "keepRow"}}}"#])
    try device.lock()
    // Of a catalog with a lock, it is only read when a migration is applied.
    try device.write(["catalog.json": #"{"tables": {"words": {"onEdited": "keepROW"}}}"#])
    let fleet = Fleet(catalog: try Catalog(directory: device.catalog), at: paths)
    let heard = Guarded(0)
    let calls: [() throws -> Fleet.Summary] = [
      { try fleet.up { _, _ in heard.withLock { $0 += 1 } } },
      { try fleet.plan { _, _ in heard.withLock { $0 += 1 } } },
    ]
    for call in calls {
      let error = #expect(throws: SeedbedError.self) { try call() }
      #expect(error?.code == .catalog && error?.place?.file == "catalog.json")
    }
    #expect(heard.withLock { $0 } == 0)
  }

  // MARK: the disk

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// What others were promised.
    var others: [Int64]
    var free: Int64?
    var asked: Int64
    var waits = false
  }

  static let cases = [
    Case(testDescription: "alone on a full disk", others: [], free: 10, asked: 90),
    Case(testDescription: "room for both", others: [40], free: 100, asked: 60),
    Case(testDescription: "room for each", others: [60], free: 100, asked: 60, waits: true),
    Case(testDescription: "beside two", others: [30, 30], free: 100, asked: 60, waits: true),
    Case(testDescription: "unknown", others: [60], free: nil, asked: 60),
  ]

  @Test(arguments: cases) func `jobs share the free space`(_ c: Case) throws {
    let disk = SharedDisk()
    for (place, bytes) in c.others.enumerated() {
      disk.promise(bytes, to: "other \(place)") { nil }
    }
    let isPromised = Guarded(false)
    let thread = try Thread {
      disk.promise(c.asked, to: "own") { c.free }
      isPromised.withLock { $0 = true }
    }
    if c.waits {
      usleep(50_000)
      #expect(!isPromised.withLock { $0 })
    } else {
      thread.join()
      #expect(isPromised.withLock { $0 })
    }
    for place in c.others.indices { disk.release("other \(place)") }
    if c.waits { thread.join() }
    #expect(isPromised.withLock { $0 })
  }

  @Test func `a run waits for room`() throws {
    let device = try Device(Self.releases)
    let path = try fleet(device, ["1"]).paths[0]
    let disk = SharedDisk()
    disk.promise(.max / 2, to: "other") { nil }
    let reached = Guarded<Version?>(nil)
    var migrator = Migrator(catalog: try Catalog(directory: device.catalog), at: path)
    migrator.disk = disk
    let thread = try Thread { [migrator] in
      let report = try? migrator.up()
      reached.withLock { $0 = report?.to }
    }
    usleep(100_000)
    #expect(reached.withLock { $0 } == nil)
    disk.release("other")
    thread.join()
    #expect(reached.withLock { $0 } == 2)
  }

  @Test func `all of a fleet share one disk`() throws {
    let device = try Device(Self.releases)
    let fleet = try fleet(device, ["1", "2", "3"])
    var disks: [ObjectIdentifier?] = []
    try fleet.each(nil, { $0.disk.map { ObjectIdentifier($0) } }) { _, result, _ in
      disks.append(try? result.get())
    }
    #expect(disks.count == 3 && Set(disks).count == 1 && disks[0] != nil)
  }
}
