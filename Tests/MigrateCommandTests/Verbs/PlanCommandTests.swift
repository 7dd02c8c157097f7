import Foundation
import Testing

@testable import MigrateCommand

/// `migrate plan` as a process.
struct PlanCommandTests {
  @Test func `every change and conflict, and not a byte is touched`() throws {
    let sandbox = try Sandbox.toldStory()
    let before = try sandbox.contents()
    let outcome = try Program.run(["plan"], in: sandbox).masked(sandbox)
    #expect(
      outcome
        == Outcome(
          output: """
            0002 next elements   ~2 changed, 4 kept  (5 conflicts) N ms
                      isotopes   2 kept  (1 whose parent is missing, \
            1 whose parent is the user's)
            elements.name: 1 edited
              KEY       SEED         MINE           BASE        WHO WINS
              number=1  "Deuterium"  "My hydrogen"  "Hydrogen"  the user (keepEdits)
            elements: 1 editedRetired, 1 referenced, 1 keyTaken, 1 uniqueTaken
              KEY        KIND           WHO WINS
              number=3   editedRetired  the user (keepEdits)
              number=4   referenced     the user (keepEdits)
              number=20  keyTaken       the user (keepUser)
              number=21  uniqueTaken    the user (keepUser)
            isotopes: 1 parentDeleted, 1 parentTaken
              KEY   KIND           WHO WINS
              id=1  parentTaken    skipped
              id=2  parentDeleted  skipped
            Would apply 1 migration. Database would be at 2.  7 conflicts
            Disk: about SIZE, the backup included. Time: about N ms, as this plan took.

            """))
    #expect(try sandbox.contents() == before)
  }

  @Test func `the document is that of up, with the outcome planned`() throws {
    let sandbox = try Sandbox.toldStory()
    let plan = try Program.run(["plan", "--json"], in: sandbox).masked(sandbox)
    let up = try Program.run(["up", "--json", "--no-backup"], in: sandbox).masked(sandbox)
    #expect(plan.code == 0 && plan.errors.isEmpty)
    #expect(plan.output.contains(#""backup":null,"outcome":"planned","migrations":[{"version":2,"#))
    var expected = up.output.replacingOccurrences(of: "\"applied\"", with: "\"planned\"")
      .replacingOccurrences(
        of: #""id":[0-9]+,"v"#, with: #""id":0,"v"#, options: .regularExpression)
    expected = expected.replacingOccurrences(of: "]}\n", with: "],\"neededBytes\":N}\n")
    let found = plan.output.replacingOccurrences(
      of: #""neededBytes":[1-9][0-9]+"#, with: #""neededBytes":N"#, options: .regularExpression)
    #expect(found == expected)
    #expect(found.contains(#""conflictCount":7"#))
  }

  @Test func `without a database it runs in memory and creates nothing`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let before = try sandbox.contents()
    #expect(
      try Program.run(["plan"], in: sandbox).masked(sandbox)
        == Outcome(
          output: """
            0001 elements elements   +3 added N ms
            0002 more     elements   +2 added N ms
            Would apply 2 migrations. Database would be at 2.
            Disk: about SIZE. Time: about N ms, as this plan took.

            """,
          errors: "There is no database at 'app.sqlite': planning in memory.\n"))
    #expect(try sandbox.contents() == before)
  }

  @Test func `--to stops there, and with nothing pending there is nothing to say`() throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let outcome = try Program.run(["plan", "--to", "1", "--quiet"], in: sandbox)
    #expect(outcome == Outcome())
    _ = try Program.run(["up"], in: sandbox)
    #expect(
      try Program.run(["plan"], in: sandbox)
        == Outcome(output: "Nothing to do. Database is at 2.\n"))
    #expect(
      try Program.run(["plan", "--json"], in: sandbox).masked(sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"database":"~/app.sqlite","from":2,"to":2,"backup":null,\#
            "outcome":"upToDate","migrations":[],"touchedTables":[]}

            """#))
  }

  @Test func `another policy, another plan`() throws {
    let sandbox = try Sandbox.toldStory()
    let words = ["--on-edited", "preferSeed", "--on-taken", "replaceUser"]
    let outcome = try Program.run(["plan"] + words, in: sandbox)
    #expect(outcome.output.contains("number=20  keyTaken       the seed (replaceUser)"))
    #expect(outcome.output.contains(#""Hydrogen"  the seed (preferSeed)"#))
    let refused = try Program.run(["plan", "--on-edited", "fail"], in: sandbox)
    #expect(
      refused
        == Outcome(
          errors: """
            Migrations/0002_next/elements.update.csv:2: The policy onEdited is 'fail', and 1 row \
            of 'elements' is in conflict (edited): {"number":1}. \
            0002_next/elements.delete.csv:2: The policy onEdited is 'fail', and 1 row of \
            'elements' is in conflict (editedRetired): {"number":3}. \
            0002_next/elements.delete.csv:3: The policy onEdited is 'fail', and 1 row of \
            'elements' is in conflict (referenced): {"number":4}.

            """, code: 2))
  }

  @Test func `of many conflicts twenty are shown and the rest is counted`() throws {
    let rows = (10..<40).map { "\($0),seed \($0)\n" }.joined()
    let sandbox = try Sandbox.atOne(["Migrations/0002_many/elements.csv": "number,name\n" + rows])
    for number in 10..<40 {
      try sandbox.sql("INSERT INTO elements VALUES (\(number), 'mine \(number)')")
    }
    let lines = try Program.run(["plan"], in: sandbox).output.split(separator: "\n")
    #expect(lines.count { $0.contains("keyTaken  ") } == 20)
    #expect(lines.contains("elements: 30 keyTaken"))
    #expect(lines.contains("… and 10 more conflicts: migrate plan --json"))
  }

  typealias Case = Named<[String: String], (code: Int32, errors: String)>

  static let failures: [Case] = [
    Case(
      "a broken file", ["Migrations/0002_more/elements.csv": "number,name\n4,Beryllium\n5\n"],
      (
        2,
        """
        Migrations/0002_more/elements.csv:3:2: found 1 field, expected 2. Every record needs a \
        value, even an \
        empty one, for each header column.

        """
      )),
    Case(
      "drift", ["Migrations/0001_elements/elements.csv": "number,name\n1,X\n"],
      (3, "Migrations/0001_elements: Migration 1 (elements) was changed after it was applied: ")),
    Case(
      "a check of its own",
      Sandbox.more.merging([
        "Migrations/0002_more/verify.sql": "SELECT name FROM elements WHERE number = 5;\n"
      ]) { $1 },
      (
        2,
        """
        Migrations/0002_more/verify.sql:1:1: verify.sql found a counter-example: name = 'Boron'. \
        The \
        migration was rolled back.

        """
      )),
  ]

  @Test(arguments: failures) func `the exit code says that up would fail`(_ c: Case) throws {
    let sandbox = try Sandbox.atOne(c.given)
    let before = try sandbox.contents()
    let outcome = try Program.run(["plan"], in: sandbox)
    #expect(outcome.output.isEmpty && outcome.code == c.expected.code)
    #expect(outcome.errors.hasPrefix(c.expected.errors))
    #expect(try sandbox.contents() == before)
    let document = try Program.run(["plan", "--json"], in: sandbox)
    #expect(document.code == c.expected.code && document.errors.isEmpty)
    #expect(document.output.contains(#""databaseUnchanged":true,"applied":[]}"#))
  }

  @Test func `it takes the write lock, and says so in its help`() throws {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    let outcome = try sandbox.whileLocked {
      try Program.run(["plan", "--lock-timeout", "0.05"], in: sandbox)
    }
    #expect(outcome.code == 4 && outcome.output.isEmpty)
    #expect(
      try Program.run(["help", "plan"], in: sandbox).output.hasPrefix(
        """
        Usage:
          migrate plan [options]

        Does all that 'up' would do inside a transaction, reports every change and
        conflict, and rolls it back. Like 'up' it takes the write lock, so other
        programs wait while it runs. Rows, schema and ledger stay as they are. If there
        is no database, it runs in memory and creates nothing.

        Examples:
          migrate plan                      what 'up' would do to app.sqlite
          migrate plan --to 3               only as far as version 3
          migrate plan --on-edited keepRow  what another policy would do
          migrate plan --each samples/      how a release would go on samples of users'
                                            databases
          migrate plan --json               with every conflict and value in full

        Options:
          --to N                stop at version N (default: the last one)
          --no-backup           plan for 'up --no-backup'
          --allow-out-of-order  also apply migrations below the last applied version
          --must-exist          fail if there is no database
          --adopt N             make a database without a ledger, but with rows, one of
                                version N first (default: the catalog's, or not at all)
          --each PATTERN        do it for each database: a quoted pattern, a folder, a
                                URL with --schemas, or - for paths or URLs on stdin
          --schemas PATTERN     with --each URL: do it for each schema whose name
                                matches a quoted pattern
          --except PATTERN      with --each: leave out databases whose name or path
                                matches a quoted pattern
          --jobs N              with --each: work on N databases at a time (default: the
                                number of cores)

        """))
  }
}
