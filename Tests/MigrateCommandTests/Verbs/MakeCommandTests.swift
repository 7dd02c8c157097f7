import Testing

@testable import MigrateCommand

struct MakeCommandTests {
  private static func bench(_ csv: String) throws -> Sandbox {
    try Sandbox.withElements([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv": csv,
    ])
  }

  private static let same = "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n"
  private static let other = "number,name\n1,Hydrogenium\n2,Helium\n3,Lithium\n4,Beryllium\n"

  @Test func `it says what it wrote, and up applies it`() throws {
    let sandbox = try Self.bench(Self.other)
    #expect(
      try Program.run(["make", "names"], in: sandbox)
        == Outcome(
          output: """
            elements   +1 added, ~1 changed  (name)
            Wrote Migrations/0002_names. The catalog now ends at 2.

            """))
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.code == 0, "\(up)")
    #expect(
      try sandbox.sql("SELECT name FROM elements") == [
        "Hydrogenium", "Helium", "Lithium", "Beryllium",
      ])
    #expect(
      try Program.run(["make", "names", "--json"], in: sandbox).output
        == #"{"schema":1,"catalog":"\#(sandbox.path)/Migrations","outcome":"upToDate","#
        + #""folders":[],"tables":[],"proposals":[],"absent":[],"cuts":[],"renames":[]}"# + "\n")
  }

  /// A retired word passes its value on, and two others exchange theirs.
  @Test(arguments: ["(lower(word))", "(length(word) || word)", "(word COLLATE NOCASE) WHERE rank"])
  func `what an index computes may change hands`(_ index: String) throws {
    let sandbox = try Sandbox()
    let first = "id,word,rank\n1,hen,1\n2,cow,2\n3,cat,3\n4,dog,4\n"
    try sandbox.write([
      "Migrations/catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
      "Migrations/0001_words/up.sql": """
      -- seedbed:allow sharedIds Users add no words.
      CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL, rank INTEGER);
      CREATE UNIQUE INDEX words_word ON words \(index);
      """,
      "Migrations/0001_words/down.sql": "DROP TABLE words;\n",
      "Migrations/0001_words/words.csv": first,
      "Migrations/data/words.csv": "id,word,rank\n2,hen,2\n3,dog,3\n4,cat,4\n5,cow,1\n",
    ])
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    let made = try Program.run(["make", "words", "--allow-deletes"], in: sandbox)
    #expect(made.code == 0, "\(made)")
    #expect(
      try Program.run(["lint"], in: sandbox)
        == Outcome(output: "No problems found in Migrations.\n"))
    let up = try Program.run(["up"], in: sandbox)
    #expect(up.code == 0 && up.output.contains("+1 added, ~3 changed, -1 retired"), "\(up)")
    let words = "SELECT id || word FROM words ORDER BY id"
    #expect(try sandbox.sql(words) == ["2hen", "3dog", "4cat", "5cow"])
    #expect(try Program.run(["conflicts"], in: sandbox).output == "No conflicts.\n")
    #expect(try Program.run(["down", "--to", "1"], in: sandbox).code == 0)
    #expect(try sandbox.sql(words) == ["1hen", "2cow", "3cat", "4dog"])
  }

  @Test func `it notes what the release is for, in each part of it`() throws {
    let other = "number,name\n1,Hydrogenium\n2,Helium\n4,Lithium\n"
    let sandbox = try Self.bench(other)
    // New keys are a migration of their own.
    try sandbox.write(["keys.csv": "was:number,number\n3,4\n"])
    let words = #"Names "of" 2016"#
    let made = try Program.run(
      ["make", "names", "--renamed", "keys.csv", "--description", words], in: sandbox)
    #expect(made.code == 0, "\(made)")
    for folder in ["0002_names_1", "0003_names_2"] {
      #expect(
        try sandbox.text("Migrations/\(folder)/migration.json")
          == #"{"description": "Names \"of\" 2016"}"# + "\n")
    }
    #expect(try Program.run(["show"], in: sandbox).output.hasPrefix("0003_names_2\n\(words)\n"))
    // Amending changes these words and no other option.
    let options = #"{"description": "Old.", "verify": "warn"}"#
    try sandbox.write(["Migrations/0003_names_2/migration.json": options])
    try sandbox.write(["Migrations/data/elements.csv": other + "5,Boron\n"])
    #expect(
      try Program.run(["make", "--amend", "--description=New."], in: sandbox).code == 0)
    #expect(
      try sandbox.text("Migrations/0003_names_2/migration.json")
        == #"{"description": "New.", "verify": "warn"}"# + "\n")
    let none = try Program.run(["make", "x", "--description", "What for?"], in: sandbox)
    #expect(none.code == 0 && none.output.hasPrefix("Nothing to write"), "\(none)")
    #expect(
      try Program.run(["make", "x", "--description", ""], in: sandbox).errors.hasPrefix(
        "Option '--description' takes text"))
  }

  @Test func `where nothing changed it says so`() throws {
    let sandbox = try Self.bench(Self.same)
    let words = "Nothing to write: the catalog matches the source of 1 table.\n"
    #expect(try Program.run(["make", "x"], in: sandbox) == Outcome(output: words))
    #expect(try Program.run(["make", "--check"], in: sandbox) == Outcome(output: words))
  }

  @Test func `checking ends with 3 and writes nothing`() throws {
    let sandbox = try Self.bench(Self.other)
    let before = try sandbox.contents()
    let check = try Program.run(["make", "--check"], in: sandbox)
    #expect(
      check
        == Outcome(
          output: """
            elements   +1 added, ~1 changed  (name)
            The catalog does not match its sources. Write the difference: migrate make NAME

            """, code: 3))
    #expect(
      try Program.run(["make", "--check", "--json"], in: sandbox).output.contains(
        #""outcome":"differs","folders":[],"tables":[{"table":"elements","inserted":1,"updated":1,"#
          + #""deleted":0,"columns":["name"]}]"#))
    #expect(try sandbox.contents() == before)
  }

  @Test func `a CSV with semicolons ends with 2 and a hint`() throws {
    let sandbox = try Self.bench("number;name\n1;x\n")
    let outcome = try Program.run(["make", "x"], in: sandbox)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors == "Migrations/data/elements.csv:1:1: The header looks separated by "
        + "semicolons. "
        + "Separate fields by commas.\n")
  }

  @Test func `a file given on the line stands for the sources`() throws {
    let sandbox = try Self.bench(Self.same)
    try sandbox.write(["mine.csv": Self.other])
    let outcome = try Program.run(["make", "x", "elements=mine.csv"], in: sandbox)
    #expect(outcome.output.hasPrefix("elements   +1 added"), "\(outcome)")
    #expect(
      try Program.run(["make", "x", "elements=none.csv"], in: sandbox).errors.hasPrefix(
        "There is no file 'none.csv', the source of the table 'elements'."))
  }

  @Test func `a table that is not there is proposed, and made with --create`() throws {
    let sandbox = try Self.bench(Self.same)
    try sandbox.write(["words.csv": "word\none\n"])
    let proposal = try Program.run(["make", "words", "words=words.csv"], in: sandbox)
    #expect(
      proposal
        == Outcome(
          output: """
            There is no table 'words' yet. --create makes it:

                CREATE TABLE "words" (
                  "word" TEXT NOT NULL,
                  PRIMARY KEY ("word")
                );

            'word' identifies each row: a natural key.

            """, code: 2))
    #expect(!sandbox.exists("Migrations/0002_words"))
    let made = try Program.run(["make", "words", "words=words.csv", "--create"], in: sandbox)
    #expect(made.code == 0 && sandbox.exists("Migrations/0002_words/down.sql"), "\(made)")
    #expect(made.errors == "'word' identifies each row: a natural key.\n")
    // What lint would ask for is said where it is made.
    try sandbox.write(["ids.csv": "id\n1\n"])
    let ids = try Program.run(["make", "ids", "ids=ids.csv", "--create"], in: sandbox)
    #expect(ids.errors.contains("the option \"reserve\": 1000000 in catalog.json"), "\(ids)")
  }

  @Test(arguments: [
    (["make"], "'make' needs a name for the migration: migrate make NAME."),
    (["make", "x", "=y"], "'=y' is not TABLE=FILE."),
    (["make", "x", "--split", "5"], "Unknown option '--split'"),
    (
      ["make", "a b"], "A migration's name has letters, digits, '_' and '-', but 'a b' has others."
    ),
    (["make", "y", "--amend"], "There is no migration called 'y' to make again."),
  ])
  func `a line that was not understood ends with 64`(_ words: [String], _ error: String) throws {
    let outcome = try Program.run(words, in: try Self.bench(Self.other))
    #expect(outcome.code == 64 && outcome.errors.hasPrefix(error), "\(outcome)")
  }

  // MARK: new and export

  @Test func `a new folder is made from nothing, and applied as it stands`() throws {
    let sandbox = try Sandbox()
    #expect(
      try Program.run(["new", "words"], in: sandbox)
        == Outcome(
          output: "Wrote Migrations/0001_words with up.sql and down.sql. Fill them, then: migrate "
            + "lock\n"))
    #expect(sandbox.exists("Migrations/0001_words/down.sql"))
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    #expect(try Program.run(["up"], in: sandbox).code == 0)
  }

  @Test func `what is exported is a source for make`() throws {
    let sandbox = try Self.bench(Self.other)
    #expect(try Program.run(["export", "elements"], in: sandbox) == Outcome(output: Self.same))
    let file = "Migrations/data/elements.csv"
    #expect(
      try Program.run(["export", "elements", "--out", file], in: sandbox)
        == Outcome(output: "Wrote \(file): 3 rows of elements.\n"))
    #expect(try Program.run(["make", "--check"], in: sandbox).code == 0)
    #expect(
      try Program.run(["export", "element"], in: sandbox)
        == Outcome(
          errors: "There is no table 'element'. Did you mean 'elements'?\nSee 'migrate help "
            + "export'.\n", code: 64))
  }

  @Test func `the user's own rows are exported from the database`() throws {
    let sandbox = try Sandbox.atOne()
    try sandbox.sql("INSERT INTO elements VALUES (99, 'Mine')")
    try sandbox.sql("UPDATE elements SET name = 'H' WHERE number = 1")
    #expect(
      try Program.run(["export", "elements", "--mine"], in: sandbox)
        == Outcome(output: "number,name\n1,H\n99,Mine\n"))
    #expect(
      try Program.run(["export", "elements", "--mine", "--json"], in: sandbox).output
        == #"{"schema":1,"table":"elements","rows":2,"file":null,"#
        + #""csv":"number,name\n1,H\n99,Mine\n","unwritable":[]}"# + "\n")
  }

  /// é as one scalar, and as e with an accent: one name to Swift, and two to SQLite.
  @Test func `two spellings of a column's name are two columns`() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json":
        #"{"tables": {"words": {"source": "words.csv", "reserve": 1000000}}}"#,
      "Migrations/words.csv": "id,\(two),\(one)\n1,seed,\n2,more,\n",
    ])
    for arguments in [["make", "words", "--create"], ["lint"], ["up"]] {
      let outcome = try Program.run(arguments, in: sandbox)
      #expect(outcome.code == 0, "\(arguments) \(outcome)")
    }
    let values = "SELECT quote(\"\(one)\") || '|' || quote(\"\(two)\") FROM words"
    #expect(try sandbox.sql(values) == ["NULL|'seed'", "NULL|'more'"])
    _ = try sandbox.sql("UPDATE words SET \"\(one)\" = 'mine' WHERE id = 1")
    try sandbox.write(["Migrations/words.csv": "id,\(two),\(one)\n1,new,\n"])
    for arguments in [["make", "next", "--allow-deletes"], ["up"], ["verify"], ["snapshot"]] {
      let outcome = try Program.run(arguments, in: sandbox)
      #expect(outcome.code == 0, "\(arguments) \(outcome)")
    }
    #expect(try sandbox.sql(values) == ["'mine'|'new'"])
  }
}
