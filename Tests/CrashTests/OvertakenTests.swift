import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// The smallest of races, at each moment of a run: another one does it all in between.
@Suite struct OvertakenTests {
  @Test(arguments: Moment.allCases, ["delete", "wal"])
  func `another run may do it all at any moment`(_ moment: Moment, _ journal: String) throws {
    for scenario in [Scenario.threeInARun, .bySnapshot, .readyMade] {
      let place = try Place(in: Place.memory)
      let stand = try Stand(scenario, journal: journal, in: place.path)
      let problem = try stand.problem(overtakenAt: moment)
      #expect(problem == nil, "\(scenario)")
    }
  }

  @Test func `where another run begins with the first migration, the rest of them follow`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.bySnapshot, journal: "wal", in: place.path)
    let home = place.path + "/overtaken"
    try stand.start.write(to: home)
    let database = home + "/" + Subject.database
    let catalog = stand.subject.catalog
    var host = Seedbed.Host()
    host.also(at: .runStarted) {
      _ = try? Migrator(catalog: catalog, at: database).up(to: 1)
    }
    #expect(try stand.subject.perform(in: home, host: host) == 2)
    let states = try Migrator(catalog: catalog, at: database).status().migrations
    #expect(states.map(\.state) == [.applied, .applied, .applied])
  }
}

extension Stand {
  /// What is wrong after it: each migration is applied once, and each run ends well.
  func problem(overtakenAt moment: Moment) throws -> String? {
    let home = folder + "/overtaken"
    try start.write(to: home)
    var other = subject
    other.options.lockTimeout = .milliseconds(10)
    let (overtaker, path) = (other, home)
    let theirs = Guarded<Result<Int, any Error>?>(nil)
    var host = Seedbed.Host()
    host.also(at: moment) {
      let result = Result { try overtaker.perform(in: path) }
      theirs.withLock { first in if first == nil { first = result } }
    }
    let steps: Int
    do {
      steps = try subject.perform(in: home, host: host)
    } catch {
      return "\(error)"
    }
    // Where the first run holds the lock, the other one is told so.
    var others = 0
    switch theirs.withLock({ $0 }) {
    case .success(let count): others = count
    case .failure(let error as SeedbedError) where error.code == .busy: others = 0
    case .failure(let error): return "the other one: \(error)"
    case nil: break
    }
    if steps + others != stages.count - 1 { return "\(steps) steps and \(others)" }
    let dump = try DatabaseDump(home + "/" + Subject.database)
    return stages.last.flatMap { dump == $0.dump ? nil : dump.difference(from: $0.dump) }
  }
}
