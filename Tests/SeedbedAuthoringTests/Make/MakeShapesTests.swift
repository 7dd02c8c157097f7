import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct MakeShapesTests {
  @Test func `a table of 1000 columns, each of them changed`() throws {
    let names = (1..<1000).map { "c\($0)" }
    let old = names.indices.map { "\($0)" }.joined(separator: ",")
    let new = names.indices.map { "\($0 + 1)" }.joined(separator: ",")
    let header = "id," + names.joined(separator: ",") + "\n"
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"wide": {"source": "data/wide.csv"}}}"#,
      "0001_wide/up.sql":
        "CREATE TABLE wide (id INTEGER PRIMARY KEY, "
        + names.map { "\($0) INTEGER" }.joined(separator: ", ") + ");",
      "0001_wide/wide.csv": header + "1,\(old)\n2,\(old)\n3,\(old)\n",
      "data/wide.csv": header + "1,\(new)\n3,\(old)\n4,\(old)\n",
    ])
    let error = bench.failure { try bench.make { $0.allowsDeletes = true } }
    #expect(
      error == "data/wide.csv: This file changes 999 columns of 'wide', more than one migration "
        + "can. Ship some of them as a separate migration.")
  }

  @Test func `60 tables in one release`() throws {
    let bench = try Workbench()
    let tables = (1...60).map { "t\($0)" }
    let sources = tables.map { #""\#($0)": {"source": "data/\#($0).csv"}"# }
    try bench.write([
      "catalog.json": "{\"tables\": {\(sources.joined(separator: ", "))}}",
      "0001_t/up.sql": tables.map { "CREATE TABLE \($0) (id INTEGER PRIMARY KEY, x);" }.joined(),
    ])
    for table in tables { try bench.write(["data/\(table).csv": "id,x\n1,\(table)\n"]) }
    #expect(try bench.make().tables.count == 60)
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT x FROM t60") == [["t60"]])
  }

  @Test func `a reference of two columns is written whole, and a user's stays whole`() throws {
    let header = "id,name,g,k\n"
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"visits": {"source": "data/visits.csv"}}}"#,
      "0001_a/up.sql": """
      CREATE TABLE places (g INTEGER, k TEXT, PRIMARY KEY (g, k));
      CREATE TABLE visits (id INTEGER PRIMARY KEY, name TEXT, g INTEGER, k TEXT,
        FOREIGN KEY (g, k) REFERENCES places);
      """,
      "0001_a/places.csv": "g,k\n1,a\n1,b\n2,a\n2,b\n", "0001_a/visits.csv": header + "1,x,1,a\n",
      "data/visits.csv": header + "1,x,1,b\n",
    ])
    _ = try bench.migrator().up()
    try bench.execute("UPDATE visits SET g = 2")
    try bench.make()
    #expect(
      try bench.text("0002_next/visits.update.csv.gz") == "id,g,was:g,k,was:k\n1,1,1,b,a\n")
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT g, k FROM visits") == [[2, "a"]])
    #expect(try bench.migrator().conflicts().map(\.kind) == [.edited])
  }

  @Test func `a key that differs in case only is written as a new key`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (word TEXT PRIMARY KEY COLLATE NOCASE, x TEXT);",
      "0001_t/t.csv": "word,x\nÄpfel,a\nbirne,b\n", "data/t.csv": "word,x\nÄpfel,a\nBirne,b\n",
    ])
    try bench.make()
    #expect(try bench.text("0002_next/t.update.csv.gz") == "word,was:word\nBirne,birne\n")
    _ = try bench.migrator().up()
    #expect(try bench.rows("SELECT word FROM t WHERE x = 'b'") == [["Birne"]])
  }

  @Test func `reals that agree in 15 digits are no change, and values of SQL are told`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, any_value);",
      "0001_t/t.csv": "id,r\n1,0.1\n2,0.3\n",
      "data/t.csv": "id,r\n1,0.1\n2,0.30000000000000004\n",
    ])
    #expect(try bench.make().isUpToDate)
    try bench.write([
      "0001_t/after.sql": "UPDATE t SET any_value = 7 WHERE id = 1;",
      "data/t.csv": "id,r,any_value\n1,0.1,7\n2,0.3,\n",
    ])
    try FileManager.default.removeItem(atPath: bench.catalog + "/0001_t/t.csv")
    try bench.write(["0001_t/t.csv": "id,r\n1,0.1\n2,0.3\n"])
    #expect(
      bench.failure { try bench.make() }.hasPrefix(
        "'t' holds 7 in the column 'any_value', for id=1, which no CSV field can represent"))
  }

  @Test func `what SQL of the catalog filled goes along with a row that is retired`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv", "ignore": ["at"]}}}"#,
      "0001_t/up.sql":
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INTEGER DEFAULT 5, at TEXT);",
      "0001_t/t.csv": "id,a\n1,x\n2,y\n3,z\n",
      "0001_t/after.sql": "UPDATE t SET b = a || '!', at = 'now';",
      "data/t.csv": "id,a\n1,x\n3,z\n",
    ])
    try bench.make { $0.allowsDeletes = true }
    #expect(try bench.text("0002_next/t.delete.csv.gz") == "id,a,b\n2,y,y!\n")
    let report = try bench.migrator().up()
    #expect(report.migrations[1].tables[0].counts.deleted == 1)
    _ = try bench.migrator().down(to: 1)
    #expect(try bench.rows("SELECT b FROM t WHERE id = 2") == [["y!"]])
  }

  @Test func `references by natural key are compared by their names`() throws {
    let bench = try Workbench([
      "catalog.json": """
      {"tables": {"words": {"key": ["lemma"], "source": "data/words.csv"},
        "texts": {"key": ["word_id", "lang"], "source": "data/texts.csv"}}}
      """,
      "0001_t/up.sql": """
      CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, rank INTEGER);
      CREATE TABLE texts (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words, lang TEXT,
        text TEXT, UNIQUE (word_id, lang));
      """,
      "data/words.csv": "lemma,rank\nhouse,1\ntree,2\n",
      "data/texts.csv":
        "word_id:words.lemma,lang,text\nhouse,de,Haus\ntree,de,Baum\ntree,fr,arbre\n",
    ])
    try bench.make("first")
    #expect(try bench.make().isUpToDate)
    try bench.write([
      "data/words.csv": "lemma,rank\nhouse,1\nsea,3\ntree,2\n",
      "data/texts.csv":
        "word_id:words.lemma,lang,text\nhouse,de,Heim\nsea,de,Meer\ntree,fr,arbre\n",
    ])
    try bench.make { $0.allowsDeletes = true }
    #expect(
      try bench.text("0003_next/texts.update.csv.gz")
        == "word_id:words.lemma,lang,text,was:text\nhouse,de,Heim,Haus\n")
    let migrator = try bench.migrator()
    _ = try migrator.up(to: 1)
    try bench.execute("INSERT INTO words VALUES (70, 'mine', 0)")
    _ = try migrator.up()
    let sql = "SELECT lemma, text FROM texts JOIN words ON words.id = word_id ORDER BY lemma"
    #expect(try bench.rows(sql) == [["house", "Heim"], ["sea", "Meer"], ["tree", "arbre"]])
    // Round trip, names and all.
    #expect(
      try bench.exported("texts")
        == "word_id:words.lemma,lang,text\nhouse,de,Heim\ntree,fr,arbre\nsea,de,Meer\n")
  }

  @Test func `where the app owns its schema, schema_sql stands in`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
      "0001_t/t.csv": "id,a\n1,x\n", "data/t.csv": "id,a\n1,y\n",
    ])
    #expect(try bench.make().tables[0].updated == 1)
  }

  /// é as one scalar, and as e with an accent: one name to Swift, and two to SQLite.
  @Test func `two spellings of a column's name are two columns`() throws {
    let (one, two) = ("\u{E9}", "e\u{301}")
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
      "0001_words/up.sql": """
      CREATE TABLE words (id INTEGER PRIMARY KEY, "\(one)" TEXT, "\(two)" TEXT);
      """,
      "0001_words/words.csv": "id,\(one),\(two)\n1,a,b\n2,c,d\n",
    ])
    try bench.write(["data/words.csv": "\(two),id,\(one)\nx,1,a\n"])
    let summary = try bench.make { $0.allowsDeletes = true }
    #expect(summary.tables[0].changedColumns.map { Array($0.utf8) } == [Array(two.utf8)])
    let update = try bench.text("0002_next/words.update.csv.gz")
    #expect(update.isSameText(as: "id,\(two),was:\(two)\n1,x,b\n"))
    let delete = try bench.text("0002_next/words.delete.csv.gz")
    #expect(delete.isSameText(as: "\(two),id,\(one)\nd,2,c\n"))
  }

  @Test func `two spellings of a key are two rows`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"words": {"source": "data/words.csv"}}}"#,
      "0001_words/up.sql": "CREATE TABLE words (word TEXT PRIMARY KEY, rank INTEGER);",
      "0001_words/words.csv": "word,rank\n\u{E9},1\n",
    ])
    try bench.write(["data/words.csv": "word,rank\n\u{E9},1\ne\u{301},2\n"])
    let summary = try bench.make()
    #expect(summary.tables[0].inserted == 1 && summary.tables[0].updated == 0)
    #expect(try bench.text("0002_next/words.csv.gz").isSameText(as: "word,rank\ne\u{301},2\n"))
  }
}
