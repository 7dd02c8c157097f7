import Foundation
import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// Many processes run `up` at once, one of them is killed, and somebody reads all the time.
@Suite struct RaceTests {
  @Test func `each migration is applied once, and readers see whole states only`() throws {
    let place = try Place(in: Place.memory)
    let stands = try Self.journals.map { journal in
      try Stand(.threeInARun, journal: journal, in: place.path + "/" + journal)
    }
    var seen: Set<String> = []
    let all = CrashReport.overTime(part: "races") { play(stands, $0, &seen) }
    all.recordProblems()
    // Else nobody read, or never in between.
    #expect(seen == Self.whole)
  }

  private static let journals = ["delete", "wal"]

  private func play(_ stands: [Stand], _ seed: UInt64, _ seen: inout Set<String>) -> CrashReport {
    var dice = Dice(seed: seed)
    var report = CrashReport()
    // Each is another draw; a day's run makes half of them.
    let times = Settings.playsAll ? 2 : 1
    let counts =
      Array(repeating: 2, count: 30 * times) + Array(repeating: 8, count: 16 * times)
      + Array(repeating: 32, count: 4 * times)
    for (number, count) in counts.enumerated() {
      let turn = number % stands.count
      var finding: Judge.Finding?
      do {
        finding = try race(count, stands[turn], &dice, &seen)
      } catch {
        finding = Judge.Finding(fault: .stuck, text: "\(error)")
      }
      report.add(
        Scenario.threeInARun.name, Self.journals[turn], "race of \(count) processes", finding,
        replay: "race \(number)\n\(Settings.replay("RaceTests", seed: seed))")
    }
    return report
  }

  private func race(
    _ count: Int, _ stand: Stand, _ dice: inout Dice, _ allSeen: inout Set<String>
  ) throws -> Judge.Finding? {
    let home = stand.folder + "/race"
    try stand.start.write(to: home)
    let commands = try (0..<count).map { _ in try Command(stand.subject, in: home) }
    let victim = commands[dice.below(count)]
    let delay = UInt32(dice.below(60_000))
    let watcher = Watcher(home + "/" + Subject.database)
    usleep(delay)
    victim.kill()
    for command in commands { _ = command.code }
    let seen = watcher.end()
    allSeen.formUnion(seen)
    let losers = commands.filter { !$0.wasKilled && $0.code != 0 }
    if let status = losers.first?.code {
      return Judge.Finding(fault: .stuck, text: "one exits with \(status)")
    }
    let halves = seen.subtracting(Self.whole)
    if !halves.isEmpty { return Judge.Finding(fault: .mixed, text: "a reader saw \(halves)") }
    let dump = try DatabaseDump(home + "/" + Subject.database)
    guard let last = stand.stages.last, commands.contains(where: { !$0.wasKilled }) else {
      return nil
    }
    if dump == last.dump { return nil }
    return Judge.Finding(
      fault: .lost, text: "ends differently\n\(dump.difference(from: last.dump))")
  }

  /// How many words there are after so many migrations.
  private static let whole: Set = ["60|1", "90|2", "82|3"]
}

/// Reads until it is told to stop.
private final class Watcher: @unchecked Sendable {
  // Sound: `seen` and `isOver` are touched only under the lock.
  private let state = Guarded((seen: Set<String>(), isOver: false))
  private let done = DispatchSemaphore(value: 0)

  init(_ path: String) {
    Foundation.Thread.detachNewThread { [self] in
      while !state.withLock({ $0.isOver }) {
        if let pair = Self.look(path) { state.withLock { _ = $0.seen.insert(pair) } }
        usleep(300)
      }
      done.signal()
    }
  }

  func end() -> Set<String> {
    state.withLock { $0.isOver = true }
    done.wait()
    return state.withLock { $0.seen }
  }

  /// Both numbers in one statement, so from one state; before the first migration there is no such
  /// table.
  private static func look(_ path: String) -> String? {
    let query = "SELECT (SELECT count(*) FROM words), (SELECT max(version) FROM seedbed_migrations)"
    return try? Reader(path).lines(query).first
  }
}
