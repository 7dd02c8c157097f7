import Foundation
import Seedbed
import SeedbedFaults
import Testing

/// What was tried, and what came of it: one line for each scenario, journal mode and kind of fault.
struct CrashReport: Sendable, Codable {
  struct Line: Hashable, Comparable, Codable {
    var scenario: String
    var journal: String
    var fault: String

    static func < (first: Line, second: Line) -> Bool {
      (first.scenario, first.journal, first.fault)
        < (second.scenario, second.journal, second.fault)
    }
  }

  struct Counts: Codable {
    var cases = 0
    var lost = 0
    var mixed = 0
    var corrupt = 0
    var other = 0
  }

  private(set) var lines: [Line: Counts] = [:]
  private(set) var problems: [String] = []
  /// Disks that were judged to the end.
  var judged = 0

  /// Plays all combinations on all cores; what one of them throws is an issue of its own.
  static func collected(
    _ combinations: [(Scenario, String)],
    _ play: @escaping @Sendable (Scenario, _ journal: String) throws -> CrashReport
  ) -> CrashReport {
    let report = Guarded(CrashReport())
    onAllCores(combinations) { scenario, journal in
      do {
        let found = try play(scenario, journal)
        report.withLock { $0.merge(found) }
      } catch {
        Issue.record("\(scenario.name), \(journal): \(error)")
      }
    }
    return report.withLock { $0 }
  }

  /// Plays one seed, and the next ones until the time is over or something is found.
  static func overTime(part: String, _ play: (_ seed: UInt64) -> CrashReport) -> CrashReport {
    var all = CrashReport()
    var seed = Settings.seed
    let end = Settings.end
    repeat {
      let found = play(seed)
      WholeReport.add(found, part: part)
      all.merge(found)
      seed += 1
    } while Date() < end && all.problems.isEmpty
    return all
  }

  func recordProblems() {
    for problem in problems { Issue.record("\(problem)") }
  }

  var cases: Int { lines.values.reduce(0) { $0 + $1.cases } }

  mutating func add(
    _ scenario: String, _ journal: String, _ fault: String, _ finding: Judge.Finding?,
    replay: @autoclosure () -> String
  ) {
    let line = Line(scenario: scenario, journal: journal, fault: fault)
    var counts = lines[line] ?? Counts()
    counts.cases += 1
    switch finding?.fault {
    case nil: break
    case .lost: counts.lost += 1
    case .mixed: counts.mixed += 1
    case .corrupt: counts.corrupt += 1
    default: counts.other += 1
    }
    lines[line] = counts
    guard let finding, problems.count < 20 else { return }
    problems.append(
      "\(finding.fault.rawValue): \(scenario), \(journal), \(fault): \(finding.text)\n\(replay())")
  }

  mutating func merge(_ other: CrashReport) {
    for (line, counts) in other.lines {
      var sum = lines[line] ?? Counts()
      sum.cases += counts.cases
      sum.lost += counts.lost
      sum.mixed += counts.mixed
      sum.corrupt += counts.corrupt
      sum.other += counts.other
      lines[line] = sum
    }
    problems += other.problems
    judged += other.judged
  }

  /// As Markdown; `other` are faults in backups, runs that could not be taken up again, what was
  /// left open, and errors that do not name their file.
  var table: String {
    var text = "| scenario | mode | fault | cases | lost | mixed | corrupt | other |\n"
    text += "|---|---|---|--:|--:|--:|--:|--:|\n"
    for (line, counts) in lines.sorted(by: { $0.key < $1.key }) {
      text += "| \(line.scenario) | \(line.journal) | \(line.fault) | \(counts.cases) "
      text += "| \(counts.lost) | \(counts.mixed) | \(counts.corrupt) | \(counts.other) |\n"
    }
    let all = lines.values
    text += "| **all** | | | \(cases) | \(all.reduce(0) { $0 + $1.lost }) "
    text += "| \(all.reduce(0) { $0 + $1.mixed }) | \(all.reduce(0) { $0 + $1.corrupt }) "
    return text + "| \(all.reduce(0) { $0 + $1.other }) |\n"
  }
}
