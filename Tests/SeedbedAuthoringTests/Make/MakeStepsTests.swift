import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// `make` cuts by itself what one migration may not hold.
struct MakeStepsTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// The CSV files that become others.
    let files: [String: String]
    /// What the new folders hold.
    let made: [String]
    var testDescription: String { name }

    init(_ name: String, _ files: [String: String], _ made: [String]) {
      (self.name, self.files, self.made) = (name, files, made)
    }
  }

  /// Forms name their words, tags refer to them by a UNIQUE code.
  private static let first = [
    "catalog.json": """
    {"tables": {"words": {"source": "data/words.csv"}, "forms": {"source": "data/forms.csv"},
      "tags": {"source": "data/tags.csv"}}}
    """,
    "0001_t/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, code TEXT UNIQUE, x TEXT);
    CREATE TABLE forms (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words (id), y TEXT);
    CREATE TABLE tags (id INTEGER PRIMARY KEY,
      code TEXT REFERENCES words (code) ON UPDATE CASCADE);
    """,
    "0001_t/words.csv": "id,lemma,code,x\n1,go,A,\n2,see,B,\n3,eat,C,\n",
    "0001_t/forms.csv": "id,word,y\n1,1,\n2,3,\n",
    "0001_t/tags.csv": "id,code\n1,C\n",
    "data/words.csv": "id,lemma,code,x\n1,go,A,\n2,see,B,\n3,eat,C,\n",
    "data/forms.csv": "id,word:words.lemma,y\n1,go,\n2,eat,\n",
    "data/tags.csv": "id,code\n1,C\n",
  ]

  static let cases: [Case] = [
    Case(
      "a new name, and what refers by it follows",
      [
        "data/words.csv": "id,lemma,code,x\n1,walk,A,\n2,see,B,\n3,eat,C,\n",
        "data/forms.csv": "id,word:words.lemma,y\n1,walk,\n2,eat,\n",
      ],
      ["0002_next/words.update.csv.gz: id,lemma,was:lemma|1,walk,go"]),
    Case(
      "a new name, and new rows that refer by it",
      [
        "data/words.csv": "id,lemma,code,x\n1,walk,A,new\n2,see,B,\n3,eat,C,\n",
        "data/forms.csv": "id,word:words.lemma,y\n1,walk,\n2,eat,\n3,walk,\n",
      ],
      [
        "0002_next_1/words.update.csv.gz: id,lemma,was:lemma|1,walk,go",
        "0003_next_2/forms.csv.gz: id,word:words.lemma,y|3,walk,",
        "0003_next_2/words.update.csv.gz: id,x,was:x|1,new,",
      ]),
    Case(
      "names are exchanged",
      [
        "data/words.csv": "id,lemma,code,x\n1,see,A,\n2,go,B,\n3,eat,C,\n",
        "data/forms.csv": "id,word:words.lemma,y\n1,go,\n2,eat,\n",
      ],
      [
        "0002_next_1/words.update.csv.gz: id,lemma,was:lemma|1,see,go|2,go,see",
        "0003_next_2/forms.update.csv.gz: id,word:words.lemma,was:word:words.lemma|1,go,see",
      ]),
    Case(
      "a value that others refer to is passed on twice, and a new row takes the last",
      ["data/words.csv": "id,lemma,code,x\n1,go,Z,\n2,see,A,\n3,eat,C,\n4,be,B,\n"],
      [
        "0002_next_1/words.update.csv.gz: id,code,was:code|1,Z,A",
        "0003_next_2/words.update.csv.gz: id,code,was:code|2,A,B",
        "0004_next_3/words.csv.gz: id,lemma,code,x|4,be,B,",
      ]),
    Case(
      "a retired row's value that others refer to",
      ["data/words.csv": "id,lemma,code,x\n1,go,A,\n3,eat,C,\n4,be,B,\n"],
      [
        "0002_next_1/words.delete.csv.gz: id,lemma,code,x|2,see,B,",
        "0003_next_2/words.csv.gz: id,lemma,code,x|4,be,B,",
      ]),
    Case(
      "a row waits with the one that it refers to",
      [
        "data/words.csv": "id,lemma,code,x\n1,go,Z,\n2,see,B,\n3,eat,C,\n4,be,A,\n",
        "data/forms.csv": "id,word:words.lemma,y\n1,be,\n2,eat,\n",
        "data/tags.csv": "id,code\n1,C\n2,B\n",
      ],
      [
        "0002_next_1/tags.csv.gz: id,code|2,B",
        "0002_next_1/words.update.csv.gz: id,code,was:code|1,Z,A",
        "0003_next_2/forms.update.csv.gz: id,word:words.lemma,was:word:words.lemma|1,be,go",
        "0003_next_2/words.csv.gz: id,lemma,code,x|4,be,A,",
      ]),
  ]

  @Test(arguments: cases) func `make cuts what one migration may not hold`(_ c: Case) throws {
    let bench = try Workbench(Self.first)
    let before = Set(try bench.names)
    try bench.write(c.files)
    let summary = try bench.make { $0.allowsDeletes = true }
    #expect(try Self.made(bench, before) == c.made)
    #expect(summary.cuts.map(\.folder) == Array(summary.folders.dropFirst()))
    _ = try bench.migrator().up()
    #expect(try bench.make().isUpToDate)
  }

  private static func made(_ bench: Workbench, _ before: Set<String>) throws -> [String] {
    try bench.names.filter { !before.contains($0) && $0.hasSuffix(".csv.gz") }.map { name in
      "\(name): " + (try bench.text(name)).split(separator: "\n").joined(separator: "|")
    }
  }

  @Test func `it says why, at the line of the source`() throws {
    let bench = try Workbench(Self.first)
    try bench.write([
      "data/words.csv": "id,lemma,code,x\n1,walk,A,\n2,see,B,\n3,eat,C,\n",
      "data/forms.csv": "id,word:words.lemma,y\n1,walk,\n2,eat,\n3,walk,\n",
    ])
    let summary = try bench.make()
    #expect(
      summary.cuts == [
        ReleaseSummary.Cut(
          folder: "0003_next_2",
          reason:
            "data/forms.csv:4: This row of 'forms' refers to {\"lemma\":\"walk\"} of 'words', and "
            + "data/words.csv:2 changes which row that is. Ship the new names as a separate "
            + "migration, and refer to them in the next one.")
      ])
    #expect(
      summary.tables.map { "\($0.table) +\($0.inserted) ~\($0.updated)" }
        == ["words +0 ~1", "forms +1 ~0"])
  }

  @Test func `new keys come first, with nothing beside them`() throws {
    let bench = try Workbench(Self.first)
    let before = Set(try bench.names)
    try bench.write([
      "data/words.csv": "id,lemma,code,x\n10,go,A,new\n2,see,B,\n3,eat,C,\n1,be,D,\n",
      "data/forms.csv": "id,word,y\n1,10,\n2,3,\n3,1,\n", "data/keys.csv": "was:id,id\n1,10\n",
    ])
    _ = try bench.make { $0.renamed = [.init("words", bench.catalog + "/data/keys.csv")] }
    #expect(
      try Self.made(bench, before) == [
        "0002_next_1/words.update.csv.gz: id,was:id|10,1",
        "0003_next_2/forms.csv.gz: id,word,y|3,1,",
        "0003_next_2/words.csv.gz: id,lemma,code,x|1,be,D,",
        "0003_next_2/words.update.csv.gz: id,x,was:x|10,new,",
      ])
    let migrator = try bench.migrator()
    _ = try migrator.up()
    #expect(try bench.rows("SELECT word FROM forms ORDER BY id") == [[10], [3], [1]])
  }

  @Test func `SQL comes with the first step, what speaks of all rows with the last`() throws {
    let bench = try Workbench(Self.first)
    try bench.write([
      "0002_u/after.sql": "UPDATE words SET x = x;",
      "0002_u/verify.sql": "SELECT 1 WHERE (SELECT count(*) FROM words) < 4;",
      "0002_u/migration.json": #"{"verify": "fail"}"#,
      "0002_u/up.sql": "CREATE TABLE more (id INTEGER);",
      "data/words.csv": "id,lemma,code,x\n1,go,Z,\n2,see,B,\n3,eat,C,\n4,be,A,\n",
    ])
    _ = try bench.make("u") { $0.amends = true }
    #expect(
      try bench.names.filter { $0.hasPrefix("000") && $0.hasSuffix(".sql") }
        == ["0001_t/up.sql", "0002_u_1/up.sql", "0003_u_2/after.sql", "0003_u_2/verify.sql"])
    #expect(
      try bench.names.filter { $0.hasSuffix("migration.json") }
        == ["0002_u_1/migration.json", "0003_u_2/migration.json"])
    _ = try bench.migrator().up()
  }

  @Test func `what no order serves is refused, and nothing is written`() throws {
    let bench = try Workbench(Self.first)
    try bench.write(["data/words.csv": "id,lemma,code,x\n1,go,B,\n2,see,A,\n3,eat,C,\n"])
    let before = try bench.names
    #expect(
      bench.failure { try bench.make() }
        == "data/words.csv:2: This row of 'words' takes {\"code\":\"B\"}, to which other rows may "
        + "refer, and data/words.csv:3 gives it up. Give it up in one migration, and use it in the "
        + "next. No order works, because the rows need each other: change the CSV in two steps, "
        + "with a release after each.")
    #expect(try bench.names == before)
  }

  // MARK: random releases

  /// A row to retire passes its name on while others refer by it, which no order of migrations
  /// serves.
  private static let refused: Set = [15, 110, 124, 158, 172]
  private static let seeds = Set(Seeds.first(10, of: 200)).union(refused).sorted()

  /// Random schemas with trees, UNIQUE values, references between tables, by id and by name.
  @Test(arguments: seeds) func `make serves any source if some order does`(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    var family = RandomFamily(&dice)
    let bench = try Workbench(["catalog.json": family.options, "0001_tables/up.sql": family.sql])
    try bench.write(family.csv)
    _ = try bench.make("first", Self.allow)
    _ = try bench.migrator().up()
    family.edit(&dice)
    try bench.write(family.csv)
    let failure = bench.failure { try bench.make("next", Self.allow) }
    #expect((failure == "nothing") != Self.refused.contains(seed), "\(failure)")
    if failure != "nothing" { return }
    let report = try bench.migrator().up()
    #expect(report.migrations.allSatisfy { $0.conflictCount == 0 })
    #expect(try bench.release("again", Self.allow).check().isUpToDate)
  }

  private static func allow(_ release: inout Release) {
    release.allowsDeletes = true
    release.acceptsSpreadsheets = true
  }
}
