import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// Every mixture of three editions of two rows and two columns, whatever the values: adoption
/// compares them for equality alone, so cases with the same pattern are one.
@Suite struct AdoptionPatternsTests {
  /// Which editions have the same value in a cell.
  private static let patterns = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
  private static let columns = ["a", "b"]

  /// 1 of 250 each time; all of them with `SEEDBED_PATTERNS=all`.
  @Test func `every mixture becomes the last edition, and keeps an edit`() throws {
    let isWhole = ProcessInfo.processInfo.environment["SEEDBED_PATTERNS"] == "all"
    let all = Array(0..<625)
    let step = isWhole ? 1 : 250
    let first = isWhole ? 0 : Int.random(in: 0..<step)
    if !isWhole { print("Drawn: 1 of \(step), from \(first); all with SEEDBED_PATTERNS=all") }
    let chosen = all.filter { $0 % step == first }
    let problems = Guarded<[String]>([])
    DispatchQueue.concurrentPerform(iterations: chosen.count) { index in
      do {
        for hasWords in [false, true] {
          let found = try Self.play(chosen[index], hasWords)
          problems.withLock { $0 += found }
        }
      } catch { problems.withLock { $0.append("\(chosen[index]): \(error)") } }
    }
    for problem in problems.withLock({ $0 }) { Issue.record(Comment(rawValue: problem)) }
  }

  /// - Returns: what differs.
  private static func play(_ number: Int, _ hasWords: Bool) throws -> [String] {
    let cells = (0..<4).map { patterns[number / [1, 5, 25, 125][$0] % 5] }
    func value(_ row: Int, _ column: Int, _ edition: Int) -> String {
      "\(columns[column])\(row).\(cells[row * 2 + column][edition])"
    }
    let key = hasWords ? "k TEXT PRIMARY KEY NOT NULL" : "k INTEGER PRIMARY KEY"
    let table = "CREATE TABLE t (\(key), a TEXT, b TEXT);"
    func name(_ row: Int) -> String { hasWords ? "word \(row)" : "\(row + 1)" }
    var files = ["1_a/up.sql": table, "2_b/up.sql": "SELECT 1;", "3_c/up.sql": "SELECT 1;"]
    files["1_a/t.csv"] =
      "k,a,b\n" + (0...1).map { "\(name($0)),\(value($0, 0, 0)),\(value($0, 1, 0))\n" }.joined()
    for (edition, folder) in [(1, "2_b"), (2, "3_c")] {
      let rows = (0...1).map { row in
        let new = (0...1).map { value(row, $0, edition) }
        return [name(row)] + new + (0...1).map { value(row, $0, edition - 1) }
      }.filter { $0[1...2] != $0[3...4] }
      if rows.isEmpty { continue }
      files["\(folder)/t.update.csv"] =
        "k,a,b,was:a,was:b\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined()
    }
    let catalog = try Catalog(files: files.mapValues { Array($0.utf8) })
    var problems: [String] = []
    for mixture in 0..<9 {
      for edited in [nil, 0, 1, 2, 3] as [Int?] {
        let editions = [mixture % 3, mixture / 3]
        let rows = (0...1).map { row in
          [name(row)]
            + (0...1).map { edited == row * 2 + $0 ? "mine" : value(row, $0, editions[row]) }
        }
        let wanted = (0...1).map { row in
          [name(row)] + (0...1).map { edited == row * 2 + $0 ? "mine" : value(row, $0, 2) }
        }
        let found = try adopted(rows, table, catalog)
        if found.rows != wanted || edited == nil && found.conflicts > 0 {
          problems.append("\(number) words \(hasWords): \(rows) became \(found), not \(wanted)")
        }
      }
    }
    return problems
  }

  private static func adopted(
    _ rows: [[String]], _ table: String, _ catalog: Catalog
  ) throws -> (rows: [[String]], conflicts: Int) {
    let bench = try Bench()
    let path = bench.folder + "/app.sqlite"
    let session = try Connection(path, .create, setup: nil)
    try session.executeAll(table)
    for row in rows {
      let values = row.map { "'\($0)'" }.joined(separator: ", ")
      try session.execute("INSERT INTO t VALUES (\(values))")
    }
    var options = Migrator.Options()
    options.takesBackup = false
    let report = try Migrator(catalog: catalog, at: path, options: options).baseline(at: 3)
    let found = try session.rows("SELECT CAST(k AS TEXT), a, b FROM t ORDER BY k").map { row in
      row.compactMap { if case .text(let text) = $0 { text } else { nil } }
    }
    return (found, report.adopted?.conflictCount ?? -1)
  }
}
