import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// `Documentation/MergeInSQL.md`, for SQLite.
struct MergePageTests {
  @Test func `the page shows each statement of the merge, and the plan between the steps`() throws {
    let device = try Device(MergePage.files)
    try device.up(to: 1)
    for sql in MergePage.user { try device.run(sql) }
    let app = try AppHandle(device.database)
    let page = MergePage()
    let trace = DecisionTests.Trace(on: app.handle)
    nonisolated(unsafe) let (seen, shown, handle) = (trace, page, app)
    var migrator = try LentHandleTests.lent(device)
    let failures = Guarded<[String]>([])
    migrator.host.reaching = { moment in
      guard let step = MergePage.steps[moment] else { return seen.forget() }
      do {
        seen.remove()
        seen.statements.filter(Self.isOfMerge).forEach(shown.add)
        let names = moment == .rowsWritten ? ["words", "senses"] : try handle.plans()
        shown.end(step, try names.map { try handle.table($0) })
        seen.forget()
        seen.install()
      } catch {
        failures.withLock { $0.append("\(step): \(error)") }
      }
    }
    trace.install()
    _ = try migrator.up(on: app.handle)
    trace.remove()
    #expect(failures.withLock { $0 } == [])
    // A merge that begins again has steps twice, which the page could not show in order.
    #expect(page.titles.count == MergePage.steps.count)
    let (made, found) = try page.compared(on: "sqlite")
    #expect(made == found, "Print it again: SEEDBED_WRITE_PAGES=1 Scripts/test --filter MergePage")
  }

  /// Whether a statement is the merge's own: no query of SQLite's tables, and no claim that only a
  /// debug build checks.
  private static func isOfMerge(_ sql: String) -> Bool {
    // A statement of a trigger is traced behind two dashes.
    !sql.hasPrefix("--")
      && !["/* claim */", "PRAGMA", "pragma_", "sqlite_schema", "sqlite_sequence"].contains {
        sql.contains($0)
      }
  }
}

extension AppHandle {
  /// The names of the plan's tables.
  fileprivate func plans() throws -> [String] {
    try values(
      """
      SELECT name FROM sqlite_temp_schema
      WHERE type = 'table' AND name GLOB 'seedbed:plan:*' ORDER BY name
      """)
  }

  fileprivate func table(
    _ name: String
  ) throws -> (name: String, columns: [String], rows: [[String]]) {
    let columns = try values("SELECT name FROM pragma_table_xinfo('\(name)')")
    let list = columns.map { #"ifnull("\#($0)", 'NULL')"# }.joined(separator: " || char(31) || ")
    let rows = try values("SELECT \(list) FROM \"\(name)\" ORDER BY \"\(columns[0])\"")
    return (name, columns, rows.map { $0.components(separatedBy: "\u{1F}") })
  }
}
