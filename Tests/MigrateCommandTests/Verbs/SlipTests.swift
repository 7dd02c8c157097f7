import Testing

@testable import MigrateCommand

/// What people type who know only the help.
struct SlipTests {
  @Test(arguments: [["up", "--to", "99"], ["baseline", "1"], ["baseline", "1", "--check"]])
  func `a database with a misspelt name is not created for nothing`(_ words: [String]) throws {
    let sandbox = try Sandbox.withElements()
    let outcome = try Program.run(words + ["--database", "ap.sqlite"], in: sandbox)
    #expect(outcome.code != 0 && outcome.output.isEmpty, "\(outcome)")
    #expect(!sandbox.exists("ap.sqlite"))
  }

  @Test(arguments: [
    "up", "status", "plan", "verify", "conflicts", "reseed elements", "down --to 0",
  ])
  func `a file that is no database is not called a damaged one`(_ line: String) throws {
    let sandbox = try Sandbox.withElements(["list.csv": "number,name\n1,Hydrogen, and so on\n"])
    let words = line.split(separator: " ").map(String.init)
    let outcome = try Program.run(words + ["--database", "list.csv"], in: sandbox)
    #expect(
      outcome
        == Outcome(
          errors: "'list.csv' is encrypted, or not a SQLite database. Name another with "
            + "--database PATH, or, if it was one, restore a backup: migrate restore.\n",
          code: 2))
  }

  @Test(arguments: ["up", "status", "conflicts"])
  func `a folder is not a database`(_ verb: String) throws {
    let outcome = try Program.run([verb, "--database", "."], in: try Sandbox.withElements())
    #expect(
      outcome
        == Outcome(
          errors: "'.' is a folder, not a file. Name the database's file with --database PATH.\n",
          code: 2))
  }

  @Test(arguments: ["up", "plan", "status", "restore", "backups", "conflicts", "rehearse"])
  func `a path with a slash at its end is that of a folder for all verbs`(_ verb: String) throws {
    for sandbox in [try Sandbox.withElements(), try Sandbox.atOne()] {
      let before = try sandbox.contents()
      let outcome = try Program.run([verb, "--database", "app.sqlite/"], in: sandbox)
      #expect(
        outcome
          == Outcome(
            errors:
              "'app.sqlite/' is the path of a folder, not a file. Name the database's file with "
              + "--database PATH.\n", code: 2))
      #expect(try sandbox.contents() == before)
    }
  }

  @Test(arguments: ["up", "plan"])
  func `where the tables are there without a ledger, baseline is named`(_ verb: String) throws {
    let sandbox = try Sandbox.withElements()
    try sandbox.sql("CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    let outcome = try Program.run([verb], in: sandbox)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("already exists"))
    let remedy = "Check first what differs: migrate baseline N --check."
    #expect(outcome.errors.contains(remedy), "\(outcome)")
    let other = try Sandbox.withElements(["Migrations/0001_elements/up.sql": "SELEC 1;"])
    #expect(try !Program.run([verb], in: other).errors.contains("baseline"))
  }

  @Test func `what went with a dropped table is not said to be kept`() throws {
    let sandbox = try Sandbox.atOne()
    try sandbox.write(["Migrations/0001_elements/down.sql": "DROP TABLE elements;\n"])
    try sandbox.sql("UPDATE elements SET name = 'Bobium' WHERE number = 2")
    let words = ["down", "--to", "0", "--discard-user-rows"]
    let outcome = try Program.run(words, in: sandbox)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      outcome.output.hasSuffix(
        "Reverted 1 migration. Database is at 0.  1 conflict: migrate conflicts\n"))
  }

  @Test(arguments: [
    ["make", "x"], ["make", "--check"], ["export", "elements"], ["revert", "2"],
  ])
  func `what a scratch database kept is not told`(_ words: [String]) throws {
    let source = #""elements": {"source": "elements.csv"}"#
    let sandbox = try Sandbox.withElements([
      "Migrations/catalog.json": #"{"tables": {\#(source), "elemnts": {"reserve": 9}}}"#,
      "Migrations/elements.csv": "number,name\n1,Hydrogen\n",
    ])
    try sandbox.write(Sandbox.more)
    let outcome = try Program.run(words, in: sandbox)
    #expect(outcome.code == 2 && outcome.errors.contains("Did you mean 'elements'?"), "\(outcome)")
    #expect(!outcome.errors.contains("Applied before"))
  }

  @Test func `the first table of an app begins its catalog`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(["words.csv": "word,rank\nant,1\nbee,2\n"])
    let bad = try Program.run(["make", "words", "words=word.csv", "--create"], in: sandbox)
    #expect(bad.code == 2)
    #expect(!sandbox.exists("Migrations"), "\(bad)")
    #expect(try Program.run(["make", "words", "words=words.csv"], in: sandbox).code == 2)
    #expect(!sandbox.exists("Migrations"))
    let made = try Program.run(["make", "words", "words=words.csv", "--create"], in: sandbox)
    #expect(made.code == 0, "\(made)")
    #expect(try Program.run(["up"], in: sandbox).code == 0)
    #expect(try sandbox.sql("SELECT word FROM words ORDER BY rank") == ["ant", "bee"])
  }

  @Test func `a missing row file is not taken for a source`() throws {
    #expect(
      try Program.run(["show", "--file", "none.csv"], in: try Sandbox())
        == Outcome(
          errors: "There is no file 'none.csv'. Name an existing row file.\n", code: 2))
  }
}
