import TestSupport
import Testing

@testable import MigrateCommand

/// The script of the page, as it stands, in the repository of an app.
struct ContinuousIntegrationTests {
  private static let catalog = "My App/Data"
  private static let source = "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n"
  private static let notes = [
    "up.sql": "CREATE TABLE notes (text TEXT PRIMARY KEY);\n", "down.sql": "DROP TABLE notes;\n",
  ]

  private static func page() throws -> String {
    try Checkout.text("Documentation/ContinuousIntegration.md")
  }

  /// A first release, not yet committed; the catalog is not at the root.
  private static func app() throws -> Sandbox {
    let script = try #require(Checkout.blocks(of: "sh", in: try page()).first)
    let sandbox = try Sandbox().write([
      "ci/check-data": script,
      "\(catalog)/catalog.json":
        #"{"tables": {"elements": {"source": "data/elements.csv", "reserve": 100}}}"#,
      "\(catalog)/data/elements.csv": source,
    ])
    try sandbox.git("init", "-q")
    try migrate(sandbox, "make", "elements", "--create")
    try add(notes, to: "0002_notes", sandbox)
    return sandbox
  }

  /// The same as the tag `v1`, and another release behind it.
  private static func released() throws -> Sandbox {
    let sandbox = try app()
    try sandbox.commit("v1")
    try sandbox.write(["\(catalog)/data/elements.csv": source + "4,Beryllium\n"])
    try migrate(sandbox, "make", "more")
    return sandbox
  }

  private static func migrate(_ sandbox: Sandbox, _ words: String...) throws {
    let outcome = try Program.run(words + ["--migrations", catalog], in: sandbox)
    guard outcome.code == 0 else { throw Sandbox.Failure(description: "\(outcome)") }
  }

  private static func add(
    _ files: [String: String], to folder: String, _ sandbox: Sandbox
  ) throws {
    for (name, text) in files { try sandbox.write(["\(catalog)/\(folder)/\(name)": text]) }
    try migrate(sandbox, "lock")
  }

  private static func check(
    _ sandbox: Sandbox, _ environment: [String: String] = [:]
  ) throws -> Outcome {
    let variables = ["MIGRATE_DIR": catalog, "TMPDIR": sandbox.path + "/tmp"]
    try sandbox.write(["tmp/.keep": ""])
    let outcome = try sandbox.shell(
      "cd ci && sh check-data", environment: variables.merging(environment) { $1 })
    #expect(Files.names(in: sandbox.path + "/tmp") == [], "it leaves nothing behind")
    return outcome
  }

  // MARK: good

  @Test func `a good release passes, and what is new is written for the review`() throws {
    let sandbox = try Self.released()
    try sandbox.git("tag", "unrelated")
    let outcome = try Self.check(sandbox, ["RELEASE_TAGS": "v*"])
    #expect(outcome.code == 0, "\(outcome)")
    for words in [
      "No problems found", "Compared with v1.", "Nothing to write",
      "Applied 2 migrations. Database is at 2.", "Applied 1 migration. Database is at 3.",
      "app.sqlite is at 3 of 3", "3 applied",
    ] { #expect(outcome.output.contains(words), "\(words)\n\(outcome)") }
    let review = try sandbox.text("review.md")
    #expect(review.hasPrefix("### Migration 3: `0003_more`\n"), "\(review)")
    #expect(review.contains("| + | `number` `4` | `name` `\"Beryllium\"` |"), "\(review)")
    #expect(try sandbox.git("status", "--short").contains("review.md"))
  }

  @Test func `before there is a release an empty database takes all`() throws {
    let sandbox = try Self.app()
    try sandbox.write(["README": "An app that has no data yet."])
    try sandbox.git("add", "README")
    try sandbox.git("commit", "-q", "-m", "first")
    try sandbox.git("tag", "v0")
    let outcome = try Self.check(sandbox, ["REVIEW": "other.md"])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("There is no earlier release"), "\(outcome)")
    #expect(try sandbox.text("other.md").hasPrefix("### Migration 2: `0002_notes`\n"))
  }

  // MARK: bad

  @Test func `a released migration that makes other data stops it`() throws {
    let sandbox = try Self.released()
    try sandbox.remove("\(Self.catalog)/0001_elements/elements.csv.gz")
    let other = Self.source.replacing("Lithium", with: "Lithion")
    try sandbox.write(["\(Self.catalog)/data/elements.csv": other + "4,Beryllium\n"])
    try Self.add(["elements.csv": other], to: "0001_elements", sandbox)
    let outcome = try Self.check(sandbox)
    #expect(outcome.code == 3, "\(outcome)")
    #expect(outcome.output.contains("This migration was released, and now makes different data"))
    #expect(!sandbox.exists("review.md"))
  }

  @Test func `a source that was not made stops it`() throws {
    let sandbox = try Self.released()
    try sandbox.write(["\(Self.catalog)/data/elements.csv": Self.source])
    let outcome = try Self.check(sandbox)
    #expect(outcome.code == 3, "\(outcome)")
    #expect(outcome.output.contains("The catalog does not match its sources."))
  }

  @Test func `a finding of lint stops it`() throws {
    let sandbox = try Self.released()
    try Self.add(
      ["up.sql": "DROP TABLE notes;", "down.sql": "CREATE TABLE notes (text TEXT PRIMARY KEY);"],
      to: "0004_drop", sandbox)
    let outcome = try Self.check(sandbox)
    #expect(outcome.code == 3 && outcome.output.contains("destructive"), "\(outcome)")
  }

  @Test func `a stale lock stops it`() throws {
    let sandbox = try Self.released()
    try sandbox.write(["\(Self.catalog)/0002_notes/down.sql": "DROP TABLE IF EXISTS notes;\n"])
    let outcome = try Self.check(sandbox)
    #expect(outcome.code == 3 && outcome.output.contains("migrate lock"), "\(outcome)")
  }

  @Test func `a release that only new devices take stops it`() throws {
    let sandbox = try Self.released()
    // Without 0002, as for who has nothing yet, all is well.
    try Self.add(["migration.json": #"{"withdrawn": true}"#], to: "0002_notes", sandbox)
    try Self.add(Self.notes, to: "0004_notes", sandbox)
    let outcome = try Self.check(sandbox)
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.output.contains("SQLite error 1: table notes already exists."), "\(outcome)")
  }

  @Test func `a release that git does not know stops it`() throws {
    let sandbox = try Self.released()
    let unknown = try Self.check(sandbox, ["RELEASE": "v9"])
    #expect(unknown.code == 64 && unknown.output.contains("branch or tag 'v9'"), "\(unknown)")
    try sandbox.git("add", "-A")
    try sandbox.git("commit", "-q", "-m", "more")
    let clone = try Sandbox()
    try clone.git("clone", "-q", "--depth", "1", "file://" + sandbox.path, "app")
    let shallow = try clone.shell("cd app && sh ci/check-data")
    #expect(shallow.code == 64 && shallow.output.contains("git fetch --unshallow"), "\(shallow)")
  }

  // MARK: the workflow

  @Test func `the workflows fetch all, install a release and run the script`() throws {
    let workflows = Checkout.blocks(of: "yaml", in: try Self.page())
    try #require(workflows.count == 2)
    let script = try #require(Checkout.blocks(of: "sh", in: try Self.page()).first)
    let install = try Checkout.text("Documentation/Install.md")
    for (workflow, all) in zip(workflows, ["fetch-depth: 0", "GIT_DEPTH: \"0\""]) {
      #expect(workflow.contains(all))
      #expect(workflow.contains("sh ci/check-data"))
      for variable in ["MIGRATE", "REVIEW"] {
        #expect(workflow.contains(variable + "=") && script.contains("${\(variable):-"))
      }
      let wheel = try #require(workflow.firstMatch(of: /seedbed-\S+\.whl/)).output
      #expect(install.contains(wheel), "\(wheel)")
    }
  }
}
