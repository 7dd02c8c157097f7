import Testing

@testable import MigrateCommand
@testable import Seedbed

struct ConflictLinesTests {
  private func lines(_ conflicts: [Conflict], columns: Int? = nil) throws -> [String] {
    let session = try Session.printing(
      isTerminal: columns != nil, columns: columns ?? 80, environment: ["NO_COLOR": "1"])
    return ConflictsCommand.lines(conflicts, session)
  }

  @Test func `none`() throws { #expect(try lines([]) == ["No conflicts."]) }

  @Test func `a table with the values under each row`() throws {
    var taken = Examples.conflict(.keyTaken, .keptUser, table: "notes")
    (taken.id, taken.base, taken.policy) = (12, nil, "keepUser")
    taken.undoneAt = "2026-11-21T00:00:00.000Z"
    #expect(
      try lines([Examples.conflict, taken]).joined(separator: "\n") == """
        ID  VERSION  TABLE     KEY             KIND      RESOLUTION
         1        3  elements  {"number":113}  edited    merged
            base  {"name":"Ununtrium"}
            mine  {"name":"Bobium"}
            seed  {"name":"Nihonium"}
            at 2026-11-20T08:12:44Z by keepEdits
        12        3  notes     {"number":113}  keyTaken  keptUser
            mine  {"name":"Bobium"}
            seed  {"name":"Nihonium"}
            at 2026-11-20T08:12:44Z by keepUser, undone at 2026-11-21T00:00:00Z
        2 conflicts
        """)
  }

  @Test(arguments: [nil, 80, 132])
  func `long values are cut to the screen`(_ columns: Int?) throws {
    var conflict = Examples.conflict(.parentDeleted, .keptUser)
    conflict.table = String(repeating: "表", count: 30)
    conflict.key = #"{"name":"\#(String(repeating: "x", count: 90))"}"#
    conflict.seed = #"{"name":"\#(String(repeating: "語", count: 90))"}"#
    let lines = try lines([conflict], columns: columns)
    for line in lines { #expect(line.displayWidth <= columns ?? 80) }
    #expect(lines[4].hasSuffix("…"))
    #expect(lines.last == "1 conflict; 'migrate conflicts --json' shows all of each value")
  }
}
