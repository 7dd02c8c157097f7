/// Rows whose columns are all their key, such as those of a many-to-many table.
extension NamedCase {
  private static func pairs(
    _ name: String, more: String = "", options: String = "", first: String = "a,b\nx,1\nx,2\n",
    user: String = "", query: String = "SELECT * FROM t ORDER BY 1, 2", rows: String = "x|2",
    conflicts: [String] = [], counts: [Int]? = [0, 0, 1, 0, 0], error: String? = nil,
    inverse: String? = nil, table: String = "t", view: String = "",
    second: [String: String] = [:]
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: "CREATE TABLE \(table) (a TEXT NOT NULL, b TEXT NOT NULL\(more), PRIMARY KEY (a, b));"
        + view,
      options: options, first: first.isEmpty ? [:] : ["\(table).csv": first], user: user,
      second: second.isEmpty ? ["t.delete.csv": "a,b\nx,1\n"] : second, query: query, rows: rows,
      conflicts: conflicts,
      counts: counts, error: error, inverse: inverse)
  }

  /// A release that retires a row after its SQL gave new names.
  private static func renaming(_ up: String, back down: String) -> [String: String] {
    [
      "up.sql": "ALTER TABLE \(up);", "down.sql": "ALTER TABLE \(down);",
      "t.delete.csv": "a,b\nx,1\n",
    ]
  }

  static let allKey: [NamedCase] = [
    pairs("a row that is all key goes, and comes back"),
    pairs("one that the user deleted", user: "DELETE FROM t WHERE b = '1'", counts: nil),
    pairs(
      "a generated column is no part of it", more: ", c TEXT GENERATED ALWAYS AS (a || b) STORED",
      rows: "x|2|x2"),
    pairs(
      "nor is one that is ignored", more: ", seen INTEGER",
      options: #""t": {"ignore": ["seen"]}"#, user: "UPDATE t SET seen = 7",
      query: "SELECT a, b FROM t ORDER BY 1, 2"),
    pairs(
      "a column that no file sets is the user's, and at its default",
      more: ", fav INTEGER DEFAULT 0", rows: "x|2|0"),
    pairs(
      "a column that no file sets, and the user did", more: ", fav INTEGER DEFAULT 0",
      user: "UPDATE t SET fav = 1 WHERE b = '1'", rows: "x|1|1;x|2|0",
      conflicts: ["t editedRetired keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    pairs(
      "the key alone, if an earlier file sets another column", more: ", c TEXT",
      first: "a,b,c\nx,1,p\nx,2,q\n", error: "or generate the file"),
    pairs(
      "the key alone, if no file brought the row", more: ", c TEXT", first: "",
      user: "INSERT INTO t VALUES ('x', '1', NULL)", error: "or generate the file"),
    pairs(
      "the key alone, if an earlier file calls the table by an older name",
      more: ", fav INTEGER DEFAULT 0", query: "SELECT * FROM v ORDER BY 1, 2", rows: "x|2|0",
      table: "older", view: "CREATE VIEW v AS SELECT * FROM older;",
      second: renaming("older RENAME TO t", back: "t RENAME TO older")),
    pairs(
      "or if the other column has the name that one of the key had", more: ", c INTEGER DEFAULT 0",
      rows: "x|2|0",
      second: [
        "up.sql": "ALTER TABLE t RENAME b TO d; ALTER TABLE t RENAME COLUMN \"c\" TO b;",
        "down.sql": "ALTER TABLE t RENAME b TO c; ALTER TABLE t RENAME COLUMN d TO b;",
        "t.delete.csv": "a,d\nx,1\n",
      ]),
    pairs(
      "not if an earlier file sets another column by an older name", more: ", c TEXT",
      first: "a,b,c\nx,1,p\nx,2,q\n", error: "or generate the file",
      second: renaming("t RENAME COLUMN c TO d", back: "t RENAME COLUMN d TO c")),
    NamedCase(
      name: "a pair of rows that names find, with an id of the database's own",
      schema: """
        CREATE TABLE template (id INTEGER PRIMARY KEY, slug TEXT NOT NULL UNIQUE);
        CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE t (id INTEGER PRIMARY KEY, template_id INTEGER NOT NULL REFERENCES template,
          label_id INTEGER NOT NULL REFERENCES label, UNIQUE (template_id, label_id));
        """,
      options: #""t": {"key": ["template_id", "label_id"]}, "template": {"key": ["slug"]}, "#
        + #""label": {"key": ["name"]}"#,
      first: [
        "template.csv": "slug\nhello\nbye\n", "label.csv": "name\nnew\nold\n",
        "t.csv": "template_id:template.slug,label_id:label.name\nhello,new\nhello,old\nbye,old\n",
      ],
      user: "INSERT INTO t (template_id, label_id) SELECT p.id, l.id FROM template AS p, "
        + "label AS l WHERE slug = 'bye' AND name = 'new'",
      second: [
        "t.delete.csv": "label_id:label.name,template_id:template.slug\nold,hello\n"
      ],
      query: "SELECT slug, name FROM t JOIN template AS p ON p.id = template_id "
        + "JOIN label AS l ON l.id = label_id ORDER BY 1, 2",
      rows: "bye|new;bye|old;hello|new", counts: [0, 0, 1, 0, 0]),
  ]
}
