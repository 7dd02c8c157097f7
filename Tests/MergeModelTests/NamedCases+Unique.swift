/// UNIQUE values that pass from one row of a release to another.
extension NamedCase {
  private static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE);"
  private static let letters = ["t.csv": "id,u\n1,x\n2,y\n3,z\n"]
  private static let swap = ["t.update.csv": "id,u,was:u\n1,y,x\n2,x,y\n"]
  private static let tree =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, p INTEGER REFERENCES t);"

  static let unique = [
    NamedCase(
      name: "two rows exchange their values", schema: schema, first: letters, second: swap,
      rows: "1|y;2|x;3|z", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "three rows exchange values that must not be NULL, short and checked",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, "
        + "u TEXT NOT NULL UNIQUE CHECK (length(u) = 1)) STRICT;",
      first: letters, second: ["t.update.csv": "id,u,was:u\n1,y,x\n2,z,y\n3,x,z\n"],
      rows: "1|y;2|z;3|x", counts: [0, 3, 0, 0, 0]),
    NamedCase(
      name: "rows that move up by one place for a new one",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, "
        + "place INTEGER NOT NULL UNIQUE CHECK (place > 0));",
      first: ["t.csv": "id,place\n1,1\n2,2\n3,3\n"],
      second: [
        "t.update.csv": "id,place,was:place\n1,2,1\n2,3,2\n3,4,3\n", "t.csv": "id,place\n4,1\n",
      ], rows: "1|2;2|3;3|4;4|1", counts: [1, 3, 0, 0, 0]),
    NamedCase(
      name: "rows that move up by one place where the user's stands in the way",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, place INTEGER UNIQUE);",
      first: ["t.csv": "id,place\n1,1\n2,2\n"], user: "INSERT INTO t VALUES (9, 3)",
      second: ["t.update.csv": "id,place,was:place\n1,2,1\n2,3,2\n"], rows: "1|1;2|2;9|3",
      conflicts: Array(repeating: "t uniqueTaken keepUser keptUser", count: 2),
      counts: [0, 0, 0, 0, 2]),
    NamedCase(
      name: "an exchange with a row that the user edited", schema: schema, first: letters,
      user: "UPDATE t SET u = 'mine' WHERE id = 1", second: swap, rows: "1|mine;2|x;3|z",
      conflicts: ["t edited keepEdits keptUser"]),
    NamedCase(
      name: "an exchange over an index of a part of the table",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, live DEFAULT 1); "
        + "CREATE UNIQUE INDEX i ON t (u) WHERE live;",
      first: letters, second: swap, rows: "1|y|1;2|x|1;3|z|1", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "an exchange over several indexes at once",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER UNIQUE, "
        + "c REAL NOT NULL, UNIQUE (a, c));",
      first: ["t.csv": "id,a,b,c\n1,x,1,1.5\n2,y,2,2.5\n"],
      second: [
        "t.update.csv":
          "id,a,b,c,was:a,was:b,was:c\n1,y,2,2.5,x,1,1.5\n2,x,1,1.5,y,2,2.5\n"
      ], rows: "1|y|2|2.5;2|x|1|1.5", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "an exchange whose new values do not go with what the user has",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER UNIQUE, b INTEGER, "
        + "CHECK (a <= b));",
      first: ["t.csv": "id,a,b\n1,1,9\n2,2,9\n"], user: "UPDATE t SET b = 1 WHERE id = 1",
      second: ["t.update.csv": "id,a,was:a\n1,2,1\n2,1,2\n"], rows: "1|1|1;2|2|9",
      conflicts: ["t edited keepEdits keptUser", "t uniqueTaken keepUser keptUser"],
      counts: [0, 0, 0, 0, 2]),
    NamedCase(
      name: "a row that waits for a value comes to refer to a retired one",
      schema: "CREATE TABLE p (a INTEGER, b INTEGER, PRIMARY KEY (a, b));"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, u TEXT UNIQUE, a INTEGER, b INTEGER, "
        + "FOREIGN KEY (a, b) REFERENCES p);",
      first: [
        "p.csv": "a,b\n1,1\n1,2\n2,1\n2,2\n", "c.csv": "id,u,a,b\n5,x,1,1\n6,y,1,1\n",
      ],
      user: "UPDATE c SET a = 2 WHERE id = 5",
      second: [
        "p.delete.csv": "a,b\n2,2\n",
        "c.update.csv": "id,u,b,was:u,was:b\n5,y,2,x,1\n6,x,1,y,1\n",
      ], query: "SELECT a, b FROM p UNION ALL SELECT id, u || a || b FROM c",
      rows: "1|1;1|2;2|1;2|2;5|y22;6|x11", conflicts: ["p referenced keepEdits keptUser"]),
    NamedCase(
      name: "a row that waited in vain lets go of a retired one, whose value a new row takes",
      schema: tree,
      first: ["t.csv": "id,u,p\n1,a,\n2,b,\n3,c,2\n"], user: "INSERT INTO t VALUES (9, 'x', 1)",
      second: [
        "t.update.csv": "id,u,p,was:u,was:p\n3,a,4,c,2\n",
        "t.delete.csv": "id,u,p\n1,a,\n2,b,\n", "t.csv": "id,u,p\n4,b,\n",
      ], rows: "1|a|NULL;3|c|4;4|b|NULL;9|x|1",
      conflicts: ["t uniqueTaken keepUser merged", "t referenced keepEdits keptUser"]),
    NamedCase(
      name: "a new row takes the value of a row that moves to a new parent", schema: tree,
      first: ["t.csv": "id,u,p\n1,x,\n"],
      second: ["t.update.csv": "id,u,p,was:u,was:p\n1,y,2,x,\n", "t.csv": "id,u,p\n2,z,\n3,x,\n"],
      rows: "1|y|2;2|z|NULL;3|x|NULL", counts: [2, 1, 0, 0, 0]),
    NamedCase(
      name: "a row takes the value of the retired parent that it leaves", schema: tree,
      first: ["t.csv": "id,u,p\n1,x,\n2,y,1\n3,z,\n"],
      second: [
        "t.update.csv": "id,u,p,was:u,was:p\n2,x,3,y,1\n", "t.delete.csv": "id,u,p\n1,x,\n",
      ],
      rows: "2|x|3;3|z|NULL", counts: [0, 1, 1, 0, 0]),
    NamedCase(
      name: "a new row takes the value of the retired one whose children it takes over",
      schema: tree, first: ["t.csv": "id,u,p\n1,x,\n2,y,1\n"],
      second: [
        "t.update.csv": "id,p,was:p\n2,3,1\n", "t.delete.csv": "id,u,p\n1,x,\n",
        "t.csv": "id,u,p\n3,x,\n",
      ], rows: "2|y|3;3|x|NULL", counts: [1, 1, 1, 0, 0]),
    NamedCase(
      name: "the retired parent stays for the user's child, and so does its value", schema: tree,
      first: ["t.csv": "id,u,p\n1,x,\n2,y,1\n3,z,\n"], user: "INSERT INTO t VALUES (9, 'u', 1)",
      second: [
        "t.update.csv": "id,u,p,was:u,was:p\n2,x,3,y,1\n", "t.delete.csv": "id,u,p\n1,x,\n",
      ],
      rows: "1|x|NULL;2|y|3;3|z|NULL;9|u|1",
      conflicts: ["t uniqueTaken keepUser merged", "t referenced keepEdits keptUser"]),
    NamedCase(
      name: "the place of the new parent is the user's", schema: tree,
      first: ["t.csv": "id,u,p\n1,x,\n"], user: "INSERT INTO t VALUES (2, 'mine', NULL)",
      second: ["t.update.csv": "id,u,p,was:u,was:p\n1,y,2,x,\n", "t.csv": "id,u,p\n2,z,\n3,x,\n"],
      rows: "1|y|NULL;2|mine|NULL;3|x|NULL",
      conflicts: ["t parentTaken - skipped", "t keyTaken keepUser keptUser"]),
    NamedCase(
      name: "the value of the new parent is the user's", schema: tree,
      first: ["t.csv": "id,u,p\n1,x,\n"], user: "INSERT INTO t VALUES (9, 'z', NULL)",
      second: ["t.update.csv": "id,u,p,was:u,was:p\n1,y,2,x,\n", "t.csv": "id,u,p\n2,z,\n"],
      rows: "1|y|NULL;9|z|NULL",
      conflicts: ["t parentDeleted - skipped", "t uniqueTaken keepUser keptUser"]),
    NamedCase(
      name: "the value is the user's, and other rows come",
      schema: "CREATE TABLE t (id TEXT PRIMARY KEY, f TEXT UNIQUE REFERENCES t, note TEXT);",
      first: ["t.csv": "id,f\nd,\ng,d\ne,g\n"], user: "UPDATE t SET note = 'mine' WHERE id = 'g'",
      second: [
        "t.update.csv": "id,f,was:f\ne,d,g\n", "t.delete.csv": "id,f\ng,d\n",
        "t.csv": "id,f\nz,\n",
      ],
      rows: "d|NULL|NULL;e|g|NULL;g|d|mine;z|NULL|NULL",
      conflicts: ["t editedRetired keepEdits keptUser", "t uniqueTaken keepUser keptUser"]),
  ]
}
