import Seedbed
import SeedbedFaults
import Testing

/// The scenarios are what their names say.
@Suite struct ScenarioTests {
  @Test(arguments: Scenario.journals)
  func `an app that was killed leaves its transaction behind`(_ journal: String) throws {
    let bench = try Bench()
    let stand = try Stand(.hotJournal, journal: journal, in: bench.folder)
    let log = stand.start.files["app.sqlite" + (journal == "wal" ? "-wal" : "-journal")]
    #expect(try #require(log).first != 0)
    #expect(stand.stages[0].dump.lines.contains { $0.hasPrefix("mine: ") })
    #expect(!stand.stages[0].dump.lines.contains { $0.contains("half") })
  }

  @Test(arguments: Scenario.all)
  func `every scenario has steps`(_ scenario: Scenario) throws {
    let bench = try Bench()
    let stand = try Stand(scenario, journal: "delete", in: bench.folder)
    let dumps = stand.stages.map(\.dump)
    #expect(dumps.count > 1)
    #expect(zip(dumps, dumps.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `the merge has conflicts, moved rows and changed keys`() throws {
    let bench = try Bench()
    let stand = try Stand(.merge, journal: "delete", in: bench.folder)
    let last = try #require(stand.stages.last?.dump.lines)
    for kind in ["edited", "deletedByUser", "editedRetired", "keyTaken"] {
      #expect(last.contains { $0.hasPrefix("seedbed_conflicts") && $0.contains("'\(kind)'") })
    }
    #expect(last.contains { $0.hasPrefix("words: 1000|") })
  }

  @Test(arguments: Scenario.journals)
  func `each journal mode writes as it should`(_ journal: String) throws {
    let bench = try Bench()
    let stand = try Stand(.oneOfThree, journal: journal, in: bench.folder)
    let replay = try CrashReplay(
      recording: stand.subject, from: stand.start, in: bench.folder + "/record")
    let changes = replay.entries.map(\.change)
    #expect(changes.contains(.removed("app.sqlite-journal")) == (journal == "delete"))
    #expect(changes.contains(.truncated("app.sqlite-journal", size: 0)) == (journal == "truncate"))
    let writesWAL = changes.contains { change in
      if case .written("app.sqlite-wal", _, _) = change { true } else { false }
    }
    #expect(writesWAL == (journal == "wal"))
  }
}
