import Testing

@testable import MigrateCommand
@testable import SeedbedAuthoring

struct ShowCommandTests {
  private static let release = [
    "Migrations/0002_next/migration.json": #"{"description": "What came | next."}"#,
    "Migrations/0002_next/after.sql":
      "-- why\nUPDATE elements\n  SET name = trim(name);\nSELECT 1;\n",
    "Migrations/0002_next/elements.csv": "number,name\n4,Beryllium\n5,\"\"\n",
    "Migrations/0002_next/elements.update.csv":
      "number,name,was:name\n1,\"a|b`\n<i>@x</i>\",Hydrogen\n2,,Helium\n",
    "Migrations/0002_next/elements.delete.csv": "number,name\n3,Lithium\n",
  ]

  private static func bench() throws -> Sandbox { try Sandbox.withElements(release) }

  @Test func `the last migration is shown as a diff`() throws {
    let sandbox = try Self.bench()
    let before = try sandbox.contents()
    #expect(
      try Program.run(["show"], in: sandbox)
        == Outcome(
          output: #"""
            0002_next
            What came | next.

            after.sql
                UPDATE elements SET name = trim(name)
                SELECT 1

            elements   +2 added, ~2 changed, -1 retired  (name)
            + number=4  name="Beryllium"
            + number=5  name=""
            ~ number=1  name "Hydrogen" → "a|b`\n<i>@x</i>"
            ~ number=2  name "Helium" → NULL
            - number=3  name="Lithium"

            """#))
    #expect(try sandbox.contents() == before)
    let first = try Program.run(["show", "1", "--table", "ELEMENTS"], in: sandbox)
    #expect(first.output.contains("+ number=3  name=\"Lithium\"\n"))
    #expect(!first.output.contains("up.sql"))
  }

  @Test func `what is left out is counted`() throws {
    let outcome = try Program.run(["show", "1", "--limit", "1"], in: try Self.bench())
    #expect(outcome.output.hasSuffix("+ number=1  name=\"Hydrogen\"\n  … and 2 more added\n"))
  }

  @Test func `Markdown takes nothing of the data for its own signs`() throws {
    #expect(
      try Program.run(["show", "--markdown", "--limit", "1"], in: try Self.bench())
        == Outcome(
          output: #"""
            ### Migration 2: `0002_next`

            <code>What came &#124; next&#46;</code>

            | table | added | changed | retired | columns |
            |---|--:|--:|--:|---|
            | `elements` | 2 | 2 | 1 | `name` |

            #### `elements`

            | | row | columns |
            |---|---|---|
            | + | `number` `4` | `name` `"Beryllium"` |
            | | … and 1 more added | |
            | ~ | `number` `1` | `name` <code>&#34;Hydrogen&#34; → \#
            &#34;a&#124;b&#96;&#92;n&#60;i&#62;&#64;x&#60;&#47;i&#62;&#34;</code> |
            | | … and 1 more changed | |
            | - | `number` `3` | `name` `"Lithium"` |

            #### `after.sql`

            ```sql
            UPDATE elements
              SET name = trim(name);
            -- … and 1 more statement
            ```


            """#))
  }

  @Test func `a document for programs`() throws {
    let sandbox = try Self.bench()
    #expect(
      try Program.run(["show", "--json", "--limit", "1"], in: sandbox).masked(sandbox).output
        == #"{"schema":1,"catalog":"~/Migrations","version":2,"folder":"0002_next","#
        + #""description":"What came | next.","withdrawn":false,"#
        + #""sql":[{"file":"after.sql","statements":["UPDATE elements\n  SET name = trim(name)","#
        + #""SELECT 1"]}],"tables":[{"table":"elements","inserted":2,"updated":2,"deleted":1,"#
        + #""columns":["name"],"omitted":2,"rows":[{"operation":"insert","key":{"number":"4"},"#
        + #""columns":[{"column":"name","new":"Beryllium"}]},{"operation":"update","#
        + #""key":{"number":"1"},"columns":[{"column":"name","old":"Hydrogen","#
        + #""new":"a|b`\n<i>@x</i>"}]},{"operation":"delete","key":{"number":"3"},"#
        + #""columns":[{"column":"name","old":"Lithium"}]}]}]}"# + "\n")
  }

  @Test(arguments: [
    (["show", "7"], "There is no migration '7'. The last one is '0002_next'."),
    (["show", "0"], "There is no migration '0'. The first one is '0001_elements'."),
    (["show", "0002_nex"], "There is no migration '0002_nex'. Did you mean '0002_next'?"),
    (
      ["show", "--table", "element"],
      "'0002_next' has no rows of a table 'element'. Did you mean 'elements'?"
    ),
    (["show", "--file", "notes.txt"], "'notes.txt' is not a row file"),
    (["show", "1", "--file", "a.csv"], "Give either N or '--file', not both."),
    (
      ["show", "--file", "a.csv", "--json"], "'--file' shows all of one file, a line for each row. "
    ),
    (["show", "--file", "a.csv", "--limit", "1"], "'--file' shows all of one file"),
    (["show", "--file", "a.csv", "--table", "elements"], "'--file' shows all of one file"),
    (["show", "--file", "a.csv", "--since"], "'--file' shows all of one file"),
    (["show", "--markdown", "--json"], "Give either '--markdown' or '--json', not both."),
    (["verify", "--snapshots", "--engine-check"], "Give either '--snapshots' or '--engine-check'"),
    (
      ["bundle", "OUT", "--as-errors", "--json"], "Give either '--as-errors' or '--json', not both."
    ),
  ])
  func `what is not there ends with 64`(_ words: [String], _ error: String) throws {
    let outcome = try Program.run(words, in: try Self.bench())
    let isThere =
      words.contains("--json") ? outcome.output.contains(error) : outcome.errors.hasPrefix(error)
    #expect(outcome.code == 64 && isThere, "\(outcome)")
  }

  // MARK: one row

  @Test func `two long texts are shown from where they part`() {
    let same = String(repeating: "x", count: 100)
    let (one, other) = ReleaseText.excerpts(same + "old", same + "new")
    #expect(one == "…xxxxxxxxxxold" && other == "…xxxxxxxxxxnew")
    let short = ReleaseText.excerpts("abc", "abd")
    #expect(short == ("abc", "abd"))
  }

  @Test func `a line keeps to the width and hides nothing that turns text around`() {
    let text = ReleaseText(columns: 40)
    let fields = (0..<14).map {
      ReleaseReading.Field(name: "c\($0)", old: nil, new: .text("\u{202E}\u{200B}\($0)"))
    }
    let lines = text.lines(
      .init(
        operation: .insert, key: [.init(name: "id", old: nil, new: .number("1"))], fields: fields))
    #expect(lines.allSatisfy { $0.displayWidth <= 40 })
    #expect(lines[0] == #"+ id=1  c0="\u{202e}\u{200b}0""#)
    #expect(lines.last == "    … and 2 more columns")
    let paint = ReleaseText(
      columns: 40, palette: Palette(for: Memory().sink(isTerminal: true), [:]))
    let removed = paint.lines(
      .init(operation: .delete, key: [.init(name: "id", old: .number("1"), new: nil)], fields: []))
    #expect(removed == ["\u{1B}[31m- id=1\u{1B}[0m"])
  }
}
