import TestSupport
import Testing

@testable import MigrateCommand

/// What git and `show` do for each other.
struct ShowInGitTests {
  // MARK: since

  /// The tag `v1` has one migration, and two came after it.
  private static func released() throws -> Sandbox {
    let sandbox = try Sandbox.withElements()
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    try sandbox.git("init", "-q")
    try sandbox.commit("v1")
    try sandbox.write(Sandbox.more)
    try sandbox.write([
      "Migrations/0003_notes/up.sql": "CREATE TABLE notes (text TEXT PRIMARY KEY);",
      "Migrations/0003_notes/notes.csv": "text\nFirst\n",
    ])
    return sandbox
  }

  @Test func `all that the last tag did not have is shown`() throws {
    let sandbox = try Self.released()
    let text = try Program.run(["show", "--since"], in: sandbox)
    #expect(
      text
        == Outcome(
          output: """
            0002_more

            elements   +2 added
            + number=4  name="Beryllium"
            + number=5  name="Boron"

            0003_notes

            up.sql
                CREATE TABLE notes (text TEXT PRIMARY KEY)

            notes      +1 added
            + text="First"

            """))
    #expect(try Program.run(["show", "--since", "v1"], in: sandbox) == text)
    let markdown = try Program.run(["show", "--since=v1", "--markdown"], in: sandbox).output
    #expect(markdown.hasPrefix("### Migration 2: `0002_more`\n"), "\(markdown)")
    #expect(markdown.contains("\n\n### Migration 3: `0003_notes`\n"))
    let json = try Program.run(["show", "--since", "--json"], in: sandbox).masked(sandbox).output
    #expect(
      json.hasPrefix(
        #"{"schema":1,"catalog":"~/Migrations","since":"v1","migrations":["#
          + #"{"version":2,"folder":"0002_more","description":null,"withdrawn":false,"sql":[],"#
          + #""tables":[{"table":"elements","inserted":2,"#), "\(json)")
    #expect(json.contains(#"]}]},{"version":3,"folder":"0003_notes","#), "\(json)")
    #expect(json.hasSuffix(#""key":{"text":"First"},"columns":[]}]}]}]}"# + "\n"), "\(json)")
  }

  @Test func `one table of what is new is shown, where it is in it`() throws {
    let sandbox = try Self.released()
    let notes = try Program.run(["show", "--since", "--table", "Notes"], in: sandbox)
    #expect(notes.output.hasPrefix("0003_notes\n\nnotes "), "\(notes)")
    let none = try Program.run(["show", "--since", "--table", "note"], in: sandbox)
    #expect(
      none.code == 64
        && none.errors.hasPrefix(
          "'0002_more' and '0003_notes' have no rows of a table 'note'. Did you mean 'notes'?"),
      "\(none)")
  }

  @Test func `where nothing is new it says so`() throws {
    let sandbox = try Self.released()
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    try sandbox.commit("v2")
    for words in [[], ["--markdown"], ["--table", "notes"]] {
      #expect(
        try Program.run(["show", "--since"] + words, in: sandbox)
          == Outcome(output: "Nothing is new since v2.\n"))
    }
    #expect(
      try Program.run(["show", "--since", "v2", "--json"], in: sandbox).output.hasSuffix(
        #""since":"v2","migrations":[]}"# + "\n"))
  }

  @Test func `a wrong question is told as what it is`() throws {
    let sandbox = try Self.released()
    let words: [(words: [String], code: Int32, error: String)] = [
      (["2", "--since"], 64, "Give either N or '--since', not both."),
      (["--since", "v3"], 64, "git knows no commit, branch or tag 'v3'."),
    ]
    for (words, code, error) in words {
      let outcome = try Program.run(["show"] + words, in: sandbox)
      #expect(outcome.code == code && outcome.errors.hasPrefix(error), "\(outcome)")
    }
    let alone = try Program.run(["show", "--since"], in: try Sandbox.withElements())
    #expect(
      alone.code == 2 && alone.errors.contains("and '--since' compares with a commit"), "\(alone)")
  }

  // MARK: textconv

  private static let long = String(repeating: "long ", count: 40)

  /// A tag, and a last migration that was made again after it.
  private static func amended(_ catalog: String, textconv: String) throws -> Sandbox {
    let sandbox = try Sandbox().write([
      ".gitattributes": "*.csv.gz binary diff=seedbed\n",
      "\(catalog)/catalog.json":
        #"{"tables": {"elements": {"key": ["number"], "source": "data/elements.csv"}}}"#,
      "\(catalog)/data/elements.csv": "name,number\nHydrogen,1\nHelium,2\n",
      "\(catalog)/0001_elements/up.sql":
        "CREATE TABLE elements (name TEXT NOT NULL, number INTEGER PRIMARY KEY);",
    ])
    try sandbox.git("init", "-q")
    try sandbox.git("config", "diff.seedbed.textconv", textconv)
    let make = ["make", "--migrations", catalog]
    #expect(try Program.run(make + ["h"], in: sandbox).code == 0)
    try sandbox.commit("v1")
    try sandbox.write(["\(catalog)/data/elements.csv": "name,number\nHydrogen,1\n\(long),2\n"])
    #expect(try Program.run(make + ["--amend"], in: sandbox).code == 0)
    return sandbox
  }

  private static let change = """

    -+ number=2  name="Helium"
    ++ number=2  name="\(long)"

    """

  @Test func `git diff shows rows through a textconv`() throws {
    let sandbox = try Self.amended("Migrations", textconv: "'\(Child.migrate)' show --file")
    let diff = try sandbox.git("diff", "--", "*.csv.gz")
    #expect(diff.contains(Self.change), "\(diff)")
  }

  @Test func `a catalog that is not in the default folder is named in the textconv`() throws {
    let folder = "Apps/Field Guide/Data"
    let sandbox = try Self.amended(
      folder, textconv: "'\(Child.migrate)' show --migrations '\(folder)' --file")
    let diff = try sandbox.git("diff", "--", "*.csv.gz")
    #expect(diff.contains(Self.change), "\(diff)")
    // git runs it in the repository's root, wherever it is called itself.
    #expect(try sandbox.git("-C", "Apps", "diff") == sandbox.git("diff"))
    // Without the folder nobody knows the key.
    try sandbox.git("config", "diff.seedbed.textconv", "'\(Child.migrate)' show --file")
    #expect(try !sandbox.git("diff", "--", "*.csv.gz").contains(Self.change))
  }
}
