import Foundation
import Seedbed
import SeedbedFaults
import Testing
import TestSupport

/// The first operation of a kind fails, then the second, and so on until none is left to fail.
///
/// Each scenario is played by a process of its own: only there SQLite takes an allocator that
/// fails, and what it holds in the end is what a run left behind.
@Suite struct FaultTests {
  @Test func `whatever fails, what is reported is what is there`() async throws {
    let queue = Guarded(Part.drawn(Self.parts, "faults")[...])
    let all = Guarded(CrashReport())
    await withTaskGroup { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.addTask {
          while let (scenario, journal) = queue.withLock({ $0.popFirst() }) {
            do {
              let report = try await Self.apart(scenario, journal)
              all.withLock { $0.merge(report) }
            } catch {
              Issue.record("\(scenario.name), \(journal): \(error)")
            }
          }
        }
      }
    }
    let report = all.withLock { $0 }
    WholeReport.add(report, part: "faults")
    report.recordProblems()
    // An allocator that was never asked would pass in silence, and so would files never read.
    for (operation, answer) in PlannedFault.kinds + PlannedFault.ofAllocations {
      let name = Self.name(operation, answer)
      let isKnown = report.lines.keys.contains { $0.fault == name }
      #expect(
        isKnown || Settings.only != nil || Self.neverHappens(operation), "never fired: \(name)")
    }
  }

  @Test func `a long file may change between two reads of it`() throws {
    let place = try Place(in: Place.memory)
    let stand = try Stand(.longFiles, journal: "delete", in: place.path)
    let kinds = PlannedFault.kinds.filter { $0.0 == .bundle(.read) }
    var last: [PlannedFault.Answer: Int] = [:]
    try stand.trial().sweep(kinds) { fault, outcome in
      last[fault.answer] = fault.number
      #expect(outcome.finding == nil, "\(fault): \(outcome.finding?.text ?? "")")
      return true
    }
    // The lock is read twice, and each of the two files at least four times.
    #expect(last.count == kinds.count)
    #expect(last.values.allSatisfy { $0 >= 9 })
  }

  /// Long ones first. The two ways of a journal are variants of each other, and one of both is
  /// drawn; one scenario plays both, since some calls are made by one of them alone.
  static let parts =
    [.merge, .down, .spill, .lent, .restore, .readyMade].map {
      Part(of: [$0], in: ["delete", "wal"], drawn: 1)
    } + [
      Part(of: [.inside], in: ["delete", "wal"]),
      Part(of: [.firstRun, .failingVerify], in: ["delete"]),
    ]

  /// What is beside the database is read by SQLite alone.
  private static func neverHappens(_ operation: PlannedFault.Operation) -> Bool {
    operation == .call(.read)
  }

  static func name(_ operation: PlannedFault.Operation, _ answer: PlannedFault.Answer) -> String {
    "\(answer.rawValue) on \(operation)"
  }

  private static func apart(_ scenario: Scenario, _ journal: String) async throws -> CrashReport {
    let place = try Place(in: Place.memory)
    let path = place.path + "/report.json"
    await #expect(processExitsWith: .success) {
      [name = scenario.name as String, journal = journal as String, path = path as String] in
      do {
        try FailingMemory.install()
        let scenario = try #require(Scenario.all.first { $0.name == name })
        let report = try FaultTests.play(scenario, journal)
        try JSONEncoder().encode(report).write(to: URL(fileURLWithPath: path))
      } catch {
        // What is thrown here would be told as a signal only.
        print("\(name), \(journal): \(error)")
        exit(1)
      }
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try JSONDecoder().decode(CrashReport.self, from: data)
  }

  private static func play(_ scenario: Scenario, _ journal: String) throws -> CrashReport {
    let place = try Place(in: Place.memory)
    let stand = try Stand(scenario, journal: journal, in: place.path)
    var report = CrashReport()
    try stand.trial().sweep { fault, outcome in
      report.add(
        scenario.name, journal, name(fault.operation, fault.answer), outcome.finding,
        replay: "\(fault)\n\(Settings.replay("FaultTests", only: scenario.name))")
      return true
    }
    return report
  }
}

extension Stand {
  func trial() -> FaultTrial {
    FaultTrial(subject, from: start, judge: judge(), folder: folder + "/faulty")
  }
}

extension FaultTrial {
  /// Each kind, once and for good, at growing distances, until none fires or `body` says so.
  func sweep(
    _ kinds: [(PlannedFault.Operation, PlannedFault.Answer)] = PlannedFault.kinds,
    _ body: (PlannedFault, Outcome) throws -> Bool
  ) throws {
    for (operation, answer) in kinds {
      // Whoever is asked to stop is asked for good.
      for isSticky in answer.isSpoiling || answer == .cancel ? [false] : [false, true] {
        var number = 1
        while true {
          let fault = PlannedFault(operation, answer, number: number, isSticky: isSticky)
          guard let outcome = try outcome(of: fault) else { break }
          guard try body(fault, outcome) else { return }
          // A lock that never comes free costs seconds each time, and tells no more the second
          // time.
          if operation == .lock, answer == .busy, isSticky { break }
          number += max(1, number / 2)
        }
      }
    }
  }
}
