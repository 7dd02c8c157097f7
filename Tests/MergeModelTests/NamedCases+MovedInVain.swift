/// Users' rows that do not make way for the seed's under `moveUser`, and those that do so because
/// others did.
extension NamedCase {
  private static let parents = ["p.csv": "id,code\n1,one\n2,two\n"]
  private static let three = ["p.csv": "id,code\n3,three\n"]
  private static let all = "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', id, p FROM c"
  private static let options = #""p": {"onTaken": "moveUser"}"#
  private static let mine = "INSERT INTO p VALUES (3, 'mine'); INSERT INTO c VALUES (9, 3), (8, 2)"
  private static let kept = ["p keyTaken moveUser keptUser"]
  private static let one = ["p keyTaken moveUser moved"]

  private static func family(_ more: String = "", child: String = "INTEGER") -> String {
    "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
      + "CREATE TABLE c (id INTEGER PRIMARY KEY, p \(child) REFERENCES p);\(more)"
  }

  private static let triggers = [
    "BEFORE UPDATE OF id ON p BEGIN SELECT RAISE(ABORT, 'ids are fixed'); END;",
    "BEFORE UPDATE OF id ON p BEGIN SELECT RAISE(IGNORE); END;",
    "BEFORE UPDATE ON c BEGIN SELECT RAISE(ABORT, 'no'); END;",
    "BEFORE UPDATE ON c BEGIN SELECT RAISE(IGNORE); END;",
  ].map { trigger in
    NamedCase(
      name: "a trigger keeps the user's row where it is: \(trigger)",
      schema: family("CREATE TRIGGER keep \(trigger)"), options: options, first: parents,
      user: mine, second: three, query: all, rows: "p|1|one;p|2|two;p|3|mine;c|8|2;c|9|3",
      conflicts: kept, counts: [0, 0, 0, 0, 1])
  }

  static let movedInVain =
    triggers + [
      NamedCase(
        name: "where the seed's row lacks its parent, the user's stays",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY);"
          + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);",
        options: #""c": {"onTaken": "moveUser"}"#, first: ["p.csv": "id\n1\n2\n"],
        user: "DELETE FROM p WHERE id = 2; INSERT INTO c VALUES (9, 1)",
        second: ["c.csv": "id,p\n9,2\n10,1\n"], query: "SELECT * FROM c", rows: "9|1;10|1",
        conflicts: ["c keyTaken moveUser keptUser"], counts: [1, 0, 0, 0, 1]),
      NamedCase(
        name: "what was pointed to a row that moved in vain is pointed to the user's",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);",
        options: #""p": {"onTaken": "moveUser"}"#, first: ["p.csv": "id,p\n1,\n2,1\n3,\n"],
        user: "DELETE FROM p WHERE id = 3; INSERT INTO p VALUES (9, 1)",
        second: ["p.csv": "id,p\n9,3\n", "p.update.csv": "id,p,was:p\n2,9,1\n"],
        query: "SELECT * FROM p", rows: "1|NULL;2|1;9|1",
        conflicts: ["p parentTaken - skipped", "p keyTaken moveUser keptUser"],
        counts: [0, 0, 0, 0, 2]),
      NamedCase(
        name: "where another row of the user's has the seed's value, it stays", schema: family(),
        options: options, first: parents, user: mine + "; INSERT INTO p VALUES (5, 'three')",
        second: three, query: all,
        rows: "p|1|one;p|2|two;p|3|mine;p|5|three;c|8|2;c|9|3", conflicts: kept,
        counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "above what orphans of another type refer to", schema: family(child: "TEXT"),
        options: options, first: parents,
        user: "PRAGMA foreign_keys = 0; INSERT INTO c VALUES (7, '40'); " + mine, second: three,
        query: all, rows: "p|1|one;p|2|two;p|3|three;p|41|mine;c|7|40;c|8|2;c|9|41",
        conflicts: one,
        leaves: "p|1|one;p|2|two;p|41|mine;c|7|40;c|8|2;c|9|41"),
      NamedCase(
        name: "rows of a tree that are as shipped are the seed's, so their parent stays",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);",
        options: options, first: ["p.csv": "id,p\n1,\n"],
        user: "INSERT INTO p VALUES (3, NULL), (4, 3), (5, 4), (6, 1)",
        second: ["p.csv": "id,p\n3,1\n4,3\n5,4\n"], query: "SELECT * FROM p",
        rows: "1|NULL;3|NULL;4|3;5|4;6|1", conflicts: ["p keyTaken moveUser keptUser"],
        counts: [0, 0, 0, 2, 1], goesBack: false),
      NamedCase(
        name: "so it does if they are in a table filled afterwards",
        schema: "CREATE TABLE b (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b);",
        options: #""a": {"onTaken": "moveUser"}, "b": {"onTaken": "moveUser"}"#,
        first: ["b.csv": "id,code\n1,one\n"],
        user: "INSERT INTO b VALUES (2, 'mine'); INSERT INTO a VALUES (7, 2), (8, 1)",
        second: ["b.csv": "id,code\n2,two\n", "a.csv": "id,b\n7,2\n"],
        query: "SELECT 'b', id, code FROM b UNION ALL SELECT 'a', id, b FROM a",
        rows: "b|1|one;b|2|mine;a|7|2;a|8|1", conflicts: ["b keyTaken moveUser keptUser"],
        goesBack: false),
      NamedCase(
        name: "a seed's row that they refer to changes all the same",
        schema: "CREATE TABLE b (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b);",
        options: #""a": {"onTaken": "moveUser"}, "b": {"onTaken": "moveUser"}"#,
        first: ["b.csv": "id,code\n1,one\n"], user: "INSERT INTO a VALUES (7, 1)",
        second: [
          "b.csv": "id,code\n2,two\n", "b.update.csv": "id,code,was:code\n1,uno,one\n",
          "a.csv": "id,b\n7,1\n",
        ],
        query: "SELECT 'b', id, code FROM b UNION ALL SELECT 'a', id, b FROM a",
        rows: "b|1|uno;b|2|two;a|7|1", goesBack: false),
      NamedCase(
        name: "a chain of keys that hold the id, a tree among them",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (p INTEGER REFERENCES p ON UPDATE CASCADE, n INTEGER, up INTEGER, "
          + "PRIMARY KEY (p, n), FOREIGN KEY (p, up) REFERENCES c ON UPDATE SET NULL) "
          + "WITHOUT ROWID; CREATE TABLE d (id INTEGER PRIMARY KEY, p INTEGER, n INTEGER, "
          + "FOREIGN KEY (p, n) REFERENCES c ON UPDATE RESTRICT);",
        options: options, first: parents,
        user: "INSERT INTO p VALUES (3, 'mine');"
          + "INSERT INTO c VALUES (3, 1, NULL), (3, 2, 1), (3, 3, 2), (2, 1, 1);"
          + "INSERT INTO d VALUES (9, 3, 3), (8, 2, 1)",
        second: three,
        query: "SELECT id, code, 0 FROM p UNION ALL SELECT p, n, up FROM c "
          + "UNION ALL SELECT * FROM d",
        rows: "1|one|0;2|two|0;3|three|0;4|mine|0;2|1|1;4|1|NULL;4|2|1;4|3|2;8|2|1;9|4|3",
        conflicts: one,
        leaves: "1|one|0;2|two|0;4|mine|0;2|1|1;4|1|NULL;4|2|1;4|3|2;8|2|1;9|4|3"),
    ]
}
