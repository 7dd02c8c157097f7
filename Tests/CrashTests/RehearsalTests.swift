import Foundation
import Seedbed
import SeedbedAuthoring
import TestSupport
import Testing

@testable import SeedbedFaults

@Suite struct RehearsalTests {
  @Test(arguments: ["delete", "wal"])
  func `a sound release passes, and the database is only read`(_ journal: String) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.merge, journal: journal, in: place.path)
    let before = try contents(of: place.path + "/before")
    var rehearsal = Rehearsal(stand.migrator, points: .sample(80), seed: 7)
    // Under a sanitizer, ten seconds may not be enough for all of them.
    rehearsal.timeLimit = nil
    let report = try rehearsal.run()
    #expect(report.failures == [])
    #expect(report.points > 40 && report.points <= 80)
    #expect(report.kills > 0 && report.powerLosses > 0 && report.fullDisks > 0)
    #expect(report.report.migrations.map(\.version) == [3, 4, 5])
    #expect(report.report.migrations.reduce(0) { $0 + $1.conflictCount } > 0)
    #expect(report.operations > 50 && report.diskBytes > 0)
    #expect(report.duration >= report.lockDuration && report.lockDuration > .zero)
    #expect(try contents(of: place.path + "/before") == before)
  }

  @Test func `the same seed tries the same points`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    let reports = try [3, 3, 4].map {
      try Rehearsal(stand.migrator, points: .sample(30), seed: $0).run()
    }
    let counts = reports.map { [$0.kills, $0.powerLosses, $0.fullDisks] }
    #expect(counts[0] == counts[1])
    #expect(counts[0] != counts[2])
  }

  @Test func `what would be lost is named with its point`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    let bug = try #require(PlantedBug.all.first { $0.name.hasPrefix("ledger row") })
    let report = try Rehearsal(stand.migrator, points: .all).run(plant: bug.plant)
    let failure = try #require(report.failures.first)
    #expect(["kill", "power loss"].contains(failure.fault))
    #expect(failure.found.hasPrefix("half done: not a state between two migrations"))
    #expect(failure.last.contains("app.sqlite"))
  }

  @Test func `with nothing pending there is nothing to rehearse`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    _ = try stand.migrator.up()
    let report = try Rehearsal(stand.migrator).run()
    #expect(report.report.outcome == .upToDate)
    #expect(report.points == 0)
  }

  @Test func `what comes late is rehearsed where that is allowed`() throws {
    let place = try Place(in: Place.memory)
    var scenario = Scenario.oneOfThree
    let late = "0002_more/words.csv"
    scenario.files[late] = nil
    scenario.before = .up(to: 3, user: "")
    let stand = try Stand(scenario, journal: "delete", in: place.path)
    // The next release brings it, below what was applied.
    let folder = stand.subject.catalog.path
    let file = URL(fileURLWithPath: folder + "/" + late)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(try #require(Scenario.words[late]).utf8).write(to: file)
    _ = try CatalogLock.write(directory: folder)
    var subject = stand.subject
    subject.catalog = try Catalog(locked: folder)
    let before = place.path + "/before"
    let error = #expect(throws: SeedbedError.self) {
      _ = try Rehearsal(subject.migrator(in: before)).run()
    }
    #expect(error?.code == .outOfOrder)
    subject.options.allowsOutOfOrder = true
    let report = try Rehearsal(subject.migrator(in: before), points: .sample(60)).run()
    #expect(report.failures == [])
    #expect(report.points > 30)
    #expect(report.report.migrations.map(\.version) == [2])
  }

  /// Each look at the clock takes a second.
  private static func slowClock() -> @Sendable () -> Double {
    let now = Guarded(0.0)
    return {
      now.withLock { now in
        now += 1
        return now
      }
    }
  }

  @Test(arguments: [(nil, 9), (30, 29), (1.0, 1)] as [(Double?, Int)])
  func `it tries what the time is enough for, and says so`(_ limit: Double?, _ tried: Int) throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    var rehearsal = Rehearsal(stand.migrator)
    rehearsal.now = Self.slowClock()
    if let limit { rehearsal.timeLimit = .seconds(limit) }
    let report = try rehearsal.run()
    // The first point is tried without a look at the clock.
    #expect(report.points == tried + (limit == 1.0 ? 0 : 1))
    #expect(report.isTimeOver && report.allPoints > report.points)
  }

  @Test func `without a limit, or where all are asked for, the time does not matter`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    var all = Rehearsal(stand.migrator, points: .all)
    all.now = Self.slowClock()
    let report = try all.run()
    #expect(report.points == report.allPoints && !report.isTimeOver)
    var some = Rehearsal(stand.migrator, points: .sample(40))
    some.now = Self.slowClock()
    some.timeLimit = nil
    #expect(try some.run().points == 40)
    #expect(Rehearsal(stand.migrator).timeLimit == .seconds(10))
  }

  @Test func `as many points as the time was enough for are the same points again`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    var limited = Rehearsal(stand.migrator, seed: 5)
    limited.timeLimit = .seconds(17)
    limited.now = Self.slowClock()
    let first = try limited.run()
    var whole = Rehearsal(stand.migrator, points: .sample(first.points), seed: 5)
    whole.timeLimit = nil
    let again = try whole.run()
    #expect(first.points > 1)
    let counts = [first, again].map { [$0.kills, $0.powerLosses, $0.fullDisks] }
    #expect(counts[0] == counts[1])
  }

  @Test func `it can be cancelled`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.oneOfThree, journal: "delete", in: place.path)
    let cancellation = Migrator.Cancellation()
    let error = #expect(throws: SeedbedError.self) {
      try Rehearsal(stand.migrator).run(cancellation: cancellation) { fraction in
        if fraction > 0.1 { cancellation.cancel() }
      }
    }
    #expect(error?.code == .cancelled)
  }

  private func contents(of folder: String) throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        FileManager.default.contents(atPath: folder + "/" + name).map { (name, $0) }
      })
  }
}

extension Stand {
  /// On the database as it is before.
  fileprivate var migrator: Migrator { subject.migrator(in: folder + "/before") }
}
