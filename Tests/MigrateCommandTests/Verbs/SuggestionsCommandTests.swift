import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// `export --suggestions` on a user's machine, and `suggestions` on the author's.
struct SuggestionsCommandTests {
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox.atOne([
      "Migrations/catalog.json": #"{"tables": {"elements": {"source": "data/elements.csv"}}}"#,
      "Migrations/data/elements.csv": "number,name\n1,Hydrogen\n2,Helium\n3,Lithium\n",
    ])
    try sandbox.sql("UPDATE elements SET name = 'He' WHERE number = 2")
    try sandbox.sql("DELETE FROM elements WHERE number = 3")
    try sandbox.sql("INSERT INTO elements VALUES (9, 'Mine')")
    return sandbox
  }

  private static func run(_ line: String, _ sandbox: Sandbox) throws -> Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: sandbox).masked(sandbox)
  }

  private static let header = "kind,table,key,column,base,mine,version\n"
  private static let edit = "edit,elements,\"{\"\"number\"\":2}\",name,Helium,He,1\n"

  // MARK: on a user's machine

  @Test func `a user's corrections are exported, and nothing else unless asked for`() throws {
    let sandbox = try Self.sandbox()
    let before = try sandbox.contents()
    #expect(
      try Self.run("export --suggestions", sandbox) == Outcome(output: Self.header + Self.edit))
    #expect(
      try Self.run("export elements --suggestions --deletions --additions", sandbox)
        == Outcome(
          output: Self.header + Self.edit
            + "addition,elements,\"{\"\"number\"\":9}\",,,"
            + "\"{\"\"number\"\":9,\"\"name\"\":\"\"Mine\"\"}\",1\n"
            + "deletion,elements,\"{\"\"number\"\":3}\",,,,1\n"))
    #expect(try sandbox.contents() == before)
  }

  @Test func `a name chooses JSON lines, and --json is a document`() throws {
    let sandbox = try Self.sandbox()
    #expect(
      try Self.run("export --suggestions --out mine.jsonl", sandbox)
        == Outcome(output: "Wrote mine.jsonl: 1 suggestion.\n"))
    let line =
      #"{"kind":"edit","table":"elements","key":{"number":2},"column":"name","base":"Helium","#
      + #""mine":"He","version":1}"#
    #expect(try sandbox.text("mine.jsonl") == line + "\n")
    #expect(
      try Self.run("export --suggestions --json", sandbox)
        == Outcome(
          output: #"{"schema":1,"table":null,"count":1,"omitted":0,"file":null,"suggestions":["#
            + line + #"],"unwritable":[]}"# + "\n"))
    // Nothing says whose they are, or where and when they were made.
    let text = try sandbox.text("mine.jsonl")
    for word in [sandbox.path, "app.sqlite", "2026", NSUserName()] { #expect(!text.contains(word)) }
  }

  @Test(arguments: [
    ("export --suggestions --mine", "Give either '--mine' or '--suggestions', not both."),
    ("export elements --deletions", "say what is exported with '--suggestions'"),
    ("export", "'export' needs TABLE"), ("suggestions", "'suggestions' needs FILE"),
    ("suggestions mine.csv --html x", "'x' is not a page."),
    ("suggestions mine.csv --html x.html --take 1", "Give either '--html' or '--take', not both."),
    ("suggestions mine.csv --min many", "takes a whole number from 0"),
    ("suggestions mine.csv --take ,", "'--take' names no ID."),
    ("suggestions mine.csv --accept", "'--accept' is about what '--take' writes. Give both."),
    ("suggestions mine.csv --allow-deletes", "'--allow-deletes' is about what '--take' writes."),
    ("suggestions mine.csv --where elemnts", "Did you mean 'elements'?"),
    ("suggestions mine.csv --where elements.nam", "Did you mean 'elements.name'?"),
    ("export nothing --suggestions", "No applied migration has rows for 'nothing'"),
  ])
  func `what is not understood`(_ line: String, _ reason: String) throws {
    let outcome = try Self.run(line, try Self.sandbox().write(["mine.csv": Self.header]))
    #expect(outcome.code == 64 && outcome.errors.contains(reason), "\(outcome)")
  }

  // MARK: on the author's

  @Test func `a device without a suggestion has a file without a line`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.sql("UPDATE elements SET name = 'Helium' WHERE number = 2")
    for file in ["mine.csv", "mine.jsonl"] {
      try sandbox.do("export --suggestions --out \(file)")
      #expect(
        try Self.run("suggestions \(file)", sandbox)
          == Outcome(output: "No suggestions in 1 file.\n"))
    }
    try sandbox.write(["other.csv": ""])
    #expect(
      try Self.run("suggestions other.csv", sandbox).errors == "other.csv: The file is empty.\n")
  }

  @Test func `a file of a stranger has a limit as a whole`() throws {
    let sandbox = try Self.sandbox()
    let lines = (0..<100_001).map { "edit,elements,\"{\"\"number\"\":1}\",name,x,v\($0),1\n" }
    try sandbox.write(["many.csv": Self.header + lines.joined()])
    let outcome = try Self.run("suggestions many.csv --min 2", sandbox)
    let words =
      "many.csv: The file has more than 256 MiB or 100000 lines, and the rest of it was not "
    #expect(outcome.code == 2 && outcome.errors.hasPrefix(words), "\(outcome)")
    #expect(outcome.errors.hasSuffix("If you know who wrote it, split it into several files.\n"))
  }

  @Test func `they are listed with their counts, and taken`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.write([
      "in/1.csv": Self.header + Self.edit, "in/2.csv": Self.header + Self.edit,
      "in/3.csv": Self.header + "edit,elements,\"{\"\"number\"\":1}\",name,Hydro,Hydrogenium,1\n",
    ])
    let before = try sandbox.contents()
    let list = try Self.run("suggestions in/1.csv in/2.csv in/3.csv", sandbox)
    let lines = list.output.split(separator: "\n").map(String.init)
    #expect(list.code == 0 && list.errors == "", "\(list)")
    try #require(lines.count == 6, "\(list)")
    let id = String(lines[0].prefix(10))
    #expect(
      lines == [
        "\(id)  2 devices, open  (elements, version 1)",
        "~ number=2  name \"Helium\" → \"He\"",
        "\(lines[2].prefix(10))  1 device, outdated  (elements, version 1)",
        "~ number=1  name \"Hydro\" → \"Hydrogenium\"",
        "    Made against an older value: the source has \"Hydrogen\" now.",
        "2 suggestions in 3 files: 1 open, 1 outdated",
      ])
    #expect(
      try Self.run("suggestions in/1.csv in/2.csv in/3.csv --min 2", sandbox).output
        .hasSuffix("1 suggestion in 3 files: 1 open\n"))
    #expect(
      try Self.run("suggestions in/3.csv --where elements.number", sandbox).output
        == "No suggestions in 1 file.\n")
    #expect(try sandbox.contents() == before)

    #expect(
      try Self.run("suggestions in/1.csv in/2.csv --take \(id.prefix(6))", sandbox)
        == Outcome(
          output: """
            Wrote 1 suggestion into data/elements.csv.
            Review the change, and make the next release: migrate make NAME.

            """))
    #expect(
      try sandbox.text("Migrations/data/elements.csv")
        == "number,name\n1,Hydrogen\n2,He\n3,Lithium\n")
    #expect(
      try Self.run("suggestions in/1.csv", sandbox).output.contains(" 1 device, settled "))
    #expect(
      try Self.run("suggestions in/1.csv --take \(id)", sandbox).output
        == "Nothing to take: the source has it already.\n")
    #expect(try Self.run("make june", sandbox).output.contains("~1 changed  (name)"))
  }

  @Test func `the document has each side, the state and the place`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.write(["1.csv": Self.header + Self.edit])
    let json = try Self.run("suggestions 1.csv --json", sandbox)
    #expect(json.code == 0)
    #expect(
      json.output.replacing(#/"id":"[0-9a-f]{16}"/#, with: #""id":"ID""#) == """
        {"schema":1,"readFiles":1,"suggestions":[{"id":"ID","count":1,"state":"open",\
        "kind":"edit","table":"elements","key":{"number":2},"column":"name","base":"Helium",\
        "mine":"He","now":"Helium","fromVersion":1,"toVersion":1,"file":"data/elements.csv",\
        "line":3}],"refusedCount":0,"refused":[]}

        """)
  }

  // MARK: strangers

  @Test func `what cannot be used is refused with its line, and shown harmlessly`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.write([
      "1.csv": Self.header + Self.edit
        + "edit,\"no\u{202E}\u{1B}[2Jtable\",\"{\"\"a\"\":1}\",a,b,c,1\n",
      "2.csv": "<script>alert(1)</script>\n",
    ])
    let outcome = try Self.run("suggestions 1.csv 2.csv", sandbox)
    #expect(outcome.code == 2)
    #expect(outcome.output.hasSuffix("1 suggestion in 2 files: 1 open\n"))
    let errors = outcome.errors.split(separator: "\n", maxSplits: 1)
    #expect(errors[0].hasPrefix("1.csv:3: "), "\(outcome)")
    #expect(errors[1].hasPrefix("2.csv:1: This is no file of suggestions"), "\(outcome)")
    for scalar in ["\u{202E}", "\u{1B}"] {
      #expect(!outcome.errors.contains(scalar) && !outcome.output.contains(scalar))
    }
  }

  @Test func `invisible characters in values are shown`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.write([
      "1.csv": Self.header
        + "edit,elements,\"{\"\"number\"\":2}\",name,Helium,\"\u{202E}eH\u{1B}[31m\",1\n"
    ])
    #expect(
      try Self.run("suggestions 1.csv", sandbox).output
        .contains(#"name "Helium" → "\u{202e}eH\u{1b}[31m""#))
  }

  @Test func `hundreds of thousands of lines are only counted`() throws {
    let sandbox = try Self.sandbox()
    let known = (0..<90_000).map {
      "edit,elements,\"{\"\"number\"\":2}\",name,Helium,He\($0 % 1000),1\n"
    }
    let unknown = (0..<90_000).map { "edit,x\($0),\"{\"\"a\"\":1}\",a,b,c,1\n" }
    try sandbox.write([
      "1.csv": Self.header + known.joined(), "2.csv": Self.header + known.joined(),
      "3.csv": Self.header + unknown.joined(),
    ])
    let outcome = try Self.run("suggestions 1.csv 2.csv 3.csv --min 3", sandbox)
    #expect(outcome.code == 2 && outcome.output == "No suggestions in 3 files.\n")
    #expect(outcome.errors.hasSuffix("… and 89,980 more lines that cannot be used.\n"))
  }

  @Test func `a table of a database is a source, and what to correct in it is printed`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.write([
      "Migrations/catalog.json":
        #"{"tables": {"elements": {"source": "data/elements.sqlite#elements"}}}"#,
      "in/1.csv": Self.header + Self.edit,
    ])
    let made = try Child.run(
      [
        "sqlite3", "Migrations/data/elements.sqlite",
        "CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT); INSERT INTO elements "
          + "VALUES (1, 'Hydrogen'), (2, 'Helium'), (3, 'Lithium')",
      ], in: sandbox.path)
    try #require(made.code == 0, "\(made)")
    let before = try sandbox.contents()
    #expect(try Self.run("make --check", sandbox).code == 0)
    let id = try Self.run("suggestions in/1.csv", sandbox).output.prefix(10)
    let statement = #"UPDATE "elements" SET "name" = 'He' WHERE "number" IN (2, '2');"#
    for quiet in ["", " --quiet"] {
      let taken = try Self.run("suggestions in/1.csv --take \(id)\(quiet)", sandbox)
      #expect(
        taken.output
          == """
          -- For data/elements.sqlite#elements, into which nothing was written:
          \(statement)

          """, "\(taken)")
      #expect(taken.errors.contains("make the next release: migrate make NAME.") == quiet.isEmpty)
    }
    let document = try Self.run("suggestions in/1.csv --take \(id) --json", sandbox).output
    #expect(
      document.contains(
        #""files":[],"databases":[{"source":"data/elements.sqlite#elements","statements":["UPDATE "#
      ),
      "\(document)")
    #expect(try sandbox.contents() == before)
    let corrected = try Child.run(
      ["sqlite3", "Migrations/data/elements.sqlite", statement], in: sandbox.path)
    try #require(corrected.code == 0, "\(corrected)")
    #expect(
      try Self.run("make two", sandbox).output
        == """
        elements   ~1 changed  (name)
        Wrote Migrations/0002_two. The catalog now ends at 2.

        """)
    let other = try Self.run("export elements --out Migrations/data/elements.sqlite#x", sandbox)
    #expect(other.code == 64 && other.errors.contains("writes the rows of a table as CSV"))
  }
}
