import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// New keys, and what must come before them.
struct MakeKeyStepsTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let sql: String
    /// The sources, before and after.
    let files: [String: (String, String)]
    let renamed: [String: String]
    /// What the new folders hold.
    let made: [String]
    var options = ""
    var testDescription: String { name }
  }

  private static let words = "CREATE TABLE words (code TEXT PRIMARY KEY, n TEXT);\n"
  private static let texts = """
    CREATE TABLE texts (word TEXT NOT NULL REFERENCES words, seq INTEGER NOT NULL, t TEXT,
      PRIMARY KEY (word, seq));
    """
  private static let named = """
    CREATE TABLE words (id INTEGER PRIMARY KEY, code TEXT UNIQUE, n TEXT);
    CREATE TABLE texts (wid INTEGER NOT NULL REFERENCES words, seq INTEGER NOT NULL, t TEXT,
      PRIMARY KEY (wid, seq));
    """
  private static let key = #""key": ["code"], "#

  static let cases: [Case] = [
    Case(
      name: "a row to retire has the key",
      sql: "CREATE TABLE words (owner TEXT, code TEXT, n TEXT, PRIMARY KEY (owner, code));",
      files: ["words": ("owner,code,n\no,apple,1\no,apples,2\n", "owner,code,n\no,apple,2\n")],
      renamed: ["words": "was:owner,owner,was:code,code\no,o,apples,apple\n"],
      made: [
        "0002_next_1/words.delete.csv.gz: owner,code,n|o,apple,1",
        "0003_next_2/words.update.csv.gz: owner,code,was:code|o,apple,apples",
      ]),
    Case(
      name: "what refers to the row to retire goes first", sql: words + texts,
      files: [
        "words": ("code,n\na,1\nb,2\n", "code,n\na,2\n"),
        "texts": ("word,seq,t\na,1,x\nb,2,y\n", "word,seq,t\na,2,y\n"),
      ],
      renamed: ["words": "was:code,code\nb,a\n"],
      made: [
        "0002_next_1/texts.delete.csv.gz: word,seq,t|a,1,x",
        "0002_next_1/words.delete.csv.gz: code,n|a,1",
        "0003_next_2/words.update.csv.gz: code,was:code|a,b",
      ]),
    Case(
      name: "the row to which it refers is new", sql: words + texts,
      files: [
        "words": ("code,n\na,1\n", "code,n\na,1\nb,2\n"),
        "texts": ("word,seq,t\na,1,x\n", "word,seq,t\nb,1,x\n"),
      ],
      renamed: ["texts": "was:word,word,was:seq,seq\na,b,1,1\n"],
      made: [
        "0002_next_1/words.csv.gz: code,n|b,2",
        "0003_next_2/texts.update.csv.gz: word,was:word,seq|b,a,1",
      ]),
    Case(
      name: "the row that it names is new", sql: named,
      files: [
        "words": ("code,n\na,1\n", "code,n\na,1\nb,2\n"),
        "texts": ("wid:words.code,seq,t\na,1,x\n", "wid:words.code,seq,t\nb,1,x\n"),
      ],
      renamed: ["texts": "was:wid:words.code,wid:words.code,was:seq,seq\na,b,1,1\n"],
      made: [
        "0002_next_1/words.csv.gz: code,n|b,2",
        "0003_next_2/texts.update.csv.gz: wid:words.code,was:wid:words.code,seq|b,a,1",
      ], options: key),
    Case(
      name: "what follows needs no new key and counts as no deletion", sql: named,
      files: [
        "words": ("code,n\na,1\nb,2\n", "code,n\nz,1\nb,2\n"),
        "texts": (
          "wid:words.code,seq,t\na,1,x\nb,1,y\n", "wid:words.code,seq,t\nz,1,x\nb,1,y\n"
        ),
      ],
      renamed: ["words": "was:code,code\na,z\n"],
      made: ["0002_next/words.update.csv.gz: code,was:code|z,a"], options: key),
    Case(
      name: "a child has another key besides that of its parent", sql: words + texts,
      files: [
        "words": ("code,n\na,1\n", "code,n\nz,1\n"),
        "texts": ("word,seq,t\na,1,x\n", "word,seq,t\nz,5,x\n"),
      ],
      renamed: [
        "words": "was:code,code\na,z\n", "texts": "was:word,word,was:seq,seq\na,z,1,5\n",
      ],
      made: [
        "0002_next_1/words.update.csv.gz: code,was:code|z,a",
        "0003_next_2/texts.update.csv.gz: word,seq,was:seq|z,5,1",
      ]),
  ]

  private static func bench(_ c: Case) throws -> Workbench {
    let tables = c.files.keys.sorted().map { table in
      #""\#(table)": {\#(table == "words" ? c.options : "")"source": "data/\#(table).csv"}"#
    }
    let bench = try Workbench([
      "catalog.json": #"{"tables": {\#(tables.joined(separator: ", "))}}"#,
      "0001_tables/up.sql": c.sql,
    ])
    for (table, texts) in c.files { try bench.write(["data/\(table).csv": texts.0]) }
    try bench.make("rows")
    for (table, texts) in c.files { try bench.write(["data/\(table).csv": texts.1]) }
    for (table, text) in c.renamed { try bench.write(["data/\(table).renamed": text]) }
    return bench
  }

  private static func make(
    _ c: Case, in bench: Workbench, allowsDeletes: Bool
  ) throws -> ReleaseSummary {
    try bench.make { release in
      release.allowsDeletes = allowsDeletes
      release.renamed = c.renamed.keys.sorted().map {
        .init($0, bench.catalog + "/data/\($0).renamed")
      }
    }
  }

  @Test(arguments: cases) func `new keys come when there is room for them`(_ c: Case) throws {
    let bench = try Self.bench(c)
    let before = Set(try bench.names)
    let deletes = c.made.contains { $0.contains(".delete.") }
    let summary = try Self.make(c, in: bench, allowsDeletes: deletes)
    let files = try bench.names.filter { !before.contains($0) && $0.hasSuffix(".csv.gz") }
    let made = try files.map { name in
      "\(name): " + (try bench.text(name)).split(separator: "\n").joined(separator: "|")
    }
    #expect(made == c.made.map(Self.numbered))
    #expect(summary.renames == [])
    let report = try bench.migrator().up()
    #expect(report.migrations.allSatisfy { $0.conflictCount == 0 })
    #expect(try bench.make().isUpToDate)
    #expect(try Linter(directory: bench.catalog).findings().allSatisfy { !$0.isRefusal })
  }

  /// The first release has two migrations.
  private static func numbered(_ line: String) -> String {
    line.replacing("0003_", with: "0004_").replacing("0002_", with: "0003_")
  }

  @Test func `a row that must be retired, and to which another refers, is named whole`() throws {
    let owner = String(repeating: "b6ca", count: 8)
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"words": {"source": "w.csv"}, "favs": {"source": "f.csv"}}}"#,
      "0001_t/up.sql": """
      CREATE TABLE words (owner TEXT, code TEXT, PRIMARY KEY (owner, code));
      CREATE TABLE favs (id INTEGER PRIMARY KEY, owner TEXT, code TEXT,
        FOREIGN KEY (owner, code) REFERENCES words);
      """,
      "0001_t/words.csv": "owner,code\n\(owner),apple\n\(owner),apples\n",
      "0001_t/favs.csv": "id,owner,code\n1,\(owner),apple\n",
      "w.csv": "owner,code\n\(owner),apple\n", "f.csv": "id,owner,code\n1,\(owner),apple\n",
      "r.csv": "was:owner,owner,was:code,code\n\(owner),\(owner),apples,apple\n",
    ])
    let names = try bench.names
    let failure = bench.failure {
      try bench.make { release in
        release.renamed = [.init("words", bench.catalog + "/r.csv")]
        release.allowsDeletes = true
      }
    }
    #expect(
      failure
        == "The row owner='\(owner)', code='apples' of 'words' cannot get its new key in this "
        + "release: another row has it, and cannot be retired first, because rows still refer to "
        + "that one. Change the sources in two steps, with a release after each.")
    #expect(try bench.names == names)
  }

  // MARK: the app's parents

  @Test func `a parent in a table that no file fills is the app's`() throws {
    let bench = try Workbench([
      "catalog.json":
        #"{"tables": {"items": {"key": ["owner", "code"], "source": "data/items.csv"}}}"#,
      "0001_first/schema.sql": """
      CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE items (id INTEGER PRIMARY KEY, owner INTEGER NOT NULL REFERENCES owners,
        code TEXT, n TEXT, UNIQUE (owner, code));
      """,
      "data/items.csv": "owner,code,n\n1,a,1\n1,b,2\n",
    ])
    #expect(try bench.make("first") { $0.amends = true }.leftToApp == ["owners"])
    try bench.write(["data/items.csv": "owner,code,n\n1,a,9\n2,b,2\n"])
    #expect(try bench.make { $0.allowsDeletes = true }.leftToApp == ["owners"])
    #expect(try bench.make().isUpToDate)
    #expect(try Linter(directory: bench.catalog).findings().filter(\.isRefusal) == [])
    try bench.write([
      "data/owners.csv": "id,name\n1,Anna\n", "data/items.csv": "owner,code,n\n1,a,9\n3,c,3\n",
      "catalog.json": """
      {"tables": {"items": {"key": ["owner", "code"], "source": "data/items.csv"},
        "owners": {"source": "data/owners.csv"}}}
      """,
    ])
    #expect(
      bench.failure { try bench.make { $0.allowsDeletes = true } }.contains(
        "has the conflict parentDeleted in 'items'"))
  }
}
