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

  /// Everything that a person types about such a row, in the words that the log prints.
  @Test func `a row whose key holds an id of this database is known by names, too`() throws {
    let sandbox = try Sandbox().write([
      "Migrations/catalog.json":
        #"{"tables": {"land": {"key": ["code"]}, "rate": {"key": ["land_id", "plan"]}}}"#,
      "Migrations/0001_a/up.sql": """
      CREATE TABLE land (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT UNIQUE);
      CREATE TABLE rate (id INTEGER PRIMARY KEY, land_id INTEGER REFERENCES land (id), plan TEXT,
        price INTEGER, UNIQUE (land_id, plan));
      """,
      "Migrations/0001_a/land.csv": "code\nAQ\nCZ\nDE\n",
      "Migrations/0001_a/rate.csv":
        "land_id:land.code,plan,price\nAQ,pro,10\nCZ,pro,20\nDE,pro,30\n",
    ])
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    try sandbox.sql("UPDATE land SET id = id + 1000")
    try sandbox.sql("UPDATE land SET id = id - 999")
    try sandbox.sql("UPDATE rate SET land_id = land_id + 1000, price = 99")
    try sandbox.sql("UPDATE rate SET land_id = land_id - 999")
    _ = try sandbox.write([
      "Migrations/0002_b/rate.update.csv":
        "land_id:land.code,plan,price,was:price\nCZ,pro,21,20\nDE,pro,31,30\n"
    ])
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    let log = try Program.run(["conflicts"], in: sandbox).output
    #expect(log.contains(#"edited: rate land_id=3, plan="pro" (CZ,pro)"#), "\(log)")
    let json = try Program.run(["conflicts", "--json"], in: sandbox).output
    #expect(json.contains(#""names":{"land_id:land.code":"DE","plan":"pro"}"#), "\(json)")
    #expect(try Program.run(["reseed", "rate", "3,pro"], in: sandbox).code == 0)
    #expect(try sandbox.sql("SELECT land_id FROM rate WHERE price < 99") == ["3"])
    let pinned = try Program.run(["pin", "rate", "DE,pro"], in: sandbox)
    #expect(pinned.output == "Pinned rate land_id=4, plan=\"pro\".\n")
    let settled = try Program.run(["resolve", "2", "--seed"], in: sandbox)
    #expect(settled.output.contains("is pinned. Unpin it first: migrate unpin rate 4,pro."))
    #expect(try Program.run(["unpin", "rate", "DE,pro"], in: sandbox).code == 0)
    #expect(try Program.run(["resolve", "2", "--seed"], in: sandbox).code == 0)
    let origin = try Program.run(
      ["origin", "rate", #"{"land_id:land.code":"DE","plan":"pro"}"#], in: sandbox)
    #expect(origin.output.contains("In the catalog: land_id=4, plan=\"pro\", price=31"))
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

  // MARK: several tables

  /// At 2; a test's `flush` has emptied every table.
  private func flushed() throws -> Sandbox {
    let sandbox = try Sandbox().write(Sandbox.story)
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    for table in ["isotopes", "notes", "elements"] { try sandbox.sql("DELETE FROM \(table)") }
    return sandbox
  }

  private static let all = [
    "1 D Deuterium", "2 Hx Heliox", "5 B Boron", "20 Ca Calcium", "21 Sc Scandium",
  ]

  @Test(arguments: [["--tables", "isotopes", "elements"], ["--all"]])
  func `several tables come back together, parents first`(_ line: [String]) throws {
    let sandbox = try flushed()
    let outcome = try Program.run(["reseed"] + line, in: sandbox).masked(sandbox)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("Backup   "), "\(outcome)")
    #expect(
      lines.dropFirst() == [
        "elements: +5 added. These rows are as in version 2.",
        "isotopes: +2 added. These rows are as in version 2.",
      ])
    #expect(
      try sandbox.sql("SELECT number || ' ' || symbol || ' ' || name FROM elements ORDER BY number")
        == Self.all)
    #expect(try sandbox.sql("SELECT element FROM isotopes ORDER BY id") == ["20", "5"])
    #expect(try sandbox.sql("SELECT count(*) FROM seedbed_runs") == ["2"])
    let again = try Program.run(["reseed"] + line + ["--json", "--no-backup"], in: sandbox)
    #expect(
      again.masked(sandbox)
        == Outcome(
          output: #"""
            {"schema":1,"database":"~/app.sqlite","version":2,"tables":[\#
            {"table":"elements","inserted":0,"updated":0,"unchanged":5,"kept":0,"keys":[],\#
            "replacedKeys":[]},\#
            {"table":"isotopes","inserted":0,"updated":0,"unchanged":2,"kept":0,"keys":[],\#
            "replacedKeys":[]}],"touchedTables":[],"backup":null,"outcome":"upToDate"}

            """#))
  }

  @Test func `one that fails keeps all as they were`() throws {
    let sandbox = try flushed()
    try sandbox.sql("DROP TABLE isotopes")
    let outcome = try Program.run(["reseed", "--all"], in: sandbox)
    #expect(outcome.code == 2)
    #expect(outcome.errors.hasPrefix("The database has no table 'isotopes'."), "\(outcome)")
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["0"])
  }

  @Test(arguments: [
    ([], "'reseed' needs TABLE"), (["--tables"], "'reseed' needs TABLE"),
    (["--all", "elements"], "Name tables, or all of them with '--all', not both."),
    (["--all", "--tables"], "Name tables, or all of them with '--all', not both."),
    (["--tables", "elements", "words"], "No applied migration has rows for 'words'. Tables with "),
    (["elements", "9"], "The catalog has no row '9' of 'elements' at this version. A key is "),
    (
      ["elements", "isotopes"],
      "The catalog has no row 'isotopes' of 'elements' at this version. A key is the value of "
        + "number, as in the row files. Nothing was changed. For several tables, give '--tables'.\n"
    ),
  ])
  func `a wrong line`(_ line: [String], _ words: String) throws {
    let sandbox = try flushed()
    let outcome = try Program.run(["reseed"] + line, in: sandbox)
    #expect(outcome.code == 64 && outcome.errors.hasPrefix(words), "\(outcome)")
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["0"])
  }

  // MARK: what verify says before

  @Test func `verify names tables that are empty, and is content`() throws {
    let sandbox = try flushed()
    let sound =
      "Nothing is wrong: files and ledger agree, and the database is sound. There is no "
      + "lock: migrate lock.\n"
    let both = try Program.run(["verify"], in: sandbox)
    #expect(
      both
        == Outcome(
          output: sound
            + "The tables 'elements' (5 rows) and 'isotopes' (2 rows) are empty, though the "
            + "catalog filled them. Unless this was on purpose: migrate reseed --tables "
            + "elements isotopes.\n"))
    let document = try Program.run(["verify", "--json"], in: sandbox).output
    #expect(
      document.hasSuffix(
        #""emptied":[{"table":"elements","rows":5},{"table":"isotopes","rows":2}],"findings":[]}"#
          + "\n"), "\(document)")
    let each = try Program.run(["verify", "--each", "app.sqlite"], in: sandbox)
    #expect(
      each.output
        == "1 database: 1 without findings\napp.sqlite  The tables 'elements' (5 rows) and "
        + "'isotopes' (2 rows) are empty, though the catalog filled them. Unless this was "
        + "on purpose: migrate reseed --database app.sqlite --tables elements isotopes.\n")
    #expect(each.code == 0)
    let command = try #require(both.output.firstMatch(of: #/migrate (reseed .*)\.\n/#)).output.1
    #expect(
      try Program.run(command.split(separator: " ").map(String.init), in: sandbox).code == 0)
    #expect(try Program.run(["verify"], in: sandbox).output == sound)
    try sandbox.sql("DELETE FROM isotopes")
    let one = try Program.run(["verify"], in: sandbox).output
    #expect(
      one == sound
        + "The table 'isotopes' (2 rows) is empty, though the catalog filled it. Unless "
        + "this was on purpose: migrate reseed isotopes.\n")
  }

  /// What may empty a table without anybody's doing.
  @Test(arguments: [
    ["Migrations/0002_next/after.sql": "DELETE FROM isotopes;\n"],
    ["Migrations/0003_moved/up.sql": "DELETE\nFROM isotopes;\n"],
    ["Migrations/0003_less/isotopes.delete.csv": "id,element\n1,20\n2,5\n"],
    [
      "Migrations/0003_again/up.sql":
        "DROP TABLE isotopes; CREATE TABLE isotopes (id INTEGER PRIMARY KEY, element INTEGER);\n"
    ],
    ["Migrations/0003_gone/up.sql": "DROP TABLE isotopes;\n"],
  ])
  func `a table that releases emptied is not named`(_ files: [String: String]) throws {
    let sandbox = try Sandbox().write(Sandbox.story.merging(files) { $1 })
    let up = try Program.run(["up", "--quiet"], in: sandbox)
    #expect(up.code == 0, "\(up)")
    let verify = try Program.run(["verify"], in: sandbox)
    #expect(verify.code == 0 && !verify.output.contains("isotopes"), "\(verify)")
  }
}
