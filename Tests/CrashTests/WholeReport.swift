import CSeedbedSQLite
import Foundation
import Seedbed

/// What all suites of one process tried, in one table: printed when the process ends, and written
/// to a file outside the repository.
enum WholeReport {
  private struct Content {
    var report = CrashReport()
    var parts: [String: Int] = [:]
  }

  private static let content = Guarded(Content())
  private static let isAwaitingTheEnd: Void = {
    atexit { WholeReport.publish() }
  }()

  static func add(_ report: CrashReport, part: String) {
    isAwaitingTheEnd
    content.withLock {
      $0.report.merge(report)
      $0.parts[part, default: 0] += report.cases
    }
  }

  private static func publish() {
    let (report, parts) = content.withLock { ($0.report, $0.parts) }
    let counts = parts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    let version = String(cString: sqlite3_libversion())
    let text = """
      # What was crashed

      \(Date.now.ISO8601Format()), seed \(Settings.seed), SQLite \(version): \
      \(counts.joined(separator: ", ")).

      \(report.table)
      """
    print(text)
    do {
      try text.write(toFile: Settings.report, atomically: true, encoding: .utf8)
      print("\nThis table is in \(Settings.report).")
    } catch {
      print("\nThe table could not be written to \(Settings.report): \(error)")
    }
  }
}
