import Testing

@testable import MigrateCommand

/// What `make`, `up` and `export` say beside their result.
struct MakeHintsTests {
  private static let same = "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n"
  private static let catalog = [
    "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
    "Migrations/data/elements.csv": same,
  ]

  // MARK: the source

  @Test(arguments: [
    (nil, "{\"tables\": {\"words\": {\"source\": \"data/words.csv\"}}}\n"),
    ("{}", #"{"tables": {"words": {"source": "data/words.csv"}}}"#),
    (
      "{\n  \"tables\": {\n    \"other\": {}\n  }\n}",
      """
      {
        "tables": {
          "words": {"source": "data/words.csv"},
          "other": {}
        }
      }
      """
    ),
    (
      #"{"tables": {"Words": {"key": ["word"]}}}"#,
      #"{"tables": {"Words": {"source": "data/words.csv", "key": ["word"]}}}"#
    ),
  ])
  func `a table that begins with a CSV in the catalog has it as its source from then on`(
    _ options: String?, _ text: String
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.write(["Migrations/data/words.csv": "word\none\n"])
    if let options { try sandbox.write(["Migrations/catalog.json": options]) }
    let words = ["make", "words", "words=Migrations/data/words.csv", "--create"]
    let made = try Program.run(words, in: sandbox)
    #expect(made.code == 0, "\(made)")
    #expect(
      made.errors.hasPrefix(
        "catalog.json now names data/words.csv as the source of 'words'.\n"), "\(made)")
    #expect(try sandbox.text("Migrations/catalog.json") == text)
    #expect(try Program.run(["make", "--check"], in: sandbox).code == 0)
    #expect(try Program.run(["lock", "--check"], in: sandbox).code == 0)
  }

  @Test func `a source that is there stays, and a CSV elsewhere is none`() throws {
    let options = #"{"tables": {"words": {"source": "data/words.csv"}}}"#
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json": options, "Migrations/data/words.csv": "word\none\n",
      "Migrations/data/2.csv": "word\ntwo\n", "words.csv": "word\none\n",
    ])
    let inside = ["make", "words", "words=Migrations/data/2.csv", "--create"]
    #expect(try Program.run(inside, in: sandbox).code == 0)
    #expect(try sandbox.text("Migrations/catalog.json") == options)
    let outside = ["make", "more", "more=words.csv", "--create"]
    #expect(try Program.run(outside, in: sandbox).code == 0)
    #expect(try sandbox.text("Migrations/catalog.json") == options)
  }

  // MARK: the lock and the way back

  @Test func `check says that the lock is stale`() throws {
    let sandbox = try Sandbox.withElements(Self.catalog)
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    #expect(try Program.run(["make", "--check"], in: sandbox).errors == "")
    try sandbox.write(["Migrations/0002_x/verify.sql": "SELECT 1 WHERE 0;"])
    let check = try Program.run(["make", "--check"], in: sandbox)
    #expect(check.errors == "The lock is stale. Write it again: migrate lock.\n")
    #expect(check.code == 0)
  }

  @Test func `the down_sql of columns and tables that SQL adds is written`() throws {
    var files = Self.catalog
    files["Migrations/data/elements.csv"] = "number,name,a b\n1,Hydrogen,x\n2,Helium,\n3,Lithium,\n"
    files["add.sql"] =
      "ALTER TABLE elements ADD COLUMN \"a b\" TEXT;\nCREATE TABLE more (id INTEGER PRIMARY KEY);"
    let sandbox = try Sandbox.withElements(files)
    let made = try Program.run(["make", "x", "--up-sql", "add.sql"], in: sandbox)
    #expect(made.code == 0 && made.errors == "", "\(made)")
    #expect(
      try sandbox.text("Migrations/0002_x/down.sql")
        == "DROP TABLE \"more\";\nALTER TABLE \"elements\" DROP COLUMN \"a b\";\n")
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try Program.run(["down", "--to", "1"], in: sandbox).code == 0)
    #expect(
      try sandbox.sql("SELECT number || '|' || name FROM elements") == [
        "1|Hydrogen", "2|Helium", "3|Lithium",
      ])
  }

  @Test func `a renamed column gets its name back`() throws {
    var files = Self.catalog
    files["Migrations/data/elements.csv"] = "number,label\n1,Hydrogen\n2,Helium\n3,Lithium\n"
    files["add.sql"] = "ALTER TABLE elements RENAME name TO label"
    let sandbox = try Sandbox.withElements(files)
    let made = try Program.run(["make", "x", "--up-sql", "add.sql"], in: sandbox)
    #expect(made.code == 0 && made.errors.contains("Nothing") == false, "\(made)")
    #expect(
      try sandbox.text("Migrations/0002_x/down.sql")
        == "ALTER TABLE \"elements\" RENAME COLUMN \"label\" TO \"name\";\n")
  }

  /// Each does something that no column shows, or that cannot be undone like that.
  @Test(arguments: [
    "ALTER TABLE elements ADD COLUMN zone TEXT; UPDATE elements SET name = upper(name);",
    "ALTER TABLE elements ADD COLUMN zone TEXT; CREATE INDEX z ON elements (zone);",
    "ALTER TABLE elements ADD COLUMN zone TEXT; CREATE VIEW v AS SELECT zone FROM elements;",
  ])
  func `what SQL does besides is for its author to undo`(_ sql: String) throws {
    var files = Self.catalog
    files["Migrations/data/elements.csv"] = "number,name,zone\n1,Hydrogen,x\n2,Helium,\n3,Li,\n"
    files["add.sql"] = sql
    let sandbox = try Sandbox.withElements(files)
    let made = try Program.run(["make", "x", "--up-sql", "add.sql"], in: sandbox)
    #expect(
      made.errors == """
        up.sql has no down.sql, so this migration cannot be undone. Write its down.sql:
        ALTER TABLE "elements" DROP COLUMN "zone";

        """, "\(made)")
    #expect(!sandbox.exists("Migrations/0002_x/down.sql"))
  }

  @Test func `a down_sql that is there is kept, and is to be checked`() throws {
    var files = Self.catalog
    files["Migrations/data/elements.csv"] =
      "number,name,zone\n1,Hydrogen,x\n2,Helium,\n3,Lithium,\n"
    files["add.sql"] = "ALTER TABLE elements ADD COLUMN zone TEXT;"
    let sandbox = try Sandbox.withElements(files)
    #expect(try Program.run(["make", "x", "--up-sql", "add.sql"], in: sandbox).code == 0)
    try sandbox.write([
      "Migrations/0002_x/down.sql": "ALTER TABLE elements DROP COLUMN zone;",
      "Migrations/data/elements.csv": "number,name,zone\n1,Hydrogen,y\n2,Helium,\n3,Lithium,\n",
    ])
    _ = try Program.run(["lock"], in: sandbox)
    let again = try Program.run(["make", "x", "--amend", "--up-sql", "add.sql"], in: sandbox)
    #expect(again.code == 0, "\(again)")
    #expect(
      again.errors.contains("down.sql is kept as it was. Check that it undoes the new up.sql.\n"))
    #expect(!again.errors.contains("has no down.sql"))
  }

  @Test func `a column that was renamed in the CSV is told from one that is new`() throws {
    var files = Self.catalog
    files["Migrations/data/elements.csv"] = "number,IUPAC_label\n1,Hydrogen\n"
    let sandbox = try Sandbox.withElements(files)
    let renamed = try Program.run(["make", "x"], in: sandbox)
    let sql = #"ALTER TABLE "elements" RENAME COLUMN "name" TO "IUPAC_label";"#
    #expect(
      renamed.errors.hasSuffix(
        "\nThe CSV no longer has 'name'. If 'IUPAC_label' is its new name, put this there "
          + "instead:\n\(sql)\n"), "\(renamed)")
    try sandbox.write(["add.sql": sql])
    try sandbox.write([
      "Migrations/data/elements.csv": "number,IUPAC_label\n1,Hydrogen\n2,Helium\n3,Lithium\n"
    ])
    #expect(try Program.run(["make", "x", "--up-sql", "add.sql"], in: sandbox).code == 0)
  }

  // MARK: a schema of the app's

  private static let app = "CREATE TABLE words (word TEXT PRIMARY KEY, note TEXT);\n"
  private static let appFirst =
    "The app creates this table, as schema.sql says: run the app's own migrations first, for "
    + "example by opening the database in the app, then try again.\n"

  @Test func `no app has to come first if the releases make the table as well`() throws {
    let sandbox = try Sandbox().write([
      "Migrations/0001_words/schema.sql": Self.app, "Migrations/0001_words/words.csv": "word\na\n",
      "Migrations/0001_words/up.sql":
        "CREATE TABLE IF NOT EXISTS words (word TEXT PRIMARY KEY, note TEXT);\n",
    ])
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.code == 0, "\(up)")
    #expect(try sandbox.sql("SELECT word FROM words") == ["a"])
  }

  @Test func `an app that owns its schema begins with it, and goes on`() throws {
    let sandbox = try Sandbox().write([
      "Migrations/data/words.csv": "word\none\n", "app.sql": Self.app,
    ])
    let begin = ["make", "words", "words=Migrations/data/words.csv", "--schema", "app.sql"]
    let made = try Program.run(begin, in: sandbox)
    #expect(made.code == 0, "\(made)")
    #expect(try sandbox.text("Migrations/0001_words/schema.sql") == Self.app)
    #expect(!sandbox.exists("Migrations/0001_words/up.sql"))
    // The app has not been opened yet.
    let early = try Program.run(["up"], in: sandbox)
    #expect(early.code == 2)
    #expect(
      early.errors.contains(
        "0001_words/words.csv.gz: There is no database at '\(sandbox.path)/app.sqlite', and so no "
          + "table 'words'. \(Self.appFirst)"), "\(early)")
    #expect(!sandbox.exists("app.sqlite"))
    // A database is there, and the app's migrations have not run.
    try sandbox.sql("CREATE TABLE other (id INTEGER)")
    let empty = try Program.run(["up"], in: sandbox)
    #expect(empty.errors.contains("no table 'words' in the database. \(Self.appFirst)"), "\(empty)")
    try sandbox.sql(Self.app)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try sandbox.sql("SELECT word FROM words") == ["one"])
    // The app's schema moves.
    try sandbox.write(["Migrations/data/words.csv": "word,kind\none,noun\n"])
    #expect(try Program.run(["make", "x"], in: sandbox).errors.contains("name it with --schema:"))
    let twice = try Program.run(["make", "kinds", "--schema", "app.sql"], in: sandbox)
    #expect(
      twice.errors.hasPrefix("app.sql:1") && twice.errors.contains("since then"), "\(twice)")
    try sandbox.write(["moved.sql": "ALTER TABLE words ADD COLUMN kind TEXT;\n"])
    let moved = try Program.run(["make", "kinds", "--schema", "moved.sql"], in: sandbox)
    #expect(moved.code == 0, "\(moved)")
    #expect(sandbox.exists("Migrations/0002_kinds/schema.sql"))
    try sandbox.sql("ALTER TABLE words ADD COLUMN kind TEXT")
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try sandbox.sql("SELECT kind FROM words") == ["noun"])
  }

  @Test func `a schema without the table is refused, and nothing is left`() throws {
    let sandbox = try Sandbox().write(["words.csv": "word\none\n", "app.sql": "SELECT 1;"])
    let outcome = try Program.run(
      ["make", "words", "words=words.csv", "--schema", "app.sql"], in: sandbox)
    #expect(outcome.code == 2)
    let words = "app.sql: 'app.sql' does not create the table 'words'."
    #expect(outcome.errors.hasPrefix(words), "\(outcome)")
    #expect(!sandbox.exists("Migrations"))
  }

  // MARK: users' rows

  @Test func `a row that CSV cannot hold is reported, and all others are printed`() throws {
    let sandbox = try Sandbox.atOne()
    try sandbox.sql("INSERT INTO elements VALUES (98, CAST(X'4100' AS TEXT))")
    try sandbox.sql("INSERT INTO elements VALUES (99, 'Mine')")
    let words = """
      Left out the row number=98 of 'elements': its column 'name' holds text with a NUL character, \
      which CSV cannot hold.
      All other rows are written. To read a value that was left out, query the database: \
      hex(column) shows its bytes.

      """
    #expect(
      try Program.run(["export", "elements", "--mine"], in: sandbox)
        == Outcome(output: "number,name\n99,Mine\n", errors: words, code: 2))
    let file = try Program.run(["export", "elements", "--mine", "--out", "mine.csv"], in: sandbox)
    #expect(file.code == 2 && file.errors == words)
    #expect(try sandbox.text("mine.csv") == "number,name\n99,Mine\n")
    #expect(
      try Program.run(["export", "elements", "--mine", "--json", "--quiet"], in: sandbox).output
        .hasSuffix(
          #""unwritable":[{"key":"number=98","column":"name","#
            + #""reason":"text with a NUL character"}]}"# + "\n"))
  }
}
