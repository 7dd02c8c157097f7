import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What one migration may hold: a device and `lint` refuse the rest in the same sentence.
struct LimitsTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    /// The files of the second migration.
    let files: [String: String]
    /// nil if it may.
    let error: String?
    var testDescription: String { name }

    init(_ name: String, _ files: [String: String], _ error: String? = nil) {
      (self.name, self.files, self.error) = (name, files, error)
    }
  }

  /// Words, by number and name; forms refer to them by number or by name, tags by the UNIQUE code.
  private static let first = [
    "0001_t/up.sql": """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT COLLATE NOCASE UNIQUE, code TEXT UNIQUE,
      up INTEGER REFERENCES words (id));
    CREATE TABLE forms (id INTEGER PRIMARY KEY, word INTEGER REFERENCES words (id), x TEXT);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, code TEXT REFERENCES words (code));
    """,
    "0001_t/down.sql": "DROP TABLE tags; DROP TABLE forms; DROP TABLE words;",
    "0001_t/words.csv": "id,lemma,code,up\n1,go,A,\n2,see,B,\n3,eat,C,\n",
    "0001_t/forms.csv": "id,word,x\n1,1,\n2,3,\n",
    "0001_t/tags.csv": "id,code\n1,C\n",
  ]

  private static let deleted = "id,lemma,code,up\n2,see,B,\n"

  static let cases: [Case] = [
    Case(
      "a key is retired and inserted",
      ["words.delete.csv": deleted, "words.csv": "id,lemma,code\n4,be,D\n2,say,B\n"],
      "words.csv:3: The key {\"id\":2} is inserted here and retired in 0002_u/words.delete.csv:2. "
        + "Ship an update of the row instead."),
    Case(
      "a row is retired, others are inserted",
      ["words.delete.csv": deleted, "words.csv": "id,lemma,code\n4,be,D\n"]),
    Case(
      "an insert refers to a retired row",
      ["words.delete.csv": deleted, "forms.csv": "id,word\n3,1\n4,2\n"],
      "forms.csv:3: This row of 'forms' refers to {\"id\":2} of 'words', which "
        + "0002_u/words.delete.csv:2 retires. Let it refer to another row, or retire that one in a "
        + "later migration."),
    Case(
      "an update refers to a retired row",
      ["words.delete.csv": deleted, "forms.update.csv": "id,word,was:word\n2,2,3\n"],
      "forms.update.csv:2: This row of 'forms' refers to {\"id\":2} of 'words', which "
        + "0002_u/words.delete.csv:2 retires. Let it refer to another row, or retire that one in a "
        + "later migration."),
    Case(
      "an insert refers to a retired row by its name",
      ["words.delete.csv": deleted, "forms.csv": "id,word:words.lemma\n4,see\n"],
      "forms.csv:2: This row of 'forms' refers to {\"lemma\":\"see\"} of 'words', which "
        + "0002_u/words.delete.csv:2 retires. Let it refer to another row, or retire that one in a "
        + "later migration."),
    Case(
      "an update repoints, then the row is retired",
      [
        "words.delete.csv": "id,lemma,code,up\n1,go,A,\n",
        "forms.update.csv": "id,word,was:word\n1,2,1\n",
      ]),
    Case(
      "a reference by a name that the migration gives",
      [
        "words.update.csv": "id,lemma,was:lemma\n1,walk,go\n",
        "forms.csv": "id,word:words.lemma\n3,see\n4,walk\n",
      ],
      "forms.csv:3: This row of 'forms' refers to {\"lemma\":\"walk\"} of 'words', and "
        + "0002_u/words.update.csv:2 changes which row that is. Ship the new names as a separate "
        + "migration, and refer to them in the next one."),
    Case(
      "a reference by a name that the migration takes",
      [
        "words.update.csv": "id,lemma,was:lemma\n1,walk,go\n",
        "forms.update.csv": "id,word:words.lemma,was:word:words.lemma\n2,go,eat\n",
      ],
      "forms.update.csv:2: This row of 'forms' refers to {\"lemma\":\"go\"} of 'words', and "
        + "0002_u/words.update.csv:2 changes which row that is. Ship the new names as a separate "
        + "migration, and refer to them in the next one."),
    Case(
      "a row is retired, by a name that the migration takes",
      [
        "words.update.csv": "id,lemma,was:lemma\n1,walk,go\n",
        "forms.delete.csv": "id,word:words.lemma,x\n1,go,\n",
      ],
      "forms.delete.csv:2: This row of 'forms' refers to {\"lemma\":\"go\"} of 'words', and "
        + "0002_u/words.update.csv:2 changes which row that is. Ship the new names as a separate "
        + "migration, and refer to them in the next one."),
    Case(
      "references by other names, and names that stay",
      [
        "words.update.csv": "id,lemma,was:lemma,code,was:code\n1,walk,go,A,A\n3,eat,eat,E,C\n",
        "forms.csv": "id,word:words.lemma\n3,see\n4,eat\n",
      ]),
    Case(
      "a reference by a name of which only the letters change",
      [
        "words.update.csv": "id,lemma,was:lemma\n1,GO,go\n",
        "forms.csv": "id,word:words.lemma\n3,Go\n",
      ]),
    Case(
      "a reference by the name of a new row",
      ["words.csv": "id,lemma,code\n4,be,D\n", "forms.csv": "id,word:words.lemma\n3,be\n"]),
    Case(
      "a name that depends on a name",
      [
        "words.csv": "id,lemma,up:words.lemma\n4,be,go\n",
        "forms.csv": "id,word:words.up\n3,1\n",
      ],
      "forms.csv:1: 'word:words.up' names rows of 'words' by 'up', which 0002_u/words.csv fills by "
        + "a name. Ship the rows of 'words' as a separate migration, and refer to them in the next "
        + "one."),
    Case(
      "a value that others refer to goes from a row to another",
      ["words.update.csv": "id,code,was:code\n1,E,A\n2,A,B\n"],
      "words.update.csv:3: This row of 'words' takes {\"code\":\"A\"}, to which other rows may "
        + "refer, and 0002_u/words.update.csv:2 gives it up. Give it up in one migration, and use "
        + "it in the next."),
    Case(
      "a value that others refer to goes from a retired row to a new one",
      ["words.delete.csv": deleted, "words.csv": "id,lemma,code\n4,be,B\n"],
      "words.csv:2: This row of 'words' takes {\"code\":\"B\"}, to which other rows may refer, and "
        + "0002_u/words.delete.csv:2 gives it up. Give it up in one migration, and use it in the "
        + "next."),
    Case(
      "values that nobody refers to are exchanged, one that others refer to is new",
      ["words.update.csv": "id,lemma,was:lemma,code,was:code\n1,see,go,E,A\n2,go,see,B,B\n"]),
    Case(
      "a key change beside another file of the table",
      ["words.update.csv": "was:id,id\n2,20\n", "words.csv": "id,lemma,code\n4,be,D\n"],
      "words.update.csv:1: This file changes keys of 'words', and 0002_u/words.csv has rows of it, "
        + "or refers to them. Ship the new keys as a separate migration: references follow them."),
    Case(
      "a key change beside a file that refers to it",
      ["words.update.csv": "was:id,id\n2,20\n", "forms.csv": "id,word:words.lemma\n4,see\n"],
      "words.update.csv:1: This file changes keys of 'words', and 0002_u/forms.csv has rows of it, "
        + "or refers to them. Ship the new keys as a separate migration: references follow them."),
    Case(
      "a key change that shows what refers to its own table",
      ["words.update.csv": "was:id,id,up,was:up\n2,20,1,\n"],
      "words.update.csv:1: This file changes keys of 'words', and has columns that refer to them, "
        + "too. Ship the new keys as a separate migration: references follow them."),
    Case(
      "a key change beside files that do not refer to it",
      [
        "words.update.csv": "was:id,id\n1,10\n", "forms.update.csv": "id,x,was:x\n1,y,\n",
        "tags.csv": "id,code\n2,B\n",
      ]),
  ]

  @Test(arguments: cases) func `a device and lint refuse the same`(_ c: Case) throws {
    let files = c.files.map { ("0002_u/" + $0.key, $0.value) }
    let bench = try Workbench(Self.first.merging(files) { $1 })
    try Self.expect(c.error.map { "0002_u/" + $0 }, of: bench)
    let version: Value = c.error == nil ? 2 : 1
    #expect(try bench.rows("SELECT max(version) FROM seedbed_migrations") == [[version]])
  }

  @Test func `a key change beside a file that refers to what follows it`() throws {
    let bench = try Workbench([
      "0001_t/up.sql": """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE b (id INTEGER PRIMARY KEY REFERENCES a (id), x TEXT);
      CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b (id));
      """,
      "0001_t/down.sql": "DROP TABLE c; DROP TABLE b; DROP TABLE a;",
      "0001_t/a.csv": "id,x\n1,\n2,\n", "0001_t/b.csv": "id,x\n1,\n2,\n",
      "0002_u/a.update.csv": "was:id,id\n2,20\n", "0002_u/c.csv": "id,b\n1,1\n",
    ])
    try Self.expect(
      "0002_u/a.update.csv:1: This file changes keys of 'a', and 0002_u/c.csv has rows of it, or "
        + "refers to them. Ship the new keys as a separate migration: references follow them.",
      of: bench)
  }

  /// The update knows one of the two values that it gives up, the other file both.
  @Test(arguments: [("k", "l", "update"), ("m", "n", "delete")])
  func `half of a name that a row gives up is enough`(
    _ a: String, _ b: String, _ giver: String
  ) throws {
    let bench = try Workbench([
      "0001_t/up.sql": """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, UNIQUE (a, b));
      CREATE TABLE c (id INTEGER PRIMARY KEY, a TEXT, b TEXT,
        FOREIGN KEY (a, b) REFERENCES t (a, b));
      """,
      "0001_t/down.sql": "DROP TABLE c; DROP TABLE t;",
      "0001_t/t.csv": "id,a,b\n1,k,l\n2,m,n\n",
      "0002_u/t.update.csv": "id,a,was:a\n1,z,k\n", "0002_u/t.delete.csv": "id,a,b\n2,m,n\n",
      "0002_u/t.csv": "id,a,b\n3,\(a),\(b)\n",
    ])
    try Self.expect(
      #"0002_u/t.csv:2: This row of 't' takes {"a":"\#(a)","b":"\#(b)"}, to which other rows "#
        + "may refer, and 0002_u/t.\(giver).csv:2 gives it up. Give it up in one migration, and "
        + "use it in the next.", of: bench)
  }

  static func expect(_ error: String?, of bench: Workbench) throws {
    _ = try CatalogLock.write(directory: bench.catalog)
    let migrator = try bench.migrator()
    #expect(bench.failure { _ = try migrator.up() } == error ?? "nothing")
    let found = try Linter(directory: bench.catalog).findings().filter(\.isRefusal)
    #expect(found.map { "\($0.place): \($0.message)" } == [error].compactMap(\.self))
    #expect(found.allSatisfy { $0.code == .split })
  }

  /// For a column that is set a plan has three columns; if a UNIQUE index holds it, it has five.
  @Test(arguments: [(631, false, true), (632, false, false), (378, true, true), (379, true, false)])
  func `an update sets no more columns than a plan can have`(
    count: Int, isHeld: Bool, fits: Bool
  ) throws {
    let columns = (0..<count).map { "c\($0)" }
    let old = columns.map { _ in "0" }.joined(separator: ",")
    let row = columns.map { _ in "1,0" }.joined(separator: ",")
    // Not more than 64 indexes, each of as many columns as it takes.
    let sets = stride(from: 0, to: isHeld ? count : 0, by: 10).map { first in
      "CREATE UNIQUE INDEX u\(first) ON t (\(columns[first...].prefix(10).joined(separator: ",")));"
    }
    let bench = try Workbench([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns.joined(separator: ",")));"
        + sets.joined(),
      "0001_t/down.sql": "DROP TABLE t;",
      "0001_t/t.csv": "id,\(columns.joined(separator: ","))\n1,\(old)\n",
      "0002_u/t.update.csv": "id,\(columns.map { "\($0),was:\($0)" }.joined(separator: ","))\n"
        + "1,\(row)\n",
    ])
    let error =
      "0002_u/t.update.csv:1: This file changes \(count) columns of 't', more than one migration "
      + "can. Ship some of them as a separate migration."
    try Self.expect(fits ? nil : error, of: bench)
  }
}
