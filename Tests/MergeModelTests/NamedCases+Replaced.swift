/// Rows of users that took the seed's values, and get their own back with `down`.
extension NamedCase {
  private static let family =
    "CREATE TABLE p (id INTEGER PRIMARY KEY, u TEXT UNIQUE);"
    + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p ON DELETE RESTRICT);"
  private static let tree =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, p INTEGER REFERENCES t);"
  private static let both =
    "SELECT 'p', id, u FROM p UNION ALL SELECT 'c', id, p FROM c ORDER BY 1, 2"
  private static let replaces = "\"onTaken\": \"replaceUser\""

  static let replaced = [
    NamedCase(
      name: "a replaced row is all that refers to a new one", schema: family,
      options: "\"c\": {\(replaces)}", first: ["p.csv": "id,u\n1,x\n"],
      user: "INSERT INTO c VALUES (5, 1)",
      second: ["p.csv": "id,u\n2,y\n", "c.csv": "id,p\n5,2\n"],
      query: both, rows: "c|5|2;p|1|x;p|2|y", conflicts: ["c keyTaken replaceUser tookSeed"]),
    NamedCase(
      name: "a new row holds the value of the replaced one that refers to it",
      schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, 'y', 1)", second: ["t.csv": "id,u,p\n5,z,6\n6,y,\n"],
      rows: "1|x|NULL;5|z|6;6|y|NULL", conflicts: ["t keyTaken replaceUser tookSeed"]),
    NamedCase(
      name: "an update takes the value of a new row that a replaced one refers to",
      schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (5, NULL, 1)",
      second: ["t.update.csv": "id,u,was:u\n1,y,x\n", "t.csv": "id,u,p\n5,,6\n6,x,\n"],
      rows: "1|y|NULL;5|NULL|6;6|x|NULL", conflicts: ["t keyTaken replaceUser tookSeed"]),
    NamedCase(
      name: "a removed row comes back before the replaced one that refers to it", schema: tree,
      options: "\"t\": {\(replaces)}", first: ["t.csv": "id,u,p\n1,x,\n"],
      user: "INSERT INTO t VALUES (7, 'y', NULL); INSERT INTO t VALUES (5, NULL, 7)",
      second: ["t.csv": "id,u,p\n5,,1\n2,y,\n"], rows: "1|x|NULL;2|y|NULL;5|NULL|1",
      conflicts: ["t keyTaken replaceUser tookSeed", "t uniqueTaken replaceUser tookSeed"]),
  ]
}
