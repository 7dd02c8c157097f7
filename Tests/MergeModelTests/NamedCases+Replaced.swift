/// Users' rows that take the seed's values, and get their own back with `down`.
extension NamedCase {
  private static let family =
    "CREATE TABLE p (id INTEGER PRIMARY KEY, u TEXT UNIQUE);"
    + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON DELETE RESTRICT);"
  private static let tree =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, p INTEGER REFERENCES t);"
  private static let named =
    "CREATE TABLE p (id INTEGER PRIMARY KEY, u TEXT UNIQUE COLLATE NOCASE);"
    + "CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (u));"
  private static let byValue =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, p TEXT REFERENCES t (u));"
  private static let both =
    "SELECT 'p', id, u FROM p UNION ALL SELECT 'c', id, p FROM c ORDER BY 1, 2"
  private static let replaces = "\"onTaken\": \"replaceUser\""

  /// What the user does between a release and its inverse.
  static let since = [
    NamedCase(
      name: "a row that keepRow left gets the seed's value from the user",
      options: "\"t\": {\"onEdited\": \"keepRow\"}", user: "UPDATE t SET a = 'mine'",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,new,NEW,x,y\n"], rows: "1|mine|y",
      conflicts: ["t edited keepRow keptUser"], since: "UPDATE t SET b = 'NEW'",
      leaves: "1|mine|NEW", inverse: "1|mine|y"),
    NamedCase(
      name: "a value that was held gets free for the user",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);",
      first: ["t.csv": "id,a\n1,x\n"], user: "INSERT INTO t VALUES (7, 'new')",
      second: ["t.update.csv": "id,a,was:a\n1,new,x\n"], rows: "1|x;7|new",
      conflicts: ["t uniqueTaken keepUser keptUser"],
      since: "DELETE FROM t WHERE id = 7; UPDATE t SET a = 'new'", leaves: "1|new", inverse: "1|x"),
    NamedCase(
      name: "an edit stays",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,new,NEW,x,y\n"], rows: "1|new|NEW",
      since: "UPDATE t SET a = 'mine'", leaves: "1|mine|y"),
    NamedCase(
      name: "an edited new row stays", second: ["t.csv": "id,a\n2,z\n"], rows: "1|x|y;2|z|NULL",
      since: "UPDATE t SET b = 'note' WHERE id = 2", leaves: "1|x|y;2|z|note"),
    NamedCase(
      name: "a row that the user deleted stays deleted",
      second: ["t.update.csv": "id,a,was:a\n1,new,x\n"], rows: "1|new|y",
      since: "DELETE FROM t", leaves: ""),
    NamedCase(
      name: "a retired row's key is the user's by now",
      second: ["t.delete.csv": "id,a,b\n1,x,y\n"], rows: "",
      since: "INSERT INTO t VALUES (1, 'u', 'v')", leaves: "1|u|v"),
    NamedCase(
      name: "a retired parent's key is the user's by now", schema: family,
      first: ["p.csv": "id,u\n1,x\n2,y\n", "c.csv": "id,p\n5,2\n"],
      second: ["c.delete.csv": "id,p\n5,2\n", "p.delete.csv": "id,u\n2,y\n"], query: both,
      rows: "p|1|x", since: "INSERT INTO p VALUES (2, 'mine')", leaves: "p|1|x;p|2|mine"),
    NamedCase(
      name: "the parent of a replaced row is gone", schema: family,
      options: "\"c\": {\(replaces)}", first: ["p.csv": "id,u\n1,x\n2,y\n"],
      user: "INSERT INTO c VALUES (5, 1)", second: ["c.csv": "id,p\n5,2\n"], query: both,
      rows: "c|5|2;p|1|x;p|2|y", conflicts: ["c keyTaken replaceUser tookSeed"],
      since: "DELETE FROM p WHERE id = 1", leaves: "c|5|2;p|2|y", inverse: "p|2|y"),
  ]

  static let replaced = taking + held

  private static let taking = [
    NamedCase(
      name: "users' rows exchange UNIQUE values as they take the seed's",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);",
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,a\n1,x\n"],
      user: "INSERT INTO t VALUES (2, 'q'), (3, 'p')", second: ["t.csv": "id,a\n2,p\n3,q\n"],
      rows: "1|x;2|p;3|q",
      conflicts: Array(repeating: "t keyTaken replaceUser tookSeed", count: 2), inverse: "1|x"),
    // SQLite takes a row that refers to itself in another case for one that refers to nothing, and
    // refuses the COMMIT.
    NamedCase(
      name: "half of a reference does not make a row refer to itself in another case",
      schema: "CREATE TABLE t (a INTEGER, b TEXT COLLATE NOCASE, c INTEGER, d TEXT, "
        + "PRIMARY KEY (a, b), FOREIGN KEY (c, d) REFERENCES t (a, b));",
      first: ["t.csv": "a,b,c,d\n8,i,,\n"],
      user: "UPDATE t SET d = 'I'", second: ["t.update.csv": "a,b,c,was:c\n8,i,8,\n"],
      rows: "8|i|NULL|I", conflicts: ["t parentTaken - skipped"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "a replaced row is all that refers to a new one", schema: family,
      options: "\"c\": {\(replaces)}", first: ["p.csv": "id,u\n1,x\n"],
      user: "INSERT INTO c VALUES (5, 1)",
      second: ["p.csv": "id,u\n2,y\n", "c.csv": "id,p\n5,2\n"],
      query: both, rows: "c|5|2;p|1|x;p|2|y", conflicts: ["c keyTaken replaceUser tookSeed"],
      inverse: "p|1|x"),
    NamedCase(
      name: "a replaced row refers to the value that it gives up",
      schema: byValue,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n2,y,\n"],
      user: "UPDATE t SET id = 3 WHERE id = 2", second: ["t.csv": "id,u,p\n3,z,y\n"],
      rows: "1|x|NULL;3|y|NULL", conflicts: ["t keyTaken replaceUser keptUser"]),
    NamedCase(
      name: "a user's row that others refer to by what the seed would change stays",
      schema: named, options: "\"p\": {\(replaces)}", first: ["p.csv": "id,u\n1,x\n"],
      user: "INSERT INTO p VALUES (5, 'y'); INSERT INTO c VALUES (9, 'Y')",
      second: ["p.csv": "id,u\n5,z\n"],
      query: "SELECT id, u FROM p UNION ALL SELECT id, p FROM c", rows: "1|x;5|y;9|Y",
      conflicts: ["p keyTaken replaceUser keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "a row that was not replaced after all holds the value of a new one", schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, 'c', NULL), (6, 'b', 1), (7, 'q', 6), (8, 'r', 5)",
      second: ["t.csv": "id,u,p\n4,c,\n5,b,\n"],
      rows: "1|x|NULL;5|c|NULL;6|b|1;7|q|6;8|r|5",
      conflicts: ["t uniqueTaken replaceUser keptUser", "t keyTaken replaceUser keptUser"],
      counts: [0, 0, 0, 0, 2]),
    NamedCase(
      name: "a row takes the value that a row of a later file frees", schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, 'c', NULL), (6, 'd', 5)",
      second: ["t.a~.csv": "id,u,p\n4,c,\n", "t.b~.csv": "id,u,p\n5,b,\n"],
      rows: "1|x|NULL;4|c|NULL;5|b|NULL;6|d|5",
      conflicts: ["t keyTaken replaceUser tookSeed"], counts: [1, 1, 0, 0, 0],
      inverse: "1|x|NULL;5|b|NULL;6|d|5"),
    NamedCase(
      name: "a row that stays the user's is no parent, and keeps its value from a new one",
      schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, 'c', NULL), (6, 'd', NULL), (8, 'e', NULL)",
      second: ["t.csv": "id,u,p\n4,c,\n5,f,6\n6,e,\n7,,5\n"],
      rows: "1|x|NULL;5|c|NULL;6|d|NULL;8|e|NULL",
      conflicts: [
        "t uniqueTaken replaceUser keptUser", "t parentTaken - skipped",
        "t keyTaken replaceUser keptUser", "t keyTaken replaceUser keptUser",
      ]),
    NamedCase(
      name: "a new row cannot refer to what a replaced one gives up", schema: byValue,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, 'y', NULL)", second: ["t.csv": "id,u,p\n5,z,\n6,w,y\n"],
      rows: "1|x|NULL;5|z|NULL",
      conflicts: ["t parentTaken - skipped", "t keyTaken replaceUser tookSeed"],
      counts: [0, 1, 0, 0, 1], inverse: "1|x|NULL"),
    NamedCase(
      name: "a new row holds the value of the replaced one that refers to it",
      schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, 'y', 1)", second: ["t.csv": "id,u,p\n5,z,6\n6,y,\n"],
      rows: "1|x|NULL;5|z|6;6|y|NULL", conflicts: ["t keyTaken replaceUser tookSeed"],
      inverse: "1|x|NULL"),
    NamedCase(
      name: "an update takes the value of a new row that a replaced one refers to",
      schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, NULL, 1)",
      second: ["t.update.csv": "id,u,was:u\n1,y,x\n", "t.csv": "id,u,p\n5,,6\n6,x,\n"],
      rows: "1|y|NULL;5|NULL|6;6|x|NULL", conflicts: ["t keyTaken replaceUser tookSeed"],
      inverse: "1|x|NULL"),
    NamedCase(
      name: "a value of the user's that another of their rows holds, in one order of the file",
      schema: tree, options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: chain, second: ["t.csv": "id,u,p\n4,c,\n5,d,\n6,e,\n"],
      rows: "1|x|NULL;4|c|NULL;5|d|NULL;6|e|NULL",
      conflicts: Array(repeating: "t keyTaken replaceUser tookSeed", count: 3),
      inverse: "1|x|NULL"),
    NamedCase(
      name: "and in the other, over two files", schema: tree, options: "\"t\": {\(replaces)}",
      first: ["t.csv": "id,u,p\n1,x,\n"], user: chain,
      second: ["t.a~.csv": "id,u,p\n6,e,\n5,d,\n", "t.b~.csv": "id,u,p\n4,c,\n"],
      rows: "1|x|NULL;4|c|NULL;5|d|NULL;6|e|NULL",
      conflicts: Array(repeating: "t keyTaken replaceUser tookSeed", count: 3),
      inverse: "1|x|NULL"),
  ]

  private static let chain = "INSERT INTO t VALUES (4, 'b', 1), (5, 'c', 1), (6, 'd', 1)"

  /// A row that holds a UNIQUE value of the seed's stays, whoever made it.
  private static let held = [
    NamedCase(
      name: "a seed's row with the user's value stays, and all that the user did to it",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT UNIQUE, m TEXT, fav INT DEFAULT 0);",
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,n,m\n1,one,old\n"],
      user: "UPDATE t SET n = 'nine', fav = 1",
      second: ["t.update.csv": "id,m,was:m\n1,new,old\n", "t.csv": "id,n,m\n9,nine,x\n"],
      rows: "1|nine|new|1", conflicts: ["t uniqueTaken replaceUser keptUser"],
      counts: [0, 1, 0, 0, 1]),
    NamedCase(
      name: "two of the user's rows hold values of a new one, and something refers to one",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT UNIQUE);"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t);",
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,a,b\n1,x,y\n"],
      user: "INSERT INTO t VALUES (100, 'z', 'q'), (101, 'p', 'w'); INSERT INTO c VALUES (1, 101)",
      second: ["t.csv": "id,a,b\n2,p,q\n"], rows: "1|x|y;100|z|q;101|p|w",
      conflicts: ["t uniqueTaken replaceUser keptUser"]),
    NamedCase(
      name: "a new row refers to a seed's row with the user's value",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE);"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER NOT NULL REFERENCES t);",
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,a\n1,x\n"],
      user: "UPDATE t SET a = 'p'", second: ["t.csv": "id,a\n2,p\n", "c.csv": "id,t\n1,1\n"],
      query: "SELECT 't', id, a FROM t UNION ALL SELECT 'c', id, t FROM c", rows: "t|1|p;c|1|1",
      conflicts: ["t uniqueTaken replaceUser keptUser"]),
  ]
}
