import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

extension ConflictsCommand {
  /// All that is printed of a log.
  static func lines(_ conflicts: [Migrator.Conflict], _ context: CommandContext) -> [String] {
    var isCut = false
    let width = String(conflicts.map(\.id).max() ?? 0).count
    return lines(conflicts, width: width, context, &isCut)
      + [end(conflicts.count, isCut, context)]
  }
}

struct ConflictLinesTests {
  private func lines(_ conflicts: [Migrator.Conflict], columns: Int? = nil) throws -> [String] {
    let context = try CommandContext.printing(
      isTerminal: columns != nil, columns: columns ?? 80, environment: ["NO_COLOR": "1"])
    return ConflictsCommand.lines(conflicts, context)
  }

  @Test func `none`() throws { #expect(try lines([]) == ["No conflicts."]) }

  @Test func `who won, why, and the values under each row`() throws {
    var taken = Examples.conflict(.keyTaken, .keptUser, table: "notes")
    (taken.id, taken.base, taken.policy) = (12, nil, "keepUser")
    taken.mine = #"{"number":113,"name":"Bobium","note":"a, \"b\"","raw":{"base64":"AP8="}}"#
    taken.seed = #"{"number":113,"name":"Nihonium","note":null,"raw":null}"#
    #expect(
      try lines([Examples.conflict, taken]).joined(separator: "\n") == #"""
         1  edited: elements number=113  (version 3, 2026-11-20T08:12:44Z)
            the user's value stays; the rest was updated (keepEdits)
                  SEED        MINE      BASE
            name  "Nihonium"  "Bobium"  "Ununtrium"
        12  keyTaken: notes number=113  (version 3, 2026-11-20T08:12:44Z)
            the user's row stays; the seed's was skipped (keepUser)
                  SEED        MINE
            name  "Nihonium"  "Bobium"
            note  NULL        "a, \"b\""
            raw   NULL        {"base64":"AP8="}
        2 conflicts
        """#)
  }

  /// A kind and a resolution, whether it is about columns of an update, and the sentence.
  typealias Case = Named<(Migrator.Conflict.Kind, Migrator.Conflict.Resolution, Bool), String>

  static let cases: [Case] = [
    Case(
      "an edit beside others", (.edited, .merged, true),
      "the user's value stays; the rest was updated"),
    Case("an edit", (.edited, .keptUser, true), "the row stays as the user left it"),
    Case(
      "an edit that gave way", (.edited, .tookSeed, true), "the seed's value replaced the user's"),
    Case("deleted", (.deletedByUser, .keptUser, true), "the row stays deleted"),
    Case(
      "no parent", (.parentDeleted, .skipped, false),
      "skipped, because the row it refers to is missing"),
    Case(
      "without its parent", (.parentDeleted, .merged, false),
      "added without its reference, whose row is missing"),
    Case(
      "a parent of the user's", (.parentTaken, .skipped, true),
      "skipped, because the row it refers to is the user's"),
    Case("kept", (.editedRetired, .keptUser, true), "the row stays"),
    Case("removed", (.editedRetired, .tookSeed, true), "the row was removed"),
    Case(
      "referred to", (.referenced, .keptUser, false),
      "the row stays, because other rows refer to it"),
    Case(
      "a value referred to", (.referenced, .keptUser, true),
      "the old value stays, because other rows refer to it"),
    Case(
      "a value referred to, beside others", (.referenced, .merged, true),
      "the value that others refer to stays; the rest was updated"),
    Case(
      "a key", (.keyTaken, .keptUser, false), "the user's row stays; the seed's was skipped"),
    Case("a key given", (.keyTaken, .tookSeed, false), "the user's row took the seed's values"),
    Case(
      "a key moved", (.keyTaken, .moved, false),
      "the user's row moved to number=1001; the seed's took its place"),
    Case(
      "a value", (.uniqueTaken, .keptUser, false),
      "the user's row stays; the seed's was skipped"),
    Case(
      "a value of an update", (.uniqueTaken, .keptUser, true),
      "the old value stays, because another row has the seed's"),
    Case(
      "a value beside others", (.uniqueTaken, .merged, true),
      "the old value stays; the rest was updated"),
  ]

  @Test(arguments: cases) func `every fate has a sentence, and it fits`(_ c: Case) throws {
    var conflict = Examples.conflict(c.given.0, c.given.1)
    if !c.given.2 { conflict.base = nil }
    conflict.movedTo = #"{"number":1001}"#
    let lines = try lines([conflict])
    #expect(lines[1] == "   \(c.expected) (keepEdits)")
    #expect(lines.allSatisfy { $0.displayWidth <= 80 })
  }

  @Test func `of rows that want one value, this value first`() throws {
    var conflict = Examples.conflict(.uniqueTaken, .keptUser)
    conflict.base = nil
    conflict.mine = #"{"number":900,"symbol":"B","name":"Bobium","note":null}"#
    conflict.seed = #"{"number":5,"symbol":"B","name":"Boron","note":null}"#
    #expect(
      try lines([conflict])[2...5].joined(separator: "\n") == #"""
                   SEED     MINE
           symbol  "B"      "B"
           number  5        900
           name    "Boron"  "Bobium"
        """#)
  }

  @Test func `of a retired row, what keeps it`() throws {
    var conflict = Examples.conflict(.editedRetired, .keptUser)
    conflict.base = #"{"number":3,"name":"Lithium"}"#
    conflict.mine = #"{"number":3,"name":"Lithium","favourite":1,"note":null}"#
    conflict.seed = nil
    #expect(try lines([conflict])[3] == "   favourite  1")
    conflict.mine = #"{"number":3,"name":"Mine","favourite":1,"note":null}"#
    #expect(try lines([conflict])[3] == #"   name  "Mine"  "Lithium""#)
  }

  @Test func `of a deleted row, what the release changed`() throws {
    var conflict = Examples.conflict(.deletedByUser, .keptUser)
    conflict.base = #"{"name":"Lithium","weight":6.9}"#
    conflict.mine = nil
    conflict.seed = #"{"name":"Lithium","weight":6.94}"#
    #expect(try lines([conflict])[3] == "   weight  6.94  6.9")
  }

  @Test func `a row that met no other is one line`() throws {
    var conflict = Examples.conflict(.parentTaken, .skipped)
    (conflict.base, conflict.mine, conflict.policy) = (nil, nil, nil)
    conflict.seed = #"{"id":3,"element":20}"#
    #expect(try lines([conflict])[2] == "   SEED  id=3, element=20")
  }

  @Test func `a title that does not fit has two lines`() throws {
    var conflict = Examples.conflict
    (conflict.table, conflict.key) = ("mail_emailtemplate", #"{"slug":"reset-your-password"}"#)
    #expect(
      try lines([conflict]).prefix(2) == [
        #"1  edited: mail_emailtemplate slug="reset-your-password""#,
        "   (version 3, 2026-11-20T08:12:44Z)",
      ])
    #expect(try lines([conflict], columns: 132)[0].hasSuffix("08:12:44Z)"))
    #expect(try lines([conflict]).last == "1 conflict")
  }

  @Test(arguments: [nil, 80, 132])
  func `long values are cut to the screen, and the key is not`(_ columns: Int?) throws {
    var conflict = Examples.conflict(.parentDeleted, .skipped)
    conflict.table = String(repeating: "表", count: 30)
    conflict.key = #"{"name":"\#(String(repeating: "x", count: 90))"}"#
    conflict.seed = #"{"name":"\#(String(repeating: "語", count: 90))"}"#
    let lines = try lines([conflict], columns: columns)
    #expect(lines[0] == "1  parentDeleted: \(conflict.table) \(ConflictText(conflict).key)")
    #expect(lines[1] == "   (version 3, 2026-11-20T08:12:44Z)")
    for line in lines.dropFirst() { #expect(line.displayWidth <= columns ?? 80) }
    #expect(lines.dropFirst().contains { $0.contains("…") })
    #expect(lines.last == "1 conflict; 'migrate conflicts --json' shows every value in full")
  }
}
