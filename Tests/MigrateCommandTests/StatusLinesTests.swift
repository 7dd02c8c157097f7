import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

struct StatusLinesTests {
  private func text(_ status: Migrator.Status) throws -> String {
    StatusCommand.lines(status, try CommandContext.printing()).joined(separator: "\n")
  }

  @Test func `the example of the manual, to the letter`() throws {
    #expect(
      try text(Examples.twoPending) == """
        app.sqlite is at 2 of 4
        VERSION  NAME          STATE    ROWS  APPLIED AT            TOOK   CHECKSUM
              1  elements      applied   118  2026-09-01T08:12:44Z  12 ms  9f3c2a…
              2  notes         applied     0  2026-09-01T08:12:44Z   1 ms  77b01d…
              3  iupac_2016    pending     4
              4  weights_2021  pending     6
        2 applied, 2 pending
        """)
  }

  @Test(arguments: [(75, "CHECKSUM"), (74, "TOOK"), (64, "APPLIED AT")])
  func `a narrow screen goes without digits first`(_ columns: Int, _ last: String) throws {
    let context = try CommandContext.printing(
      isTerminal: true, columns: columns, environment: ["NO_COLOR": "1"])
    let lines = StatusCommand.lines(Examples.twoPending, context)
    #expect(lines[1].hasSuffix("  " + last))
    #expect(lines.allSatisfy { $0.displayWidth <= columns })
  }

  @Test func `what is wrong is followed by what to do`() throws {
    var status = Examples.twoPending
    status.migrations[0].state = .drifted
    status.migrations[1].state = .missing
    status.migrations[2].state = .outOfOrder
    status.migrations[3].state = .newer
    status.lastRun = Migrator.Status.LastRun(
      outcome: .interrupted, startedAt: "2026-09-01T08:12:43.000Z", interruptedCount: 3)
    let lines = try text(status).split(separator: "\n").dropFirst(6)
    #expect(
      lines.joined(separator: "\n") == """
        1 drifted, 1 missing, 1 newer, 1 out of order
        Drifted: files changed after they were applied. See 'migrate verify'.
        Missing: applied here, but no longer in the catalog. Put the folder back.
        Newer: a later release applied these. Use the catalog of that release.
        Out of order: below the last one applied. 'migrate up --allow-out-of-order' applies them.
        The run of 2026-09-01T08:12:43Z was interrupted (3 runs so far). It left nothing half \
        done.
        """)
  }

  @Test func `before a recovery nothing can be read`() throws {
    var status = Examples.twoPending
    status.state = .needsRecovery
    status.migrations = []
    #expect(
      try text(status) == """
        app.sqlite needs recovery
        A process died inside a transaction. 'migrate up' rolls it back.
        """)
  }

  @Test func `on a terminal the states are coloured and still line up`() throws {
    let context = try CommandContext.printing(isTerminal: true)
    let lines = StatusCommand.lines(Examples.twoPending, context)
    #expect(lines[2].contains("elements      \u{1B}[32mapplied\u{1B}[0m   118"))
    #expect(lines[4].contains("iupac_2016    \u{1B}[33mpending\u{1B}[0m     4"))
  }
}
