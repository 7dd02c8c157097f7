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

  /// A many-to-many table: names find its rows, and it has no other column.
  @Test func `a row that is all key is retired, reverted and taken back`() throws {
    let sandbox = try Sandbox().write([
      "schema.sql": """
      CREATE TABLE template (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE);
      CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE tags (id INTEGER PRIMARY KEY AUTOINCREMENT,
        template_id INTEGER NOT NULL REFERENCES template, label_id INTEGER NOT NULL
        REFERENCES label, UNIQUE (template_id, label_id));
      CREATE INDEX tags_label ON tags (label_id);

      """,
      "Migrations/catalog.json": """
      {"tables": {
        "template": {"key": ["slug"], "source": "data/template.csv"},
        "label": {"key": ["name"], "source": "data/label.csv"},
        "tags": {"key": ["template_id", "label_id"], "source": "data/tags.csv"}}}

      """,
      "Migrations/data/template.csv": "slug\nhello\nbye\n",
      "Migrations/data/label.csv": "name\nnew\nold\n",
      "Migrations/data/tags.csv":
        "template_id:template.slug,label_id:label.name\nhello,new\nhello,old\nbye,old\n",
    ])
    try sandbox.do("make first --up-sql schema.sql")
    try sandbox.write([
      "Migrations/0001_first/down.sql": "DROP TABLE tags; DROP TABLE label; DROP TABLE template;\n"
    ])
    try sandbox.do("lock")
    try sandbox.do("up")
    try sandbox.write([
      "Migrations/data/tags.csv":
        "template_id:template.slug,label_id:label.name\nhello,new\nbye,old\n"
    ])
    try sandbox.do("make second --allow-deletes")
    #expect(try sandbox.do("lint").contains("No problems found"))
    let count = "SELECT count(*) FROM tags"
    for (line, rows) in [
      ("up", "2"), ("down --to 1", "3"), ("up", "2"), ("revert 2", "2"), ("up", "3"),
      ("down --to 2", "2"), ("reseed tags", "2"),
    ] {
      try sandbox.do(line)
      #expect(try sandbox.sql(count) == [rows], "\(line)")
    }
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
