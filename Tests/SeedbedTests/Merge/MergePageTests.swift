import CSeedbedSQLite
import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// `Documentation/MergeInSQL.md`, for SQLite.
struct MergePageTests {
  @Test func `the page shows each statement of the merge, and the plan between the steps`() throws {
    let device = try Device(MergePage.files.filter { !$0.key.contains("postgresql") })
    try device.up(to: 1)
    for sql in MergePage.user { try device.run(sql) }
    let app = try AppHandle(device.database)
    let page = MergePage()
    let trace = Trace(on: app.handle)
    nonisolated(unsafe) let (seen, shown, handle) = (trace, page, app)
    var migrator = try LentHandleTests.lent(device)
    let failures = Guarded<[String]>([])
    migrator.host.reaching = { moment in
      guard let step = Self.steps[moment] else { return seen.statements = [] }
      do {
        seen.remove()
        seen.statements.filter(Self.isOfMerge).forEach(shown.add)
        let names = moment == .rowsWritten ? ["words", "senses"] : try handle.plans()
        shown.end(step, try names.map { try handle.table($0) })
        seen.statements = []
        seen.install()
      } catch {
        failures.withLock { $0.append("\(step): \(error)") }
      }
    }
    trace.install()
    _ = try migrator.up(on: app.handle)
    trace.remove()
    #expect(failures.withLock { $0 } == [])
    let (made, found) = try page.compared(on: "sqlite")
    #expect(made == found, "Print it again: SEEDBED_WRITE_PAGES=1 Scripts/test --filter MergePage")
  }

  /// What is over when a run reaches these.
  private static let steps: [Moment: String] = [
    .rowsStaged: "1 and 2, stage and decide", .rowsExplained: "3 and 4, demote and explain",
    .rowsDecided: "5 and 6, log and refuse", .rowsWritten: "7 to 9, write",
  ]

  /// Without what SQLite's own tables are asked, and without what only a debug build asks.
  private static func isOfMerge(_ sql: String) -> Bool {
    !["/* claim */", "PRAGMA", "pragma_", "sqlite_schema", "sqlite_sequence", "--"].contains {
      sql.contains($0)
    }
  }

  /// The SQL that a handle runs, in its order; not that of triggers.
  private final class Trace {
    var statements: [String] = []
    private let handle: OpaquePointer

    init(on handle: OpaquePointer) { self.handle = handle }

    func install() {
      sqlite3_trace_v2(
        handle, UInt32(SQLITE_TRACE_STMT),
        { _, context, statement, _ in
          guard let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
          let trace = Unmanaged<Trace>.fromOpaque(context!).takeUnretainedValue()
          trace.statements.append(String(cString: sql))
          return 0
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    func remove() { sqlite3_trace_v2(handle, 0, nil, nil) }
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
