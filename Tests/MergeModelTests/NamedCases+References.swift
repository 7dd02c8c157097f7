/// References that the schema does not declare count as foreign keys do.
extension NamedCase {
  private static let schema = """
    CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT UNIQUE);
    CREATE TABLE d (id INTEGER PRIMARY KEY, e INTEGER, q INTEGER, n TEXT);
    """
  private static let declared = #""e": {"references": {"d": ["e"]}}"#
  private static let parents = ["e.csv": "id,a\n1,x\n2,y\n"]
  private static let retire = ["e.delete.csv": "id,a\n2,y\n"]
  private static let all = "SELECT 'e', id, a, NULL FROM e UNION ALL SELECT 'd', id, e, q FROM d"

  static let references = [
    NamedCase(
      name: "a retired row that an undeclared reference means stays", schema: schema,
      options: declared, first: parents, user: "INSERT INTO d (id, e) VALUES (5, 2)",
      second: retire, query: all, rows: "e|1|x|NULL;e|2|y|NULL;d|5|2|NULL",
      conflicts: ["e referenced keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "without the option it goes", schema: schema, first: parents,
      user: "INSERT INTO d (id, e) VALUES (5, 2)", second: retire, query: all,
      rows: "e|1|x|NULL;d|5|2|NULL", counts: [0, 0, 1, 0, 0]),
    NamedCase(
      name: "repoint, then retire", schema: schema, options: declared,
      first: parents.merging(["d.csv": "id,e\n5,2\n"]) { $1 },
      second: retire.merging(["d.update.csv": "id,e,was:e\n5,1,2\n"]) { $1 }, query: all,
      rows: "e|1|x|NULL;d|5|1|NULL"),
    NamedCase(
      name: "an inserted row whose parent the user deleted", schema: schema, options: declared,
      first: parents, user: "DELETE FROM e WHERE id = 2",
      second: ["d.csv": "id,e\n5,1\n6,2\n7,\n"], query: all,
      rows: "e|1|x|NULL;d|5|1|NULL;d|7|NULL|NULL", conflicts: ["d parentDeleted - skipped"],
      counts: [2, 0, 0, 0, 1]),
    NamedCase(
      name: "an inserted row whose parent is the user's", schema: schema, options: declared,
      first: parents, user: "INSERT INTO e VALUES (3, 'mine')",
      second: ["d.csv": "id,e\n5,3\n", "e.csv": "id,a\n3,z\n"], query: all,
      rows: "e|1|x|NULL;e|2|y|NULL;e|3|mine|NULL",
      conflicts: ["e keyTaken keepUser keptUser", "d parentTaken - skipped"]),
    NamedCase(
      name: "an update to a parent that the user deleted", schema: schema, options: declared,
      first: parents.merging(["d.csv": "id,e\n5,1\n"]) { $1 }, user: "DELETE FROM e WHERE id = 2",
      second: ["d.update.csv": "id,e,was:e\n5,2,1\n"], query: all, rows: "e|1|x|NULL;d|5|1|NULL",
      conflicts: ["d parentDeleted - skipped"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "a reference to a user's row stays the user's, even if a release ships it, too",
      schema: schema, options: declared, first: parents.merging(["d.csv": "id,e\n5,1\n"]) { $1 },
      user: "INSERT INTO e VALUES (3, 'mine'); UPDATE d SET e = 3",
      second: ["d.update.csv": "id,e,was:e\n5,3,1\n", "e.csv": "id,a\n3,z\n"], query: all,
      rows: "e|1|x|NULL;e|2|y|NULL;e|3|mine|NULL;d|5|3|NULL",
      conflicts: ["e keyTaken keepUser keptUser"]),
    NamedCase(
      name: "parents are loaded before their children", schema: schema, options: declared,
      first: parents, second: ["d.csv": "id,e\n5,3\n", "e.csv": "id,a\n3,z\n"], query: all,
      rows: "e|1|x|NULL;e|2|y|NULL;e|3|z|NULL;d|5|3|NULL"),
    NamedCase(
      name: "an update to a parent of the same release", schema: schema, options: declared,
      first: parents.merging(["d.csv": "id,e\n5,1\n"]) { $1 },
      second: ["d.update.csv": "id,e,was:e\n5,3,1\n", "e.csv": "id,a\n3,z\n"], query: all,
      rows: "e|1|x|NULL;e|2|y|NULL;e|3|z|NULL;d|5|3|NULL"),
    NamedCase(
      name: "rows that refer so follow a key that changes", schema: schema, options: declared,
      first: parents, user: "INSERT INTO d (id, e) VALUES (5, 2)",
      second: ["e.update.csv": "id,was:id\n9,2\n"], query: all,
      rows: "e|1|x|NULL;e|9|y|NULL;d|5|9|NULL"),
    NamedCase(
      name: "several references from one table", schema: schema,
      options: #""e": {"references": {"d": [["e"], ["q"]]}}"#, first: parents,
      user: "INSERT INTO d (id, q) VALUES (5, 2)", second: retire, query: all,
      rows: "e|1|x|NULL;e|2|y|NULL;d|5|NULL|2", conflicts: ["e referenced keepEdits keptUser"]),
    NamedCase(
      name: "a child that the option spells in capitals", schema: schema,
      options: #""E": {"references": {"D": ["E"]}}"#, first: parents,
      user: "INSERT INTO d (id, e) VALUES (5, 2)", second: retire, query: all,
      rows: "e|1|x|NULL;e|2|y|NULL;d|5|2|NULL", conflicts: ["e referenced keepEdits keptUser"]),
  ]

  private static let pairs = """
    CREATE TABLE e (a TEXT, b INTEGER, n TEXT, PRIMARY KEY (a, b));
    CREATE TABLE d (id INTEGER PRIMARY KEY, x TEXT, y INTEGER);
    """
  private static let ofPair = #""e": {"references": {"d": ["x", "y"]}}"#
  private static let pair = ["e.csv": "a,b,n\np,1,one\np,2,two\n"]
  private static let codes = """
    CREATE TABLE e (code TEXT COLLATE NOCASE PRIMARY KEY, a TEXT UNIQUE);
    CREATE TABLE d (id INTEGER PRIMARY KEY, e TEXT);
    """

  static let referencesOfKeys = [
    NamedCase(
      name: "a composite reference", schema: pairs, options: ofPair, first: pair,
      user: "INSERT INTO d VALUES (5, 'p', 2)",
      second: ["e.delete.csv": "a,b,n\np,1,one\np,2,two\n"],
      query: "SELECT * FROM e ORDER BY 1, 2", rows: "p|2|two",
      conflicts: ["e referenced keepEdits keptUser"],
      counts: [0, 0, 1, 0, 1]),
    NamedCase(
      name: "an update of one column of a composite reference", schema: pairs, options: ofPair,
      first: pair.merging(["d.csv": "id,x,y\n5,p,1\n"]) { $1 },
      second: ["d.update.csv": "id,y,was:y\n5,3,1\n"], query: "SELECT * FROM d", rows: "5|p|1",
      conflicts: ["d parentDeleted - skipped"]),
    NamedCase(
      name: "the key of a table without a primary key",
      schema:
        "CREATE TABLE e (code TEXT UNIQUE, a TEXT);"
        + "CREATE TABLE d (id INTEGER PRIMARY KEY, e TEXT);",
      options: #""e": {"key": ["code"], "references": {"d": ["e"]}}"#,
      first: ["e.csv": "code,a\np,x\nq,y\n"], user: "INSERT INTO d VALUES (5, 'q')",
      second: ["e.delete.csv": "code,a\np,x\nq,y\n"], query: "SELECT * FROM e ORDER BY 1, 2",
      rows: "q|y",
      conflicts: ["e referenced keepEdits keptUser"]),
    NamedCase(
      name: "the parent's collation decides what a reference means", schema: codes,
      options: declared, first: ["e.csv": "code,a\np,x\nq,y\n"],
      user: "INSERT INTO d VALUES (5, 'Q')", second: ["e.delete.csv": "code,a\np,x\nq,y\n"],
      query: "SELECT * FROM e ORDER BY 1, 2", rows: "q|y",
      conflicts: ["e referenced keepEdits keptUser"]),
    NamedCase(
      name: "a row refers to another one in another case, and to itself only in its own",
      schema: "CREATE TABLE t (id TEXT COLLATE NOCASE PRIMARY KEY, p TEXT REFERENCES t);",
      first: ["t.csv": "id,p\na,\nb,\nc,\nd,\n"],
      second: ["t.update.csv": "id,p,was:p\nb,A,\nc,C,\nd,d,\n"],
      rows: "a|NULL;b|A;c|NULL;d|d", conflicts: ["t parentTaken - skipped"]),
    NamedCase(
      name: "a tree that refers to itself",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER);",
      options: #""t": {"references": {"t": ["p"]}}"#, first: ["t.csv": "id,p\n1,\n2,1\n3,2\n"],
      user: "INSERT INTO t VALUES (9, 2)",
      second: ["t.delete.csv": "id,p\n1,\n2,1\n3,2\n", "t.csv": "id,p\n6,5\n5,4\n4,\n7,8\n"],
      rows: "1|NULL;2|1;4|NULL;5|4;6|5;9|2",
      conflicts: [
        "t parentDeleted - skipped", "t referenced keepEdits keptUser",
        "t referenced keepEdits keptUser",
      ], counts: [3, 0, 1, 0, 3]),
    NamedCase(
      name: "two tables that refer to each other",
      schema:
        "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER);"
        + "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER);",
      options: #""a": {"references": {"b": ["a"]}}, "b": {"references": {"a": ["b"]}}"#,
      first: ["a.csv": "id,b\n1,1\n", "b.csv": "id,a\n1,1\n"],
      second: [
        "a.delete.csv": "id,b\n1,1\n", "b.delete.csv": "id,a\n1,1\n", "a.csv": "id,b\n2,2\n",
        "b.csv": "id,a\n2,2\n",
      ],
      query: "SELECT a.id, b.id FROM a JOIN b ON b.a = a.id AND a.b = b.id", rows: "2|2"),
  ]
}
