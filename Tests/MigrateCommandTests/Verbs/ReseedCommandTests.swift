import TestSupport
import Testing

@testable import MigrateCommand

struct ReseedCommandTests {
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
}
