/// Users' rows that make way for the seed's, under `moveUser`.
extension NamedCase {
  private static func family(_ action: String = "", id: String = "INTEGER PRIMARY KEY") -> String {
    "CREATE TABLE p (id \(id), code TEXT UNIQUE);"
      + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER DEFAULT 1 REFERENCES p \(action));"
  }

  private static let parents = ["p.csv": "id,code\n1,one\n2,two\n"]
  private static let three = ["p.csv": "id,code\n3,three\n"]
  private static let all = "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', id, p FROM c"
  private static let options = #""p": {"onTaken": "moveUser"}"#
  private static let mine = "INSERT INTO p VALUES (3, 'mine'); INSERT INTO c VALUES (9, 3), (8, 2)"
  private static let log = ["p keyTaken moveUser moved"]

  private static let actions = [
    "ON UPDATE CASCADE", "ON UPDATE SET NULL", "ON UPDATE SET DEFAULT", "ON UPDATE RESTRICT",
    "ON UPDATE NO ACTION",
  ].map { action in
    NamedCase(
      name: "the user's row moves with its child: \(action)", schema: family(action),
      options: options, first: parents, user: mine, second: three, query: all,
      rows: "p|1|one;p|2|two;p|3|three;p|4|mine;c|8|2;c|9|4", conflicts: log,
      counts: [1, 0, 0, 0, 0], leaves: "p|1|one;p|2|two;p|4|mine;c|8|2;c|9|4")
  }

  static let moved =
    actions + [
      NamedCase(
        name: "above the highest id of the file", schema: family(), options: options,
        first: parents, user: mine, second: ["p.csv": "id,code\n3,three\n70,more\n"], query: all,
        rows: "p|1|one;p|2|two;p|3|three;p|70|more;p|71|mine;c|8|2;c|9|71", conflicts: log,
        leaves: "p|1|one;p|2|two;p|71|mine;c|8|2;c|9|71"),
      NamedCase(
        name: "above every id that the table ever had",
        schema: family(id: "INTEGER PRIMARY KEY AUTOINCREMENT"), options: options, first: parents,
        user: "INSERT INTO p VALUES (500, 'gone'); DELETE FROM p WHERE id = 500; " + mine,
        second: three, query: all,
        rows: "p|1|one;p|2|two;p|3|three;p|501|mine;c|8|2;c|9|501", conflicts: log,
        leaves: "p|1|one;p|2|two;p|501|mine;c|8|2;c|9|501"),
      NamedCase(
        name: "above the reserve",
        schema: family(id: "INTEGER PRIMARY KEY AUTOINCREMENT"),
        options: #""p": {"onTaken": "moveUser", "reserve": 1000}"#, first: parents, user: mine,
        second: three, query: all,
        rows: "p|1|one;p|2|two;p|3|three;p|1001|mine;c|8|2;c|9|1001", conflicts: log,
        leaves: "p|1|one;p|2|two;p|1001|mine;c|8|2;c|9|1001"),
      NamedCase(
        name: "above what orphans refer to", schema: family(), options: options, first: parents,
        user: "PRAGMA foreign_keys = 0; INSERT INTO c VALUES (7, 40); " + mine, second: three,
        query: all, rows: "p|1|one;p|2|two;p|3|three;p|41|mine;c|7|40;c|8|2;c|9|41",
        conflicts: log,
        leaves: "p|1|one;p|2|two;p|41|mine;c|7|40;c|8|2;c|9|41"),
      NamedCase(
        name: "where there is no room above, the user's row stays", schema: family(),
        options: options, first: parents,
        user: "INSERT INTO p VALUES (9223372036854775807, 'last'); " + mine, second: three,
        query: all,
        rows: "p|1|one;p|2|two;p|3|mine;p|9223372036854775807|last;c|8|2;c|9|3",
        conflicts: ["p keyTaken moveUser keptUser"], counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "a row that holds the seed's UNIQUE value too stays", schema: family(),
        options: options, first: parents,
        user: "INSERT INTO p VALUES (3, 'three'), (4, 'mine'); INSERT INTO c VALUES (9, 3), (8, 4);"
          + "ALTER TABLE p ADD COLUMN note TEXT",
        second: ["p.csv": "id,code,note\n3,three,seed\n4,four,\n"],
        query: "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', id, p FROM c "
          + "ORDER BY 1 DESC, 2",
        rows: "p|1|one;p|2|two;p|3|three;p|4|four;p|5|mine;c|8|5;c|9|3",
        conflicts: ["p keyTaken moveUser moved", "p keyTaken moveUser keptUser"],
        counts: [1, 0, 0, 0, 1],
        leaves: "p|1|one;p|2|two;p|3|three;p|5|mine;c|8|5;c|9|3"),
      NamedCase(
        name: "a new row may refer to the user's row that moves, as to any of the user's own",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
          + "CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (code));",
        options: options, first: parents,
        user: "INSERT INTO p VALUES (3, 'mine'); DELETE FROM p WHERE id = 2",
        second: [
          "p.csv": "id,code\n3,three\n", "c.csv": "id,p\n5,mine\n6,three\n",
          // With a key that is left to the user, each new row is compared.
          "p.update.csv": "id,code,was:code\n2,zwei,two\n",
        ], query: all,
        rows: "p|1|one;p|3|three;p|4|mine;c|5|mine;c|6|three",
        conflicts: ["p deletedByUser - keptUser"] + log, leaves: "p|1|one;p|4|mine"),
      NamedCase(
        name: "a UNIQUE value that holds the id is free as soon as the user's row moves",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT, note TEXT, UNIQUE (code, id));",
        options: options, first: parents, user: "INSERT INTO p VALUES (3, 'three', 'mine')",
        second: ["p.csv": "id,code,note\n3,three,seed\n"], query: "SELECT * FROM p",
        rows: "1|one|NULL;2|two|NULL;3|three|seed;4|three|mine", conflicts: log,
        leaves: "1|one|NULL;2|two|NULL;4|three|mine"),
      NamedCase(
        name: "a row whose value another index takes for the seed's stays",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT, note TEXT);"
          + "CREATE UNIQUE INDEX i ON p (lower(code));",
        options: options, first: parents, user: "INSERT INTO p VALUES (3, 'THREE', 'x')",
        second: three, query: "SELECT id, code FROM p", rows: "1|one;2|two;3|THREE",
        conflicts: ["p keyTaken moveUser keptUser"], counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "a row that no other id suits stays",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT, "
          + "CHECK (id < 4 OR code <> 'mine'));",
        options: options, first: parents,
        user: "INSERT INTO p VALUES (3, 'mine'); INSERT INTO p VALUES (4, 'other')",
        second: ["p.csv": "id,code\n3,three\n4,four\n"], query: "SELECT id, code FROM p",
        rows: "1|one;2|two;3|mine;4|four;5|other",
        conflicts: ["p keyTaken moveUser moved", "p keyTaken moveUser keptUser"],
        leaves: "1|one;2|two;3|mine;5|other"),
      NamedCase(
        name: "a key that is no id stays",
        schema: "CREATE TABLE p (id TEXT PRIMARY KEY, code TEXT);", options: options,
        first: parents, user: "INSERT INTO p VALUES (3, 'mine')", second: three,
        query: "SELECT id, code FROM p", rows: "1|one;2|two;3|mine",
        conflicts: ["p keyTaken moveUser keptUser"]),
      NamedCase(
        name: "a seed row that is pointed to the id refers to the seed's", schema: family(),
        options: options,
        first: ["p.csv": "id,code\n1,one\n2,two\n", "c.csv": "id,p\n20,1\n"],
        user: mine,
        second: [
          "p.csv": "id,code\n3,three\n", "c.update.csv": "id,p,was:p\n20,3,1\n",
          "c.csv": "id,p\n21,3\n",
        ], query: all,
        rows: "p|1|one;p|2|two;p|3|three;p|4|mine;c|8|2;c|9|4;c|20|3;c|21|3", conflicts: log,
        leaves: "p|1|one;p|2|two;p|4|mine;c|8|2;c|9|4;c|20|1"),
      NamedCase(
        name: "a child whose own key holds the id moves with its children",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (p INTEGER REFERENCES p, n INTEGER, PRIMARY KEY (p, n)) WITHOUT ROWID;"
          + "CREATE TABLE d (id INTEGER PRIMARY KEY, p, n, FOREIGN KEY (p, n) REFERENCES c);",
        options: options, first: parents,
        user: "INSERT INTO p VALUES (3, 'mine'); INSERT INTO c VALUES (3, 1), (2, 1);"
          + "INSERT INTO d VALUES (9, 3, 1), (8, 2, 1)",
        second: three,
        query: "SELECT * FROM p UNION ALL SELECT * FROM c UNION ALL SELECT id, p || n FROM d",
        rows: "1|one;2|two;3|three;4|mine;2|1;4|1;8|21;9|41", conflicts: log,
        leaves: "1|one;2|two;4|mine;2|1;4|1;8|21;9|41"),
      NamedCase(
        name: "a tree whose row refers to itself",
        schema:
          "CREATE TABLE p (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON UPDATE SET NULL);",
        options: options, first: ["p.csv": "id,p\n1,\n2,1\n"],
        user: "INSERT INTO p VALUES (3, 3), (9, 3)", second: ["p.csv": "id,p\n3,1\n"],
        query: "SELECT * FROM p", rows: "1|NULL;2|1;3|1;9|10;10|10", conflicts: log,
        leaves: "1|NULL;2|1;9|10;10|10"),
      NamedCase(
        name: "a reference that only the options know follows",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER);",
        options: #""p": {"onTaken": "moveUser", "references": {"c": ["p"]}}"#, first: parents,
        user: mine, second: three, query: all,
        rows: "p|1|one;p|2|two;p|3|three;p|4|mine;c|8|2;c|9|4", conflicts: log,
        leaves: "p|1|one;p|2|two;p|4|mine;c|8|2;c|9|4"),
      NamedCase(
        name: "no row makes way for a new key", schema: family(), options: options, first: parents,
        user: mine, second: ["p.update.csv": "id,was:id\n3,2\n"], query: all,
        rows: "p|1|one;p|2|two;p|3|mine;c|8|2;c|9|3",
        conflicts: ["p keyTaken moveUser keptUser"], counts: [0, 0, 0, 0, 1]),
    ]
}
