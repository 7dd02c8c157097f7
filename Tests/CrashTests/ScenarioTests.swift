import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// The scenarios are what their names say.
@Suite struct ScenarioTests {
  @Test(arguments: Scenario.journals)
  func `an app that was killed leaves its transaction behind`(_ journal: String) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.hotJournal, journal: journal, in: place.path)
    let log = stand.start.files["app.sqlite" + (journal == "wal" ? "-wal" : "-journal")]
    #expect(try #require(log).first != 0)
    #expect(stand.stages[0].dump.lines.contains { $0.hasPrefix("mine: ") })
    #expect(!stand.stages[0].dump.lines.contains { $0.contains("half") })
  }

  @Test(arguments: Scenario.all)
  func `every scenario has steps`(_ scenario: Scenario) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(scenario, journal: "delete", in: place.path)
    let dumps = stand.stages.map(\.dump)
    #expect(dumps.count > 1)
    #expect(zip(dumps, dumps.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `the merge has conflicts, moved rows and changed keys`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.merge, journal: "delete", in: place.path)
    let last = try #require(stand.stages.last?.dump.lines)
    for kind in ["edited", "deletedByUser", "editedRetired", "keyTaken"] {
      #expect(last.contains { $0.hasPrefix("seedbed_conflicts") && $0.contains("'\(kind)'") })
    }
    #expect(last.contains { $0.hasPrefix("words: 1000|") })
  }

  /// A crash is judged by what a run without one makes of the rows, so that must be right.
  @Test func `the user's row keeps a key that the seed takes`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.withoutRowid, journal: "delete", in: place.path)
    let last = try #require(stand.stages.last?.dump.lines)
    #expect(last.contains("pairs: 'KEY 90'|90|0.25"), "the user's row is gone")
    #expect(last.contains { $0.hasPrefix("seedbed_conflicts") && $0.contains("'keyTaken'") })
  }

  @Test(arguments: Scenario.journals)
  func `pages that do not fit into memory are written before COMMIT`(_ journal: String) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.spill, journal: journal, in: place.path)
    let target = Subject.database + (journal == "wal" ? "-wal" : "")
    let spilled = Guarded(0)
    _ = try CrashReplay(
      recording: stand.subject, from: stand.start, in: place.path + "/record",
      plant: { log, host in
        @Sendable func pages() -> Int {
          log.entries.count { entry in
            if case .written(target, _, _) = entry.change { true } else { false }
          }
        }
        let before = Guarded(0)
        host.also(at: .locked) { before.withLock { $0 = pages() } }
        host.also(at: .beforeCommit) {
          spilled.withLock { $0 = pages() - before.withLock { $0 } }
        }
      })
    #expect(spilled.withLock { $0 } > 3)
  }

  /// What was killed while a file had two names must find one file again, not two.
  @Test func `a disk keeps two names of one file`() throws {
    let place = try Place(in: Place.memory)
    var image = DiskImage()
    image.files = ["a.sqlite": [1]]
    var disk = SimulatedDisk(image)
    disk.apply(.linked(from: "a.sqlite", to: "b.partial"))
    image = disk.afterKill()
    #expect(image.files.count == 2 && image.links == ["b.partial": "a.sqlite"])
    try image.write(to: place.path + "/home")
    #expect(try DiskImage(of: place.path + "/home") == image)
    disk = SimulatedDisk(image)
    disk.apply(.removed("a.sqlite"))
    disk.apply(.written("b.partial", offset: 0, bytes: [2]))
    #expect(disk.afterKill().files == ["b.partial": [2]])
    #expect(disk.afterKill().links.isEmpty)
  }

  @Test func `indexes are set aside and built again`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.indexSetAside, journal: "delete", in: place.path)
    let home = place.path + "/home"
    try stand.start.write(to: home)
    func places() throws -> [String] {
      try Reader(home + "/" + Subject.database).lines(
        "SELECT name, rootpage FROM sqlite_schema WHERE name GLOB 'many_?' ORDER BY name")
    }
    let before = try places()
    try stand.subject.perform(in: home)
    let after = try places()
    #expect(before.count == 2 && after.count == 2)
    #expect(Set(before).isDisjoint(with: after))
  }

  @Test func `a migration that verify.sql refuses leaves those before it`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.failingVerify, journal: "delete", in: place.path)
    #expect(stand.stages.map(\.version) == [1, 2])
    try stand.start.write(to: place.path + "/home")
    let migrator = stand.subject.migrator(in: place.path + "/home")
    let error = #expect(throws: SeedbedError.self) { _ = try migrator.up() }
    #expect(error?.code == .verify && error?.version == 3 && error?.applied == [2])
  }

  @Test(arguments: Scenario.journals)
  func `each journal mode writes as it should`(_ journal: String) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: journal, in: place.path)
    let replay = try CrashReplay(
      recording: stand.subject, from: stand.start, in: place.path + "/record")
    let changes = replay.entries.map(\.change)
    #expect(changes.contains(.removed("app.sqlite-journal")) == (journal == "delete"))
    #expect(changes.contains(.truncated("app.sqlite-journal", size: 0)) == (journal == "truncate"))
    let writesWAL = changes.contains { change in
      if case .written("app.sqlite-wal", _, _) = change { true } else { false }
    }
    #expect(writesWAL == (journal == "wal"))
  }
}
