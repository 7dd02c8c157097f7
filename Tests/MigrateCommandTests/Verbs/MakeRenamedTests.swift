import Testing

@testable import MigrateCommand

/// Rows that get another key in the source CSV.
struct MakeRenamedTests {
  private static func bench() throws -> Sandbox {
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
      "Migrations/0001_words/up.sql": "CREATE TABLE words (word TEXT PRIMARY KEY, text TEXT);",
      "Migrations/0001_words/words.csv": "word,text\ncolour,red\ngrey,dull\nsame,same\n",
      "Migrations/data/words.csv": "word,text\ncolor,red\ngray,dull\nsame,same\n",
    ])
    _ = try Program.run(["lock"], in: sandbox)
    _ = try Program.run(["up"], in: sandbox)
    _ = try sandbox.sql("UPDATE words SET text = 'mine' WHERE word = 'grey'")
    return sandbox
  }

  @Test func `rows that seem to have another key are told, and the file is written`() throws {
    let sandbox = try Self.bench()
    let made = try Program.run(["make", "us", "--allow-deletes"], in: sandbox)
    #expect(
      made
        == Outcome(
          output: """
            words      +2 added, -2 retired
            Wrote Migrations/0002_us. The catalog now ends at 2.

            """,
          errors: "2 of the added rows of 'words' are as 2 of the retired ones were, such as "
            + "word='color', which was word='colour'. If only their key changed, --renamed keeps "
            + "users' edits with them. The first time, this writes the file for you to look at; "
            + "the second time, it uses it: migrate make us --amend --renamed renamed.csv\n"))
    let again = ["make", "us", "--amend", "--renamed", "renamed.csv"]
    let before = try sandbox.contents()
    #expect(
      try Program.run(again, in: sandbox)
        == Outcome(
          output: "Wrote renamed.csv: 2 rows of 'words' that seem to have another key. Look at it, "
            + "then run this again.\n", code: 2))
    var after = try sandbox.contents()
    #expect(try sandbox.text("renamed.csv") == "was:word,word\ncolour,color\ngrey,gray\n")
    after["renamed.csv"] = nil
    #expect(after == before)
    let final = try Program.run(again, in: sandbox)
    #expect(final.code == 0 && final.errors == "", "\(final)")
    _ = try Program.run(["up"], in: sandbox)
    #expect(
      try sandbox.sql("SELECT word || '|' || text FROM words ORDER BY word")
        == ["color|red", "gray|mine", "same|same"])
  }

  @Test func `several tables are renamed in one call`() throws {
    let sandbox = try Self.bench().write([
      "Migrations/catalog.json": """
      {"tables": {"words": {"source": "data/words.csv"}, "tags": {"source": "data/tags.csv"}}}
      """,
      "Migrations/0002_tags/up.sql": "CREATE TABLE tags (tag TEXT PRIMARY KEY, text TEXT);",
      "Migrations/0002_tags/tags.csv": "tag,text\nold,x\nsame,y\n",
      "Migrations/data/tags.csv": "tag,text\nnew,x\nsame,y\n",
    ])
    _ = try Program.run(["lock"], in: sandbox)
    let check = try Program.run(["make", "--check"], in: sandbox)
    #expect(
      check.errors.hasPrefix(
        "1 of the added rows of 'tags' is as 1 of the retired ones was, such as tag='new', which "
          + "was tag='old'. 2 of the added rows of 'words' are as 2 of the retired ones were, such "
          + "as word='color', which was word='colour'. If only their key changed, --renamed keeps"),
      "\(check)")
    #expect(
      check.errors.contains(
        "migrate make NAME --renamed 'tags=tags.renamed.csv' --renamed 'words=words.renamed.csv'"),
      "\(check)")
    let make = ["make", "us", "--renamed", "tags=t.csv", "--renamed", "words=w.csv"]
    let written = try Program.run(make, in: sandbox)
    #expect(written.code == 2, "\(written)")
    #expect(try sandbox.text("t.csv") == "was:tag,tag\nold,new\n")
    #expect(try sandbox.text("w.csv") == "was:word,word\ncolour,color\ngrey,gray\n")
    let made = try Program.run(make, in: sandbox)
    #expect(made.code == 0 && made.output.hasPrefix("tags       ~1 changed  (tag)\n"), "\(made)")
    let twice = try Program.run(make + ["--renamed", "TAGS=t.csv"], in: sandbox)
    #expect(
      twice
        == Outcome(
          errors: "The table 'tags' is given twice. Once is enough.\nSee 'migrate help make'.\n",
          code: 64))
  }

  @Test func `check says it, too, and writes nothing`() throws {
    let sandbox = try Self.bench()
    let before = try sandbox.contents()
    let check = try Program.run(["make", "--check", "--json"], in: sandbox)
    #expect(check.code == 3)
    #expect(
      check.output.contains(
        #""renames":[{"table":"words","rows":2,"file":"was:word,word\ncolour,color\ngrey,gray\n"}]"#
      ),
      "\(check)")
    #expect(check.errors.contains("migrate make NAME --renamed renamed.csv"), "\(check)")
    #expect(try sandbox.contents() == before)
  }

  @Test(arguments: [
    (
      "renamed.csv",
      "There is no file 'renamed.csv', and no added row is as a retired one was. Name "
        + "a CSV with the columns was:KEY and KEY.\n"
    ),
    (
      "other=renamed.csv",
      "There is no file 'renamed.csv', and no added row is as a retired one "
        + "was. Name a CSV with the columns was:KEY and KEY.\n"
    ),
  ])
  func `a file that is not there is written only if it says something`(
    _ word: String, _ error: String
  ) throws {
    let sandbox = try Self.bench()
    if word == "renamed.csv" {
      try sandbox.write(["Migrations/data/words.csv": "word,text\ncolour,red\ngrey,dull\n"])
    }
    let outcome = try Program.run(["make", "x", "--renamed", word], in: sandbox)
    #expect(outcome == Outcome(errors: error, code: 2))
    #expect(!sandbox.exists("renamed.csv"))
  }
}
