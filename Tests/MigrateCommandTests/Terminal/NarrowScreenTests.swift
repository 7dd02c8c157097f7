import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// No line is wider than the screen, and no word is broken.
struct NarrowScreenTests {
  static let longName = "names_of_the_elements_in_all_the_languages_there_are"

  // MARK: the command itself

  static func world() throws -> Sandbox {
    let sandbox = try Sandbox.toldStory([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv":
        "number,symbol,name\n1,D,Deuterium\n2,Hx,Helix\n5,B,Boron\n20,Ca,Calcium\n21,Sc,Scandium\n",
      "Migrations/0002_next/down.sql": "SELECT 1;\n",
      "broken/0001_a/up.sql": "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL);\n",
      "broken/0001_a/a.csv": "id,name\n1,one\n2\n",
      "author.pem": Sandbox.privateKey,
      "no.sqlite": String(repeating: "This is no database. ", count: 50),
    ])
    try sandbox.write([
      "Migrations/0003_\(longName)/up.sql":
        "CREATE TABLE \(longName) (number INTEGER REFERENCES elements (number) ON DELETE CASCADE, "
        + "language TEXT, name TEXT, PRIMARY KEY (number, language));\n",
      "Migrations/0003_\(longName)/down.sql": "DROP TABLE \(longName);\n",
      "Migrations/0003_\(longName)/\(longName).csv":
        "number,language,name\n1,de,Wasserstoff\n2,de,Helium\n",
    ])
    return sandbox
  }

  /// In this order, each on the state that those before it left.
  static let lines = [
    "help", "help up", "help lint", "up --bogus", "statsu", "up --database nowhere/app.sqlite",
    "status --database ap.sqlite", "up --migrations broken --database b.sqlite",
    "lint --migrations broken", "verify --migrations broken", "status --database no.sqlite",
    "plan --database no.sqlite", "lint", "lock", "lock --check", "status", "plan",
    "plan --on-edited fail", "rehearse --points 5", "up", "up", "status", "conflicts", "verify",
    "verify --engine-check", "resolve 1 --seed", "resolve --all --mine", "resolve 9 --mine",
    "conflicts", "pin elements 1",
    "pin elements 99", "origin elements 1", "unpin elements 1", "pin", "backups", "show", "show 2",
    "show 9",
    "fill 7", "make fixes --schema-from no.sqlite", "make fixes", "make --check", "up",
    "down --to 0",
    "down --to 2", "report out.html --plan", "report out", "restore", "restore app.v9.sqlite",
    "backups", "up",
    "absent", "absent elements", "absent nothing", "reseed --missing elements", "reseed --missing",
    "reseed elements", "reseed elements 5", "reseed isotopes", "reseed nothing", "revert 4",
    "baseline 5 --check", "export elements", "export elements --mine",
    "export --suggestions --deletions --additions --out mine.csv", "suggestions mine.csv",
    "suggestions mine.csv --take 0", "suggestions lock", "new more_of_the_same",
    "bundle out", "snapshot", "verify --snapshots", "conflicts --prune", "lock", "build",
    "build app.sqlite", "build --page-size 1000", "bundle out",
    "sign", "sign --key no.pem", "bundle june.seedbed", "sign --key author.pem", "lock",
    "lock --check", "bundle june.seedbed", "bundle june.seedbed --since 99",
    "bundle out --since 1", "status --downloaded june.seedbed",
    "status --downloaded july.seedbed --signed-by \(Sandbox.publicKey)",
  ]

  @Test func `the command fits 80 columns, whatever it says`() throws {
    let (world, twin) = (try Self.world(), try Self.world())
    for line in Self.lines {
      let words = line.split(separator: " ").map(String.init)
      let piped = try Program.run(words, in: twin)
      let seen = try Terminal.run(words, in: world, columns: 80)
      #expect(seen.code == piped.code, "\(line): \(seen.text)")
      #expect(!seen.text.isEmpty, "\(line)")
      let problems = Screen.problems(
        of: seen.text, columns: 80,
        whole: (piped.output + "\n" + piped.errors).replacing(twin.path, with: world.path))
      #expect(problems == [], "\(line):\n\(seen.text)")
    }
    let verbs = Set(Self.lines.compactMap { $0.split(separator: " ").first.map(String.init) })
    #expect(verbs.isSuperset(of: Verb.all.map(\.name)))
  }

  // MARK: what it prints of odd values

  typealias Case = Named<@Sendable (CommandContext) -> [String], Bool>

  static let conflicts: [Migrator.Conflict] = [
    Examples.conflict(.edited, .merged), Examples.conflict(.keyTaken, .keptUser),
    Examples.conflict(.parentTaken, .skipped, table: longName),
    Examples.conflict(.parentDeleted, .skipped, table: longName),
  ]

  static let report = Examples.report(
    backup: Examples.backup,
    [
      Examples.migration(
        20_261_120_081_244, longName, ms: 125_000,
        [
          (longName, Examples.counts(inserted: 100_000, updated: 20_000, deleted: 300, kept: 40)),
          ("elements", Examples.counts(updated: 4, kept: 2)),
        ], conflicts: conflicts)
    ])

  static let status = Migrator.Status(
    database: "/home/app.sqlite", catalog: "/home/Migrations", current: 1, target: 2,
    state: .outOfOrder,
    migrations: [
      Examples.status(
        20_261_120_081_244, longName, .outOfOrder, rows: 1_000_000, at: "2026-09-01T08:12:44.001Z",
        ms: 125_000, checksum: "sha256:9f3c2a77")
    ],
    lastRun: Migrator.Status.LastRun(
      outcome: .interrupted, startedAt: "2026-09-01T08:12:43.000Z", interruptedCount: 3))

  static let backups = [
    Migrator.Backup(
      path: "/home/app.sqlite.backups/app.v20261120081244.20261120T081244.120Z.sqlite",
      version: 20_261_120_081_244, takenAt: "2026-11-20T08:12:44.120Z", bytes: 1_216_512,
      isVerified: true),
    Examples.backup,
  ]

  static let findings = [
    SeedbedError(
      .drift,
      "Migration 3 'iupac_2016' changed after it was applied. Put its files back, and ship the "
        + "change as a new migration.", at: .init("0003_iupac_2016"), version: 3)
  ]

  static let reseeded = Migrator.ReseedReport(
    database: "/home/app.sqlite", table: longName, version: 20_261_120_081_244,
    counts: Examples.counts(inserted: 1000, updated: 2000, unchanged: 3000, kept: 4000),
    changedKeys: [], replacedKeys: (1...30).map { #"{"number":\#($0)}"# },
    backup: Examples.backup, notes: [])

  static let cases: [Case] = [
    Case("a run", { RunTranscript(report: report, context: $0).lines }, true),
    Case("a plan", { PlanTranscript(report: report, context: $0).lines }, true),
    Case("the state", { StatusCommand.lines(status, $0) }, true),
    Case("backups", { BackupsCommand.lines(backups, $0) }, true),
    Case("conflicts", { ConflictsCommand.lines(conflicts, $0) }, true),
    Case("findings", { VerifyCommand.lines(findings, $0) }, true),
    Case("a reseed", { ReseedCommand.lines([reseeded], $0) }, true),
  ]

  @Test(arguments: cases, [80, 72]) func `it fits, and a pipe gets it whole:`(
    _ c: Case, _ columns: Int
  ) throws {
    let whole = c.given(try CommandContext.printing())
    let context = try CommandContext.printing(isTerminal: true, columns: columns)
    let text = c.given(context).map(context.invocation.output.fitted).joined(separator: "\n")
    #expect(
      Screen.problems(of: text, columns: columns, whole: whole.joined(separator: "\n")) == [])
    #expect(whole.map(try CommandContext.printing().invocation.output.fitted) == whole)
  }
}

/// Breaking one line.
struct FittingTests {
  typealias Case = Named<String, String>

  static let cases: [Case] = [
    Case("what fits", "one two", "one two"),
    Case("at a space", "one two three four five", "one two three four\n  five"),
    Case(
      "as deep as the line, and more", "    one two three four", "    one two three\n      four"),
    Case("columns of text stay", "Tried    63 kills and", "Tried    63 kills\n  and"),
    Case(
      "a path is left whole", "See Migrations/0001_elements/up.sql now",
      "See\nMigrations/0001_elements/up.sql\n  now"),
    Case("each line by itself", "one two three four five\nsix", "one two three four\n  five\nsix"),
    Case("wide characters count twice", "元素 元素 元素 元素 元素", "元素 元素 元素 元素\n  元素"),
    Case(
      "paint takes no room", "\u{1B}[31mone two three four\u{1B}[0m",
      "\u{1B}[31mone two three four\u{1B}[0m"),
    Case("nothing", "", ""),
  ]

  @Test(arguments: cases) func `a line is broken`(_ c: Case) {
    #expect(c.given.broken(at: 20) == c.expected)
  }
}
