import Foundation
import SeedbedAuthoring
import Testing

@testable import Seedbed

/// The first start with a ready-made database.
struct BeginningTests {
  static let files = [
    "0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);",
    "0001_words/words.csv": "id,word\n" + (1...300).map { "\($0),word \($0)\n" }.joined(),
    "0002_more/words.csv": "id,word\n301,more\n",
    "0003_last/words.csv": "id,word\n302,last\n",
  ]

  private func device(
    built version: Version? = nil, _ mode: FirstDatabase.Layout.JournalMode = .delete
  ) throws -> Device {
    let device = try Device(Self.files)
    try device.lock()
    _ = try FirstDatabase.build(
      directory: device.catalog, version: version, layout: .init(journalMode: mode))
    return device
  }

  private func first(_ device: Device) -> String { device.catalog + "/data/first.sqlite" }

  private func migrator(_ device: Device, locked: Bool = true) throws -> Migrator {
    let catalog = try locked ? Catalog(locked: device.catalog) : Catalog(directory: device.catalog)
    var migrator = Migrator(
      catalog: catalog, at: device.database, options: device.options,
      beginningWith: first(device))
    migrator.host = device.host
    return migrator
  }

  private func names(_ device: Device) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: device.path).sorted()
  }

  // MARK: it begins with the file

  @Test func `the file is copied, and nothing is left to do`() throws {
    let device = try device()
    let migrator = try migrator(device)
    let report = try migrator.up()
    #expect((report.from, report.to, report.outcome) == (0, 3, .applied))
    #expect(report.migrations.map(\.version) == [3] && report.migrations.map(\.name) == ["last"])
    #expect(report.notes == ["The database began with '\(first(device))', at 3."])
    #expect(report.backup == nil)
    let copy = try Data(contentsOf: URL(fileURLWithPath: device.database))
    #expect(try copy == Data(contentsOf: URL(fileURLWithPath: first(device))))
    #expect(try names(device) == ["Migrations", "app.sqlite"])
    let again = try migrator.up()
    #expect(again.outcome == .upToDate && again.notes == [] && again.migrations == [])
    #expect(try migrator.verify() == [])
  }

  @Test(arguments: [true, false])
  func `a newer catalog applies the rest, without a backup`(_ locked: Bool) throws {
    let device = try device(built: 2)
    let report = try migrator(device, locked: locked).up()
    #expect((report.from, report.to, report.outcome) == (0, 3, .applied))
    #expect(report.migrations.map(\.version) == [2, 3])
    #expect(report.touchedTables == ["words"] && report.backup == nil)
    #expect(
      try device.ledger() == [
        "1|baseline|0|0|0|0|0", "2|baseline|0|0|0|0|0", "3|applied|1|0|0|0|0",
      ])
    #expect(try device.rows("SELECT count(*) FROM words") == ["302"])
    #expect(try names(device) == ["Migrations", "app.sqlite"])
  }

  @Test func `its users' rows are merged from the next release on`() throws {
    let device = try device(built: 2)
    _ = try migrator(device).up(to: 2)
    try device.run("INSERT INTO words VALUES (302, 'mine'); DELETE FROM words WHERE id = 1;")
    let report = try migrator(device).up()
    #expect((report.from, report.to) == (2, 3) && report.backup != nil)
    #expect(try device.rows("SELECT word FROM words WHERE id IN (1, 302)") == ["mine"])
    #expect(try device.conflicts().count == 1)
  }

  @Test func `a file in WAL mode opens in WAL mode`() throws {
    let device = try device(built: 2, .wal)
    _ = try migrator(device).up()
    #expect(try device.rows("PRAGMA journal_mode") == ["wal"])
    #expect(try device.rows("SELECT count(*) FROM words") == ["302"])
  }

  @Test func `it may end at an earlier version, but not below the file`() throws {
    let device = try device(built: 2)
    #expect(try migrator(device).up(to: 2).to == 2)
    #expect(try device.rows("SELECT count(*) FROM words") == ["301"])
    let other = try self.device(built: 2)
    let report = try migrator(other).up(to: 1)
    #expect(report.to == 1 && report.migrations.map(\.version) == [1])
    #expect(report.notes.first?.hasSuffix("It is at 2, above 1.") == true, "\(report.notes)")
  }

  @Test func `a catalog whose old folders were dropped needs no snapshot`() throws {
    let device = try device()
    _ = try Snapshot.write(directory: device.catalog, version: 2)
    _ = try Snapshot.drop(directory: device.catalog, before: 3)
    for name in try FileManager.default.contentsOfDirectory(atPath: device.catalog)
    where name.hasSuffix(".snapshot") {
      try device.remove(name)
    }
    try device.lock()
    #expect(try device.failure().message.contains("2"))
    #expect(try migrator(device).up().to == 3)
  }

  @Test func `URLs do as well as paths, and awaiting as blocking`() async throws {
    let device = try device()
    let migrator = try Migrator(
      catalog: Catalog(locked: device.catalog), at: URL(fileURLWithPath: device.database),
      beginningWith: URL(fileURLWithPath: first(device)))
    #expect(try await migrator.up().migrations.map(\.version) == [3])
    let web = try #require(URL(string: "https://example.org/first.sqlite"))
    #expect(throws: SeedbedError.self) {
      try Migrator(
        catalog: Catalog(locked: device.catalog), at: URL(fileURLWithPath: device.database),
        beginningWith: web)
    }
  }

  @Test func `an existing database is never replaced`() throws {
    let device = try device()
    try device.run("CREATE TABLE mine (id INTEGER PRIMARY KEY); INSERT INTO mine VALUES (7);")
    let report = try migrator(device).up()
    #expect(report.migrations.map(\.version) == [1, 2, 3] && report.notes == [])
    #expect(try device.rows("SELECT id FROM mine") == ["7"])
    let strict = try self.device(built: 1)
    let error = #expect(throws: SeedbedError.self) {
      try migrator(strict).up(createsDatabase: false)
    }
    #expect(error?.code == .io && error?.message.contains("There is no database") == true)
  }

  // MARK: it does not

  /// What is wrong with the file, and the words of the note.
  private static let spoilt: [(String, @Sendable (inout Data) -> Void, String)] = [
    ("cut off", { $0.removeLast(4096) }, "malformed"),
    ("longer", { $0 += Data(count: 4096) }, "bytes, and its header says"),
    ("text", { $0 = Data("no database at all, but long enough to look".utf8) }, "not a database"),
    ("empty", { $0 = Data() }, "lists no migration"),
  ]

  @Test(arguments: spoilt.indices)
  func `a file that is no such database is passed over with a note`(_ index: Int) throws {
    let (_, spoil, words) = Self.spoilt[index]
    let device = try device(built: 2)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: first(device)))
    spoil(&bytes)
    try bytes.write(to: URL(fileURLWithPath: first(device)))
    try expectOrdinary(device, words)
  }

  private func expectOrdinary(
    _ device: Device, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let migrator = try migrator(device)
    let plan = try migrator.plan()
    #expect(plan.outcome == .planned, sourceLocation: sourceLocation)
    let report = try migrator.up()
    #expect(plan.notes == report.notes, sourceLocation: sourceLocation)
    let note = try #require(report.notes.first, sourceLocation: sourceLocation)
    #expect(
      note.hasPrefix("The database did not begin with '") && note.contains(words), "\(note)",
      sourceLocation: sourceLocation)
    #expect(
      report.outcome == .applied && report.migrations.first?.version == 1,
      sourceLocation: sourceLocation)
    #expect(try names(device).allSatisfy { !$0.hasSuffix(".partial") })
  }

  @Test func `a file that is missing, in use, of another catalog or newer is passed over`() throws {
    let missing = try device()
    try missing.remove("data/first.sqlite")
    try expectOrdinary(missing, "There is no such file.")
    let used = try device()
    try used.write(["data/first.sqlite-wal": "x"])
    try expectOrdinary(used, "'first.sqlite-wal' is beside it")
    let other = try device(built: 2)
    try other.write(["0001_words/words.csv": "id,word\n1,other\n"])
    try other.lock()
    try expectOrdinary(other, "made of other migrations")
    let newer = try device()
    try newer.remove("0003_last")
    try newer.lock()
    try expectOrdinary(newer, "3")
    let foreign = try device()
    try Connection(first(foreign), .readWrite, setup: nil).execute("DROP TABLE seedbed_runs")
    try expectOrdinary(foreign, "seedbed_runs")
  }

  /// SQLite would take them for the copy's own.
  @Test(arguments: ["-wal", "-journal"])
  func `the log of an earlier database keeps the copy away`(_ ending: String) throws {
    let device = try device()
    try Data("left".utf8).write(to: URL(fileURLWithPath: device.database + ending))
    let report = try migrator(device).up()
    #expect(report.notes.first?.contains("is left of an earlier database") == true)
    #expect(report.migrations.map(\.version) == [1, 2, 3])
  }

  // MARK: what is said before

  @Test func `the outlook knows that nothing or only the rest is pending`() throws {
    let whole = try device()
    let size = Int64(try Data(contentsOf: URL(fileURLWithPath: first(whole))).count)
    let estimate = try migrator(whole).estimate()
    #expect(estimate.pending == [] && estimate.bytes == 0 && estimate.duration == .zero)
    #expect(estimate.neededBytes == size)
    let part = try device(built: 2)
    let rest = try migrator(part).estimate()
    #expect(rest.pending == [3] && rest.rows == 1 && rest.neededBytes > size)
    try part.remove("data/first.sqlite")
    #expect(try migrator(part).estimate().pending == [1, 2, 3])
    #expect(try migrator(part).status().current == 0)
    #expect(try names(part) == ["Migrations"])
  }

  @Test func `a plan begins with the file too, and makes nothing`() throws {
    let device = try device(built: 2)
    let plan = try migrator(device).plan()
    #expect((plan.from, plan.to, plan.outcome) == (0, 3, .planned))
    #expect(plan.migrations.map(\.version) == [2, 3] && plan.counts.inserted == 1)
    #expect(plan.notes.first?.hasSuffix("', at 2.") == true)
    let whole = try self.device()
    let nothing = try migrator(whole).plan()
    #expect((nothing.from, nothing.to, nothing.outcome) == (0, 3, .planned))
    let size = try Data(contentsOf: URL(fileURLWithPath: first(whole))).count
    #expect(nothing.neededBytes == Int64(size))
    #expect(try names(device) == ["Migrations"] && names(whole) == ["Migrations"])
  }
}
