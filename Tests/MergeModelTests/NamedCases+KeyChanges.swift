/// Rows that get new keys, and all that refers to them.
extension NamedCase {
  private static func family(_ action: String = "") -> String {
    "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
      + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER DEFAULT 1 REFERENCES p \(action));"
  }

  private static let parents = ["p.csv": "id,code\n1,one\n2,two\n3,three\n"]
  private static let all = "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', id, p FROM c"
  private static let change = ["p.update.csv": "id,was:id\n7,2\n"]

  private static let actions = [
    "ON UPDATE CASCADE", "ON UPDATE SET NULL", "ON UPDATE SET DEFAULT", "ON UPDATE RESTRICT",
    "ON UPDATE NO ACTION",
  ].map { action in
    NamedCase(
      name: "the user's child follows, whatever the key says: \(action)", schema: family(action),
      first: parents, user: "INSERT INTO c VALUES (9, 2), (10, 3)", second: change, query: all,
      rows: "p|1|one;p|3|three;p|7|two;c|9|7;c|10|3", counts: [0, 1, 0, 0, 0])
  }

  private static let referred = [
    "ON UPDATE CASCADE", "ON UPDATE SET NULL", "ON UPDATE RESTRICT", "",
  ].map { action in
    NamedCase(
      name: "a UNIQUE value changes, and those that refer to it follow: \(action)",
      schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (code) \(action));",
      first: ["p.csv": "id,code\n1,one\n2,two\n", "c.csv": "id,p\n5,one\n"],
      user: "INSERT INTO c VALUES (9, 'two'), (10, 'one')",
      second: [
        "p.update.csv": "id,code,was:code\n1,uno,one\n",
        "c.update.csv": "id,p,was:p\n5,uno,one\n",
      ], query: "SELECT * FROM p UNION ALL SELECT * FROM c ORDER BY 1",
      rows: "1|uno;2|two;5|uno;9|two;10|uno", counts: [0, 1, 0, 0, 0])
  }

  private static let followers = [
    NamedCase(
      name: "a row to whose values others refer is not replaced", schema: byCode,
      options: "\"p\": {\"onTaken\": \"replaceUser\"}", first: ["p.csv": "id,code\n1,one\n"],
      user: "INSERT INTO p VALUES (2, 'mine'); INSERT INTO c VALUES (9, 'mine')",
      second: ["p.csv": "id,code\n2,two\n"],
      query: "SELECT * FROM p UNION ALL SELECT * FROM c", rows: "1|one;2|mine;9|mine",
      conflicts: ["p keyTaken replaceUser keptUser"])
  ]

  /// A server lets rows follow only by such a key.
  private static let deferred = "DEFERRABLE INITIALLY DEFERRED"

  static let leaving = [
    "ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE SET DEFAULT", "",
  ].map { "\($0) \(deferred)" }.flatMap { action in
    [
      NamedCase(
        name: "a key leaves a row that is retired: \(action)",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (p INTEGER NOT NULL DEFAULT 1 REFERENCES p \(action), n TEXT NOT NULL, "
          + "note TEXT, PRIMARY KEY (p, n)); CREATE TABLE g (id INTEGER PRIMARY KEY, p INTEGER, "
          + "n TEXT, FOREIGN KEY (p, n) REFERENCES c \(deferred));",
        first: parents.merging(["c.csv": "p,n\n2,a\n3,a\n"]) { $1 },
        user: "UPDATE c SET note = 'mine' WHERE p = 2; INSERT INTO g VALUES (9, 2, 'a')",
        second: [
          "p.delete.csv": "id,code\n2,two\n", "c.update.csv": "p,n,was:p,was:n\n3,b,2,a\n",
        ], query: "SELECT n, p, note FROM c UNION ALL SELECT n, p, 'g' FROM g ORDER BY 1, 2, 3",
        rows: "a|3|NULL;b|3|g;b|3|mine", counts: [0, 1, 0, 0, 0]),
      NamedCase(
        name: "a UNIQUE value with followers leaves a row that is retired: \(action)",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER UNIQUE DEFAULT 1 REFERENCES p "
          + "\(action), note TEXT); CREATE TABLE g (p INTEGER REFERENCES c (p) \(deferred), "
          + "n INTEGER, PRIMARY KEY (p, n));",
        first: parents.merging(["c.csv": "id,p\n5,2\n", "g.csv": "p,n\n2,7\n2,8\n"]) { $1 },
        user: "UPDATE c SET note = 'mine'; INSERT INTO g VALUES (2, 9)",
        second: [
          "p.delete.csv": "id,code\n2,two\n", "c.update.csv": "id,p,was:p\n5,3,2\n",
          "g.delete.csv": "p,n\n2,7\n",
        ], query: "SELECT id, p, note FROM c UNION ALL SELECT n, p, 'g' FROM g ORDER BY 1, 2",
        rows: "5|3|mine;8|3|g;9|3|g", counts: [0, 1, 0, 0, 0]),
    ]
  }

  static let disposed = [
    NamedCase(
      name: "a key leaves a row that goes with a retired one",
      schema: "CREATE TABLE r (id INTEGER PRIMARY KEY);"
        + "CREATE TABLE p (id INTEGER PRIMARY KEY, r INTEGER REFERENCES r);"
        + "CREATE TABLE c (p INTEGER REFERENCES p ON DELETE CASCADE, n TEXT, note TEXT, "
        + "PRIMARY KEY (p, n));",
      options: "\"r\": {\"disposable\": [\"p\"]}",
      first: ["r.csv": "id\n1\n2\n", "p.csv": "id,r\n2,1\n3,2\n", "c.csv": "p,n\n2,a\n"],
      user: "UPDATE c SET note = 'mine'",
      second: ["r.delete.csv": "id\n1\n", "c.update.csv": "p,n,was:p\n3,a,2\n"],
      query: "SELECT p, n, note FROM c UNION ALL SELECT r, 'p', NULL FROM p ORDER BY 1, 2",
      rows: "2|p|NULL;3|a|mine", goesBack: false)
  ]

  private static let byCode =
    "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
    + "CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (code));"

  static let keyChanges =
    actions + referred + followers + leaving + disposed + [
      NamedCase(
        name: "keys that are passed on in a chain", schema: family(), first: parents,
        user: "INSERT INTO c VALUES (8, 1), (9, 2), (10, 3)",
        second: ["p.update.csv": "id,was:id\n2,1\n3,2\n4,3\n"], query: all,
        rows: "p|2|one;p|3|two;p|4|three;c|8|2;c|9|3;c|10|4", counts: [0, 3, 0, 0, 0]),
      NamedCase(
        name: "keys that are exchanged", schema: family("ON UPDATE CASCADE"), first: parents,
        user: "INSERT INTO c VALUES (8, 1), (9, 2)",
        second: ["p.update.csv": "id,was:id\n2,1\n1,2\n"], query: all,
        rows: "p|1|two;p|2|one;p|3|three;c|8|2;c|9|1", counts: [0, 2, 0, 0, 0]),
      NamedCase(
        name: "text keys that are exchanged, under a CHECK",
        schema: "CREATE TABLE p (id TEXT PRIMARY KEY CHECK (length(id) = 2), code TEXT) "
          + "WITHOUT ROWID; CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p);",
        first: ["p.csv": "id,code\naa,one\nbb,two\n"],
        user: "INSERT INTO c VALUES (8, 'aa'), (9, 'bb')",
        second: ["p.update.csv": "id,code,was:id,was:code\nbb,ONE,aa,one\naa,two,bb,two\n"],
        query: all, rows: "p|aa|two;p|bb|ONE;c|8|bb;c|9|aa", counts: [0, 2, 0, 0, 0]),
      NamedCase(
        name: "an edited row gets its new key all the same", schema: family(), first: parents,
        user: "UPDATE p SET code = 'mine' WHERE id = 2; INSERT INTO c VALUES (9, 2)",
        second: ["p.update.csv": "id,code,was:id,was:code\n7,TWO,2,two\n"], query: all,
        rows: "p|1|one;p|3|three;p|7|mine;c|9|7", conflicts: ["p edited keepEdits merged"],
        counts: [0, 1, 0, 0, 0]),
      NamedCase(
        name: "under keepRow an edited row keeps its key", schema: family(),
        options: "\"p\": {\"onEdited\": \"keepRow\"}", first: parents,
        user: "UPDATE p SET code = 'mine' WHERE id = 2",
        second: ["p.update.csv": "id,code,was:id,was:code\n7,TWO,2,two\n"], query: all,
        rows: "p|1|one;p|2|mine;p|3|three", conflicts: ["p edited keepRow keptUser"],
        counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "the new key is the user's, and so the chain behind it stays", schema: family(),
        first: parents, user: "INSERT INTO p VALUES (4, 'mine'); INSERT INTO c VALUES (9, 4)",
        second: ["p.update.csv": "id,code,was:id,was:code\n3,TWO,2,two\n4,three,3,three\n"],
        query: all, rows: "p|1|one;p|2|TWO;p|3|three;p|4|mine;c|9|4",
        conflicts: ["p keyTaken keepUser keptUser", "p keyTaken keepUser merged"],
        counts: [0, 1, 0, 0, 1], inverse: "p|1|one;p|2|TWO;p|3|three;p|4|mine;c|9|4"),
      NamedCase(
        name: "a taken key is the reason, whether or not what refers to the row could follow",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (p INTEGER REFERENCES p, n INTEGER, PRIMARY KEY (p, n));",
        first: parents,
        user: "INSERT INTO p VALUES (4, 'mine'); INSERT INTO c VALUES (2, 0), (3, 0)",
        second: ["p.update.csv": "id,was:id\n3,2\n4,3\n"],
        query: "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', p, n FROM c",
        rows: "p|1|one;p|2|two;p|3|three;p|4|mine;c|2|0;c|3|0",
        conflicts: ["p keyTaken keepUser keptUser", "p keyTaken keepUser keptUser"],
        counts: [0, 0, 0, 0, 2]),
      NamedCase(
        name: "the new key is the user's under fail", schema: family(),
        options: "\"p\": {\"onTaken\": \"fail\"}", first: parents,
        user: "INSERT INTO p VALUES (7, 'mine')", second: change, query: all, rows: "",
        error: "keyTaken"),
      NamedCase(
        name: "the user deleted the row", schema: family(), first: parents,
        user: "DELETE FROM p WHERE id = 2", second: change, query: all,
        rows: "p|1|one;p|3|three", conflicts: ["p deletedByUser - keptUser"],
        counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "the row is under its new key already", schema: family(), first: parents,
        user: "UPDATE p SET id = 7, code = 'TWO' WHERE id = 2",
        second: ["p.update.csv": "id,code,was:id,was:code\n7,TWO,2,two\n"], query: all,
        rows: "p|1|one;p|3|three;p|7|TWO", conflicts: ["p deletedByUser - keptUser"],
        counts: [0, 0, 0, 0, 1], goesBack: false),
      NamedCase(
        name: "a tree whose rows refer to each other and to themselves",
        schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, "
          + "p INTEGER REFERENCES t ON UPDATE SET NULL);",
        first: ["t.csv": "id,p\n1,1\n2,1\n3,2\n"], user: "INSERT INTO t VALUES (9, 2)",
        second: ["t.update.csv": "id,was:id\n2,1\n1,2\n7,3\n"], rows: "1|2;2|2;7|1;9|1"),
      NamedCase(
        name: "a key that is not the primary key",
        schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, seed_id TEXT UNIQUE, a TEXT);"
          + "CREATE TABLE c (t TEXT REFERENCES t (seed_id));",
        options: "\"t\": {\"key\": [\"seed_id\"]}",
        first: ["t.csv": "seed_id,a\nx,1\ny,2\n"],
        user: "INSERT INTO t VALUES (9, NULL, 'mine'); INSERT INTO c VALUES ('x')",
        second: ["t.update.csv": "seed_id,was:seed_id\nz,x\n"],
        query: "SELECT id, seed_id, a FROM t UNION ALL SELECT 'c', t, '' FROM c",
        rows: "1|z|1;2|y|2;9|NULL|mine;c|z|", counts: [0, 1, 0, 0, 0]),
      NamedCase(
        name: "a key that the user's child cannot follow stays, and the others change",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p CHECK (p < 9));",
        first: parents, user: "INSERT INTO c VALUES (8, 1), (9, 2)",
        second: [
          "p.update.csv":
            "id,code,was:id,was:code\n7,ONE,1,one\n10,TWO,2,two\n11,three,3,three\n"
        ],
        query: all, rows: "p|2|TWO;p|7|ONE;p|11|three;c|8|7;c|9|2",
        conflicts: ["p referenced keepEdits merged"], counts: [0, 3, 0, 0, 0],
        inverse: "p|1|one;p|2|TWO;p|3|three;c|8|1;c|9|2"),
      NamedCase(
        name: "a composite reference follows as a whole, though others refer to a part of it",
        schema: "CREATE TABLE p (a INTEGER, b INTEGER, PRIMARY KEY (a, b));"
          + "CREATE TABLE c (a INTEGER, b INTEGER, n INTEGER, PRIMARY KEY (a, n), UNIQUE (a, b), "
          + "FOREIGN KEY (a, b) REFERENCES p);"
          + "CREATE TABLE d (id INTEGER PRIMARY KEY, a INTEGER, n INTEGER, "
          + "FOREIGN KEY (a, n) REFERENCES c);",
        first: ["p.csv": "a,b\n1,1\n1,2\n"],
        user: "INSERT INTO c VALUES (1, 1, 5), (1, 2, 6); INSERT INTO d VALUES (9, 1, 5)",
        second: ["p.update.csv": "a,b,was:a,was:b\n2,2,1,1\n3,3,1,2\n"],
        query: "SELECT 'p', a, b FROM p UNION ALL SELECT * FROM c UNION ALL SELECT * FROM d",
        rows: "p|2|2;p|3|3;2|2|5;3|3|6;9|2|5", counts: [0, 2, 0, 0, 0]),
      NamedCase(
        name: "a key that changes in case only",
        schema: "CREATE TABLE p (id TEXT COLLATE NOCASE PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (p TEXT REFERENCES p);",
        first: ["p.csv": "id,code\naa,one\n"], user: "INSERT INTO c VALUES ('aa')",
        second: ["p.update.csv": "id,was:id\nAA,aa\n"],
        query: "SELECT id FROM p UNION ALL SELECT p FROM c", rows: "AA;AA",
        counts: [0, 1, 0, 0, 0]),
      NamedCase(
        name: "of a new key that is taken, and whose parent is the user's, the parent is named",
        schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
          + "CREATE TABLE c (a INTEGER REFERENCES p, b INTEGER, PRIMARY KEY (a, b));",
        first: ["p.csv": "id,code\n1,one\n", "c.csv": "a,b\n1,6\n"],
        user: "INSERT INTO p VALUES (5, 'mine'); INSERT INTO c VALUES (5, 9)",
        second: ["p.csv": "id,code\n5,five\n", "c.update.csv": "a,b,was:a,was:b\n5,9,1,6\n"],
        query: "SELECT * FROM p UNION ALL SELECT * FROM c", rows: "1|one;5|mine;1|6;5|9",
        conflicts: ["p keyTaken keepUser keptUser", "c parentTaken - skipped"]),
    ]
}
