import Testing

@testable import MigrateCommand

struct RevertCommandTests {
  private static let bad = [
    "Migrations/0002_bad/elements.update.csv": "number,name,was:name\n1,Hydrogenium,Hydrogen\n"
  ]
  private static let hint =
    "Change the source CSV as well, or the next 'make' brings the reverted rows back. To check: "
    + "migrate make --check.\n"

  @Test func `the inverse is written, and up takes the release back`() throws {
    let sandbox = try Sandbox.withElements(Self.bad)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(
      try Program.run(["revert", "2"], in: sandbox)
        == Outcome(
          output: """
            elements   ~1 changed  (name)
            Wrote Migrations/0003_revert_bad. The catalog now ends at 3.

            """, errors: Self.hint))
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try sandbox.sql("SELECT name FROM elements") == ["Hydrogen", "Helium", "Lithium"])
  }

  @Test func `the commands that write the readable CSV are named`() throws {
    var files = Self.bad
    files["Migrations/catalog.json"] =
      #"{"tables": {"elements": {"source": "data/it's.csv"}}}"#
    files["Migrations/data/it's.csv"] = "number,name\n1,Hydrogenium\n2,Helium\n3,Lithium\n"
    let sandbox = try Sandbox.withElements(files)
    let reverted = try Program.run(["revert", "2"], in: sandbox)
    let commands = """
       To write the CSV as the catalog is now:
        migrate export elements --out 'Migrations/data/it'\\''s.csv'

      """
    #expect(reverted.errors == String(Self.hint.dropLast()) + commands)
    let shell = try Program.run(
      ["export", "elements", "--out", "Migrations/data/it's.csv"], in: sandbox)
    #expect(shell.code == 0)
    #expect(try Program.run(["make", "--check"], in: sandbox).code == 0)
  }

  @Test func `a second time nothing is left, and that is no mistake`() throws {
    let sandbox = try Sandbox.withElements(Self.bad)
    #expect(try Program.run(["revert", "2"], in: sandbox).code == 0)
    let before = try sandbox.contents()
    #expect(
      try Program.run(["revert", "2"], in: sandbox)
        == Outcome(output: "Nothing to revert: no row is still as that migration made it.\n"))
    #expect(
      try Program.run(["revert", "2", "--json"], in: sandbox).output
        .contains(#""outcome":"upToDate""#))
    #expect(try sandbox.contents() == before)
  }

  @Test func `rows that changed since are listed, and nothing is written`() throws {
    let sandbox = try Sandbox.withElements(Self.bad)
    try sandbox.write([
      "Migrations/0003_later/elements.update.csv": "number,name,was:name\n1,H,Hydrogenium\n"
    ])
    let before = try sandbox.contents()
    #expect(
      try Program.run(["revert", "2", "sorry"], in: sandbox)
        == Outcome(
          errors: "Later migrations changed the same rows as '0002_bad', and would be undone too: "
            + "elements number=1 (changed later). Correct the source CSV and make a "
            + "release: migrate make.\n", code: 2))
    #expect(try sandbox.contents() == before)
  }

  @Test(arguments: [
    (["revert"], Int32(64), "'revert' needs N"),
    (["revert", "9"], 64, "There is no migration '9'."),
    (["revert", "1"], 2, "'0001_elements' runs SQL"),
    (["revert", "1", "--rows-only", "--with-down"], 64, "Give either '--rows-only'"),
    (["revert", "1", "--with-down"], 2, "'0001_elements/up.sql' has no counterpart."),
  ])
  func `what cannot be taken back is refused`(
    _ words: [String], _ code: Int32, _ error: String
  ) throws {
    let outcome = try Program.run(words, in: try Sandbox.withElements())
    #expect(outcome.code == code && outcome.errors.hasPrefix(error), "\(outcome)")
  }
}
