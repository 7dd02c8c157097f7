import Testing

@testable import Seedbed

/// How SQLite looks up the rows that are named: the cost follows the change, not the table.
struct NameLookupTests {
  private static let schema = """
    CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT, lang TEXT, UNIQUE (lemma, lang));
    ANALYZE;
    INSERT INTO sqlite_stat1 VALUES ('words', 'sqlite_autoindex_words_1', '1000000 2 1');
    ANALYZE sqlite_schema;
    CREATE TEMP TABLE senses (row INTEGER PRIMARY KEY, c0 INTEGER, c1 TEXT, c2 TEXT, c3 INTEGER);
    CREATE TEMP TABLE new (row INTEGER PRIMARY KEY, lemma TEXT, lang TEXT, id INTEGER);
    CREATE TEMP TABLE held (lemma TEXT, id INTEGER);
    """
  private static let new = "SELECT lemma, lang, id FROM temp.new"

  @Test(arguments: [
    "main.words", "(\(new))", "(\(new) UNION ALL \(new))",
  ])
  func `a name is looked up by an index`(_ parents: String) throws {
    let connection = try Connection(":memory:", .memory, setup: nil)
    try connection.executeAll(Self.schema)
    let words = try connection.schema(of: "words")
    let id = ["id"].compactMap(words.column)
    let natural = NaturalReference(
      parent: words, fields: [1, 2], receivers: [3], receivingColumns: id,
      naturalColumns: ["lemma", "lang"].compactMap(words.column), owner: nil, keyColumns: id,
      optionKey: [],
      key: ParentKey(parent: "words", childColumns: ["word_id"], parentColumns: ["id"]))
    let sql = TablePlan.lookUp(
      natural, for: "temp.senses", among: parents,
      where: ["p.lang IS NOT NULL", "(p.lemma, p.id) NOT IN (SELECT * FROM temp.held)"],
      connection.dialect)
    let steps = try connection.rows("EXPLAIN QUERY PLAN " + sql).compactMap { $0[3].text }
    #expect(!steps.contains { $0.hasPrefix("SCAN p") || $0.hasPrefix("SCAN words") })
    #expect(!steps.contains { $0.hasPrefix("BLOOM") })
    #expect(steps.contains { $0.hasPrefix("SEARCH s USING INTEGER PRIMARY KEY") })
    let search = parents == "main.words" ? "SEARCH p USING COVERING INDEX" : "AUTOMATIC"
    #expect(steps.contains { $0.contains(search) && $0.hasSuffix("(lemma=? AND lang=?)") })
  }
}
