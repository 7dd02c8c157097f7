import Testing

@testable import MigrateCommand
@testable import Seedbed

struct RunTranscriptTests {
  private func text(
    _ report: Migrator.Report, isTerminal: Bool = false, columns: Int = 80
  ) throws -> String {
    let context = try CommandContext.printing(isTerminal: isTerminal, columns: columns)
    return RunTranscript(report: report, context: context).lines.joined(separator: "\n")
  }

  @Test func `the example of the manual, to the letter`() throws {
    #expect(
      try text(Examples.twoApplied) == """
        Backup   app.sqlite.backups/app.v2.20261120T081244.120Z.sqlite  (1.2 MB, verified)
        0003 iupac_2016   elements   ~4 changed  (1 edited by the user)                    11 ms
        0004 weights_2021 elements   ~6 changed                                             9 ms
        Applied 2 migrations. Database is at 4.  1 conflict, the user's edit was kept: \
        migrate conflicts
        """)
  }

  @Test func `on a narrow terminal the times move in`() throws {
    let lines = try text(Examples.twoApplied, isTerminal: true, columns: 80)
      .split(separator: "\n").map(String.init)
    #expect(
      lines[1...2] == [
        "\u{1B}[33m0003 iupac_2016   elements   ~4 changed  (1 edited by the user)            "
          + "11 ms\u{1B}[0m",
        "0004 weights_2021 elements   ~6 changed                                     9 ms",
      ])
  }

  @Test func `what does not fit goes into a line of its own`() throws {
    #expect(
      try text(Examples.twoApplied, isTerminal: true, columns: 60) == """
        Backup   app.v2.20261120T081244.120Z.sqlite  (1.2 MB, verified)
        \u{1B}[33m0003 iupac_2016   elements   ~4 changed                11 ms\u{1B}[0m
        \u{1B}[33m    (1 edited by the user)\u{1B}[0m
        0004 weights_2021 elements   ~6 changed                 9 ms
        \u{1B}[33mApplied 2 migrations. Database is at 4.  1 conflict, the user's edit was kept: \
        migrate conflicts\u{1B}[0m
        """)
  }

  @Test func `nothing to do`() throws {
    #expect(try text(Examples.report(from: 4, [])) == "Nothing to do. Database is at 4.")
  }

  @Test func `several tables, none, one withdrawn, and a line that is longer`() throws {
    var withdrawn = Examples.migration(20_261_120, "oops", ms: 0, [])
    withdrawn.isWithdrawn = true
    let report = Examples.report(
      from: 0, to: 20_261_120,
      [
        Examples.migration(
          1, "elements", ms: 1204,
          [
            ("elements", Examples.counts(inserted: 100_000)),
            ("翻訳", Examples.counts(inserted: 300, updated: 2, deleted: 1, unchanged: 5, kept: 44)),
          ]),
        Examples.migration(2, "notes", ms: 1, []),
        withdrawn,
      ])
    #expect(
      try text(report) == """
        0001 elements elements   +100,000 added                                             1.2 s
                      翻訳       +300 added, ~2 changed, -1 retired, 5 unchanged, 44 kept
        0002 notes               no rows                                                     1 ms
        20261120 oops            withdrawn, skipped                                          0 ms
        Applied 3 migrations. Database is at 20261120.
        """)
  }

  @Test func `of many conflicts only the number is shown`() throws {
    var migration = Examples.migration(
      3, "names", ms: 5, [("elements", Examples.counts(kept: 2500))],
      conflicts: [Examples.conflict(.keyTaken, .keptUser)])
    migration.conflictCount = 2500
    #expect(
      try text(Examples.report(to: 3, [migration])) == """
        0003 names elements   2,500 kept  (2,500 conflicts)                                 5 ms
        Applied 1 migration. Database is at 3.  2,500 conflicts: migrate conflicts
        """)
  }

  @Test func `what was kept has its reason`() throws {
    let migration = Examples.migration(
      3, "names", ms: 5,
      [
        ("elements", Examples.counts(updated: 1, kept: 3, left: 2)),
        ("notes", Examples.counts(kept: 1200, left: 1200)),
      ], conflicts: [Examples.conflict(.deletedByUser, .keptUser)])
    let lines = try text(Examples.report(to: 3, [migration])).split(separator: "\n")
    #expect(
      lines[0].contains("~1 changed, 3 kept  (1 deleted by the user, 2 left to the user) "))
    #expect(lines[1].hasSuffix("1,200 kept  (1,200 left to the user)"))
  }

  @Test func `a backup that could not be checked says so`() throws {
    var backup = Examples.backup
    backup.isVerified = false
    backup.path = "/elsewhere/app.v2.sqlite"
    let line = "Backup   /elsewhere/app.v2.sqlite  (1.2 MB, not verified)"
    #expect(try text(Examples.report(to: 2, backup: backup, [])).hasPrefix(line))
  }

  typealias Case = Named<[Migrator.Conflict], String?>

  static let outcomes: [Case] = [
    Case("one edit", [Examples.conflict(.edited, .merged)], "the user's edit was kept"),
    Case(
      "edits", [Examples.conflict(.edited, .merged), Examples.conflict(.edited, .keptUser)],
      "the user's edits were kept"),
    Case("a row", [Examples.conflict(.keyTaken, .keptUser)], "the user's row was kept"),
    Case(
      "rows and edits",
      [Examples.conflict(.keyTaken, .keptUser), Examples.conflict(.edited, .merged)],
      "the user's rows were kept"),
    Case("deleted rows", [Examples.conflict(.deletedByUser, .keptUser)], "the row stays deleted"),
    Case(
      "a skipped row", [Examples.conflict(.parentDeleted, .skipped)],
      "the seed's row was skipped"),
    Case(
      "the seed won", [Examples.conflict(.keyTaken, .tookSeed)],
      "the seed's value was taken"),
    Case("a moved row", [Examples.conflict(.keyTaken, .moved)], "the user's row was moved"),
    Case(
      "both won", [Examples.conflict(.edited, .merged), Examples.conflict(.keyTaken, .tookSeed)],
      nil),
  ]

  @Test(arguments: outcomes) func `one sentence says who won`(_ c: Case) {
    #expect(RunTranscript.outcome(c.given, c.given.count) == c.expected)
  }

  @Test func `every kind has words of its own`() {
    let words = Migrator.Conflict.Kind.allCases.map {
      RunTranscript.kinds([Examples.conflict($0, .keptUser)])
    }
    #expect(
      words == [
        "1 edited by the user", "1 deleted by the user", "1 whose parent is missing",
        "1 whose parent is the user's", "1 retired but edited by the user",
        "1 still referred to", "1 key taken by the user",
        "1 unique value taken by another row",
      ])
    let two = [Examples.conflict(.keyTaken, .keptUser), Examples.conflict(.edited, .merged)]
    #expect(
      RunTranscript.kinds(two + two) == "2 edited by the user, 2 keys taken by the user")
    #expect(
      RunTranscript.kinds(two + [Examples.conflict(.referenced, .keptUser)]) == "3 conflicts")
  }

  @Test func `what was taken back`() throws {
    var report = Examples.report(
      from: 4, to: 3,
      [Examples.migration(4, "weights_2021", ms: 9, [("elements", Examples.counts(updated: 6))])])
    report.outcome = .reverted
    #expect(
      try text(report) == """
        0004 weights_2021 elements   ~6 changed                                             9 ms
        Reverted 1 migration. Database is at 3.
        """)
  }
}
