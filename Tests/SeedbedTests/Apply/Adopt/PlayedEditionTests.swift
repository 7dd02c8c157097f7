import Testing

@testable import Seedbed

/// Adoption plays the releases: what a release does to keys, names and parents, it does here.
struct PlayedEditionTests {
  private static let words =
    "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT, note TEXT);"
    + "CREATE TABLE mine (word INTEGER REFERENCES words, text TEXT);"

  private static func device(_ files: [String: String], _ app: String) throws -> Device {
    var files = files
    files["0001_a/schema.sql"] = files["0001_a/schema.sql"] ?? words
    return try Device(files, app: files["0001_a/schema.sql", default: ""] + app)
  }

  @Test(
    arguments: [
      ["0002_b/words.update.csv": "id,was:id\n2,1\n1,2\n"],
      ["0002_b/words.update.csv": "id,was:id\n5,1\n", "0003_c/words.csv": "id,lemma\n1,apple\n"],
      [
        "0002_b/words.delete.csv": "id,lemma\n1,cat\n2,dog\n",
        "0003_c/words.csv": "id,lemma\n1,apple\n2,berry\n",
      ],
    ])
  func `a user's row stays with the row to which it referred`(later: [String: String]) throws {
    let files = later.merging(["0001_a/words.csv": "id,lemma\n1,cat\n2,dog\n"]) { $1 }
    let device = try Self.device(
      files,
      """
      INSERT INTO words VALUES (1, 'cat', NULL), (2, 'dog', 'my dog bites');
      INSERT INTO mine VALUES (1, 'about cats');
      """)
    _ = try device.migrator().baseline(at: Version(later.count + 1))
    #expect(
      try device.rows("SELECT lemma, text FROM words JOIN mine ON word = id") == ["cat|about cats"])
    #expect(try device.rows("SELECT lemma FROM words WHERE note IS NOT NULL") == ["dog"])
  }

  @Test func `one row that the user typed brings no edition along`() throws {
    let all = (4...40).map { "\($0),word \($0)\n" }.joined()
    let device = try Self.device(
      ["0001_a/words.csv": "id,lemma\n1,one\n2,two\n", "0002_b/words.csv": "id,lemma\n\(all)"],
      "INSERT INTO words VALUES (1, 'one', NULL), (2, 'two', NULL), (4, 'word 4', NULL);")
    let adopted = try #require(try device.migrator().baseline(at: 2).adopted)
    #expect(adopted.tables[0].inserted == 36 && adopted.tables[0].deleted == 0)
    #expect(
      adopted.tables[0].editions == [
        .init(version: 1, rows: 2, found: 2, hasArrived: true),
        .init(version: 2, rows: 37, found: 1, hasArrived: false),
      ])
    #expect(adopted.edition == 1)
  }

  private static let places = [
    "0001_a/schema.sql":
      "CREATE TABLE p (code TEXT PRIMARY KEY, name TEXT, parent TEXT REFERENCES p);",
    "0001_a/p.csv": "code,name,parent\nC,Dhaka,\nD,Dublin,\nJ,Jamalpur,C\n",
    "0002_b/p.csv": "code,name,parent\nH,Mymensingh,\n",
    "0002_b/p.update.csv": "code,parent,was:parent\nJ,H,C\n",
  ]

  @Test(arguments: ["", ", ('H', 'Mymensingh', NULL)"])
  func `a row that refers to its own table is as an edition had it`(more: String) throws {
    let device = try Self.device(
      Self.places,
      "INSERT INTO p VALUES ('C', 'Dhaka', NULL), ('D', 'Dublin', NULL), ('J', 'Jamalpur', 'C')"
        + more + ";")
    let table = try #require(try device.migrator().baseline(at: 2).adopted).tables[0]
    #expect(table.edited == 0 && table.refreshed == 1)
    #expect(try device.rows("SELECT parent FROM p WHERE code = 'J'") == ["H"])
  }

  @Test(arguments: ["Gauteng", "Gauteng Province"])
  func `a row that was retired and came back is the new one`(name: String) throws {
    let device = try Self.device(
      [
        "0001_a/schema.sql": "CREATE TABLE p (code TEXT PRIMARY KEY, name TEXT);",
        "0001_a/p.csv": "code,name\nA,Alpha\nGP,Gauteng\n",
        "0002_b/p.delete.csv": "code,name\nGP,Gauteng\n",
        "0003_c/p.csv": "code,name\nGP,\(name)\nC,Cape\n",
      ], "INSERT INTO p VALUES ('A', 'Alpha'), ('GP', '\(name)'), ('C', 'Cape');")
    let adopted = try #require(try device.migrator().baseline(at: 3).adopted)
    #expect(adopted.tables[0].unchanged == 3 && adopted.conflictCount == 0)
    #expect(try device.rows("SELECT code FROM p ORDER BY code") == ["A", "C", "GP"])
  }

  @Test func `a row below one that was retired and came back follows the releases`() throws {
    let device = try Self.device(
      [
        "0001_a/schema.sql": Self.places["0001_a/schema.sql", default: ""],
        "0001_a/p.csv": "code,name,parent\nNIR,Ulster,\nBFS,Belfast,NIR\n",
        "0002_b/p.delete.csv": "code,name,parent\nNIR,Ulster,\n",
        "0002_b/p.update.csv":
          "code,name,was:name,parent,was:parent\nBFS,Belfast City,Belfast,,NIR\n",
        "0003_c/p.csv": "code,name,parent\nNIR,Ulster,\nD,Dublin,\n",
        "0003_c/p.update.csv": "code,parent,was:parent\nBFS,NIR,\n",
      ],
      """
      INSERT INTO p VALUES ('NIR', 'Ulster', NULL), ('BFS', 'Belfast', 'NIR'),
        ('D', 'Dublin', NULL);
      """)
    let adopted = try #require(try device.migrator().baseline(at: 3).adopted)
    #expect(adopted.conflictCount == 0)
    #expect(
      try device.rows("SELECT name, parent FROM p WHERE code = 'BFS'") == ["Belfast City|NIR"])
  }

  private static let salt = [
    "0001_a/schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, unit TEXT);",
    "0001_a/t.csv": "id,name,unit\n1,Flour,kg\n2,Sugar,kg\n3,Milk,l\n",
    "0002_b/t.csv": "id,name,unit\n4,Salt,g\n5,Pepper,g\n",
    "0003_c/t.update.csv": "id,unit,was:unit\n4,kg,g\n",
  ]
  private static let first =
    "INSERT INTO t VALUES (1,'Flour','kg'), (2,'Sugar','kg'), (3,'Milk','l');"

  @Test func `a unit in common makes no row the seed's`() throws {
    let device = try Self.device(Self.salt, Self.first + "INSERT INTO t VALUES (4, 'Tonka', 'g');")
    let adopted = try #require(try device.migrator().baseline(at: 3).adopted)
    #expect(adopted.conflicts.map(\.kind) == [.keyTaken])
    #expect(try device.rows("SELECT name, unit FROM t WHERE id > 3") == ["Tonka|g", "Pepper|g"])
  }

  /// A name that no other row has, or most of the values, tell whose row it is.
  @Test(arguments: ["(4, 'Salt', 'oz')", "(4, 'Salt', 'g')"])
  func `a name that no other row has makes it the seed's`(row: String) throws {
    let device = try Self.device(Self.salt, Self.first + "INSERT INTO t VALUES \(row);")
    let adopted = try #require(try device.migrator().baseline(at: 3).adopted)
    #expect(!adopted.conflicts.contains { $0.kind == .keyTaken })
  }

  @Test func `a row that the user changed says nothing of those that are absent`() throws {
    let device = try Self.device(
      [
        "0001_a/schema.sql": "CREATE TABLE t (slug TEXT PRIMARY KEY, text TEXT);",
        "0001_a/t.csv": "slug,text\nwelcome,Hello\nreminder,Still there?\nclosed,Closed\n",
      ], "INSERT INTO t VALUES ('welcome', 'Hello from us'), ('closed', 'Closed');")
    let table = try #require(try device.migrator().baseline(at: 1).adopted).tables[0]
    #expect(table.editions == [.init(version: 1, rows: 2, found: 1, hasArrived: true)])
    #expect(table.deleted == 1 && table.edited == 1)
    #expect(try device.rows("SELECT slug FROM t ORDER BY slug") == ["closed", "welcome"])
  }

  @Test func `an id that is the seed's alone makes it the seed's`() throws {
    var files = Self.salt
    files["catalog.json"] = #"{"tables": {"t": {"identity": ["id"]}}}"#
    let device = try Self.device(files, Self.first + "INSERT INTO t VALUES (4, 'My salt', 'g');")
    _ = try device.migrator().baseline(at: 3)
    #expect(try device.rows("SELECT name, unit FROM t WHERE id = 4") == ["My salt|kg"])
  }

  @Test func `a row whose parent the user deleted is left out, and not called deleted`() throws {
    let device = try Self.device(
      [
        "catalog.json": #"{"tables": {"c": {"key": ["slug"]}, "i": {"key": ["slug"]}}}"#,
        "0001_a/schema.sql":
          "CREATE TABLE c (id INTEGER PRIMARY KEY, slug TEXT UNIQUE); CREATE TABLE i (id INTEGER "
          + "PRIMARY KEY, slug TEXT UNIQUE, c INTEGER NOT NULL REFERENCES c);",
        "0001_a/c.csv": "slug\nbread\nfreezer\n", "0001_a/i.csv": "slug,c:c.slug\nroll,bread\n",
        "0002_b/i.csv": "slug,c:c.slug\nfries,freezer\ntoast,bread\n",
      ], "INSERT INTO c VALUES (8, 'bread'); INSERT INTO i VALUES (3, 'roll', 8);")
    let adopted = try #require(try device.migrator().baseline(at: 2).adopted)
    #expect(adopted.tables.map(\.deleted) == [1, 0] && adopted.tables.map(\.inserted) == [0, 1])
    #expect(adopted.conflicts.map(\.kind) == [.parentDeleted])
    #expect(try device.rows("SELECT slug, c FROM i") == ["roll|8", "toast|8"])
  }

  private static let foods = [
    "catalog.json": #"{"tables": {"foods": {"key": ["name"]}}}"#,
    "0001_a/schema.sql":
      "CREATE TABLE foods (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note TEXT, icon "
      + "TEXT); CREATE TABLE used (food INTEGER REFERENCES foods);",
    "0001_a/foods.csv": "name,note,icon\napples,red,\noranges,round,\n",
    "0002_b/foods.update.csv": "name,was:name\napple,apples\norange,oranges\n",
    "0003_c/foods.update.csv": "name,icon,was:icon\napple,a,\norange,o,\n",
  ]

  @Test func `a new name is the same row`() throws {
    let device = try Self.device(
      Self.foods,
      "INSERT INTO foods VALUES (7, 'apples', 'mine', NULL), (8, 'oranges', 'round', NULL);")
    _ = try device.migrator().baseline(at: 3)
    #expect(try device.rows("SELECT * FROM foods") == ["7|apple|mine|a", "8|orange|round|o"])
    #expect(try device.migrator().conflicts() == [])
  }

  @Test func `a name that the user typed takes no defaults away`() throws {
    let device = try Self.device(
      Self.foods,
      """
      INSERT INTO foods VALUES (7, 'apples', 'red', NULL), (8, 'oranges', 'round', NULL),
        (9, 'apple', 'the green one', NULL);
      """)
    _ = try device.migrator().baseline(at: 2)
    #expect(
      try device.rows("SELECT id, name, note FROM foods") == [
        "7|apples|red", "8|orange|round", "9|apple|the green one",
      ])
    #expect(try device.migrator().conflicts().map(\.kind) == [.keyTaken])
  }

  /// An app that inserts what is absent leaves the old name beside the new one.
  @Test func `an old name beside the new one is retired`() throws {
    let device = try Self.device(
      Self.foods,
      """
      INSERT INTO foods VALUES (7, 'apples', 'red', NULL), (8, 'oranges', 'round', NULL),
        (9, 'apple', 'red', NULL), (10, 'orange', 'round', NULL);
      INSERT INTO used VALUES (8);
      """)
    let adopted = try #require(try device.migrator().baseline(at: 2).adopted)
    #expect(adopted.conflicts.map(\.kind) == [.referenced])
    _ = try device.up()
    #expect(
      try device.rows("SELECT id, name, icon FROM foods") == [
        "8|oranges|NULL", "9|apple|a", "10|orange|o",
      ])
  }

  /// The key is a word that only the seed sets.
  @Test func `a row in which the user changed all is the seed's by its word`() throws {
    let device = try Self.device(
      Self.foods, "INSERT INTO foods VALUES (7, 'apple', 'my apple', NULL);")
    _ = try device.migrator().baseline(at: 2)
    _ = try device.up()
    #expect(
      try device.rows("SELECT name, note, icon FROM foods WHERE id = 7") == ["apple|my apple|a"])
  }

  @Test func `the app sees what was adopted, and what its triggers wrote`() throws {
    var files = Self.salt
    files["0001_a/schema.sql", default: ""] += """
      CREATE TABLE log (text TEXT);
      CREATE TRIGGER t_log AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.name); END;
      """
    let device = try Self.device(
      files, Self.first + "INSERT INTO t VALUES (4, 'Salt', 'g'), (5, 'Pepper', 'g');")
    let seen = Guarded<[Version]>([])
    let migrator = Migrator(
      catalog: try device.migrator().catalog, at: device.database, options: device.options,
      hooks: Migrator.Hooks(beforeCommit: { version, database in
        if try database.text("SELECT unit FROM t WHERE id = 4") == "kg" {
          seen.withLock { $0.append(version) }
        }
      }))
    let report = try migrator.baseline(at: 3)
    #expect(seen.withLock { $0 } == [3])
    #expect(report.touchedTables == ["log", "t"])
  }

  @Test func `conflicts of a look have no numbers`() throws {
    let device = try Self.device(Self.salt, Self.first + "INSERT INTO t VALUES (4, 'Tonka', 'g');")
    let plan = try #require(try device.migrator().baselinePlan(at: 3).adopted)
    #expect(plan.conflicts.map(\.id) == [0])
  }
}
