import TestSupport
import Testing

@testable import MigrateCommand

struct ReseedCommandTests {
  @Test func `rows come back by their keys, and the user's stay`() throws {
    let sandbox = try Sandbox.toldStory()
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    let one = try Program.run(["reseed", "elements", "1", "5"], in: sandbox).masked(sandbox)
    #expect(one.code == 0)
    #expect(one.output.contains("Backup   "))
    #expect(
      one.output.hasSuffix(
        "elements: +1 added, ~1 changed. These rows are as in version 2.\n"))
    #expect(
      try sandbox.sql(
        "SELECT number || '|' || symbol || '|' || name FROM elements WHERE number IN (1, 5)")
        == ["1|D|Deuterium", "5|B|Boron"])
    let again = try Program.run(["reseed", "elements", "1", "5", "--json"], in: sandbox)
    #expect(again.output.contains(#""inserted":0,"updated":0,"unchanged":2"#))
    #expect(again.output.contains(#""outcome":"upToDate""#))
  }

  @Test func `a row that a user made under a seed's key goes only where it is named`() throws {
    let sandbox = try Sandbox.toldStory()
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    let all = try Program.run(["reseed", "elements"], in: sandbox)
    #expect(
      all.output.contains(
        "\nNot put back: 2 rows. A user's row is in its place, or it is pinned, or a rule of "))
    #expect(try sandbox.sql("SELECT symbol FROM elements WHERE number = 20") == ["Kk"])
    let named = try Program.run(["reseed", "elements", "20"], in: sandbox)
    #expect(named.output.contains(#"Replaced rows that a user had made: {"number":20}."#))
    #expect(try sandbox.sql("SELECT symbol FROM elements WHERE number = 20") == ["Ca"])
  }

  @Test func `no backup is taken if that is asked for`() throws {
    let sandbox = try Sandbox.toldStory()
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    let named = try Program.run(["reseed", "elements", "20", "--no-backup"], in: sandbox)
    #expect(named.code == 0 && !named.output.lowercased().contains("backup"))
    #expect(try sandbox.sql("SELECT symbol FROM elements WHERE number = 20") == ["Ca"])
  }

  @Test(arguments: [#"x"y"#, "it's", "-a b", "$HOME"])
  func `the command that an error names can be pasted into a shell:`(_ name: String) throws {
    let csv = "\"" + name.replacing("\"", with: "\"\"") + "\""
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json": #"{"tables": {"t": {"key": ["n"]}, "p": {"key": ["n"]}}}"#,
      "Migrations/0001_t/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY, n TEXT UNIQUE);
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE, up INTEGER REFERENCES p (id));
      """,
      "Migrations/0001_t/p.csv": "n\n\(csv)\n",
      "Migrations/0001_t/t.csv": "n,up:p.n\nleaf,\(csv)\n",
    ])
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    try sandbox.sql("DELETE FROM t")
    try sandbox.sql("DELETE FROM p")
    let errors = try Program.run(["reseed", "t"], in: sandbox).errors
    let command = try #require(errors.firstMatch(of: #/first: migrate (.*)\.\n/#)).output.1
    let pasted = try Program.start(
      ["-c", "exec \"$0\" \(command)", Child.migrate], in: sandbox, program: "/bin/sh"
    ).wait()
    #expect(pasted.code == 0)
    #expect(try sandbox.sql("SELECT n FROM p") == [name])
    #expect(try Program.run(["reseed", "t"], in: sandbox).code == 0)
  }

  @Test func `a table must be named`() throws {
    let sandbox = try Sandbox.toldStory()
    let outcome = try Program.run(["reseed"], in: sandbox)
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("'reseed' needs TABLE"))
  }
}
