/// UNIQUE columns that others refer to, and that change.
extension NamedCase {
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, p INTEGER UNIQUE);
    CREATE TABLE c (id INTEGER PRIMARY KEY, t TEXT REFERENCES t (u), a TEXT);
    """
  private static let first = [
    "t.csv": "id,u,p\n1,x,1\n2,y,2\n3,z,3\n", "c.csv": "id,t,a\n5,x,q\n6,y,q\n",
  ]
  private static let all =
    "SELECT id, u, p FROM t UNION ALL SELECT id, t, a FROM c ORDER BY 1"
  private static let empty = ["t.update.csv": "id,u,was:u\n1,,x\n"]
  private static let left = "1|x|1;2|y|2;3|z|3;5|x|q;6|y|q"

  private static let letters = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT COLLATE NOCASE UNIQUE);
    CREATE TABLE c (id INTEGER PRIMARY KEY, t TEXT REFERENCES t (u));
    """
  private static let inLetters = ["t.csv": "id,u\n1,one\n", "c.csv": "id,t\n5,\n"]
  private static let names = "SELECT id, u FROM t UNION ALL SELECT id, t FROM c ORDER BY 1"

  static let uniqueReferred = [
    NamedCase(
      name: "rows of two files exchange other values", schema: schema, first: first,
      second: [
        "t.a~.update.csv": "id,u,p,was:u,was:p\n1,x,2,x,1\n",
        "t.b~.update.csv": "id,u,p,was:u,was:p\n2,y,1,y,2\n",
      ], query: all, rows: "1|x|2;2|y|1;3|z|3;5|x|q;6|y|q", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "a child that goes elsewhere did not follow by itself", schema: schema, first: first,
      second: [
        "t.update.csv": "id,u,was:u\n1,w,x\n", "c.update.csv": "id,t,was:t,a,was:a\n5,z,x,r,q\n",
      ], query: all, rows: "1|w|1;2|y|2;3|z|3;5|z|r;6|y|q"),
    NamedCase(
      name: "a child that the user pointed elsewhere stays there", schema: schema, first: first,
      user: "UPDATE c SET t = 'y' WHERE id = 5",
      second: [
        "t.update.csv": "id,u,was:u\n1,w,x\n2,v,y\n", "c.update.csv": "id,t,was:t\n5,z,x\n",
      ], query: all, rows: "1|w|1;2|v|2;3|z|3;5|v|q;6|v|q",
      conflicts: ["c edited keepEdits keptUser"]),
    NamedCase(
      name: "where the seed wins, taking it back points the child to what the user had",
      schema: schema, options: #""c": {"onEdited": "preferSeed"}"#, first: first,
      user: "UPDATE c SET t = 'y' WHERE id = 5",
      second: [
        "t.update.csv": "id,u,was:u\n1,w,x\n2,v,y\n", "c.update.csv": "id,t,was:t\n5,z,x\n",
      ], query: all, rows: "1|w|1;2|v|2;3|z|3;5|z|q;6|v|q",
      conflicts: ["c edited preferSeed tookSeed"],
      leaves: "1|x|1;2|y|2;3|z|3;5|x|q;6|y|q"),
    NamedCase(
      name: "a retired child that the user edited comes back to what it referred to",
      schema: schema, options: #""c": {"onEdited": "preferSeed"}"#, first: first,
      user: "UPDATE c SET a = 'mine' WHERE id = 5",
      second: ["t.update.csv": "id,u,was:u\n1,w,x\n", "c.delete.csv": "id,t,a\n5,x,q\n"],
      query: all, rows: "1|w|1;2|y|2;3|z|3;6|y|q",
      conflicts: ["c editedRetired preferSeed tookSeed"],
      leaves: "1|x|1;2|y|2;3|z|3;5|x|q;6|y|q"),
    NamedCase(
      name: "a child that comes to refer to it has the letters of its file, others follow",
      schema: letters, first: inLetters, user: "INSERT INTO c VALUES (9, 'one')",
      second: [
        "t.update.csv": "id,u,was:u\n1,One,one\n", "c.update.csv": "id,t,was:t\n5,one,\n",
      ], query: names, rows: "1|One;5|one;9|One"),
    NamedCase(
      name: "a child in another case keeps them if only another part of the key changes",
      schema: "CREATE TABLE t (a INTEGER, b TEXT COLLATE NOCASE, PRIMARY KEY (a, b));"
        + "CREATE TABLE c (a INTEGER, b TEXT, FOREIGN KEY (a, b) REFERENCES t);",
      first: ["t.csv": "a,b\n1,m\n3,z\n"], user: "INSERT INTO c VALUES (1, 'M')",
      second: ["t.update.csv": "a,b,was:a,was:b\n2,m,1,m\n4,y,3,z\n"],
      query: "SELECT * FROM c", rows: "2|M"),
    NamedCase(
      name: "a child that comes to name the row has its new letters",
      schema: letters, first: inLetters, user: "INSERT INTO c VALUES (9, 'one')",
      second: [
        "t.update.csv": "id,u,was:u\n1,One,one\n", "c.update.csv": "id,t:t.id,was:t\n5,1,\n",
      ], query: names, rows: "1|One;5|One;9|One"),
    NamedCase(
      name: "one that a user's row refers to does not become NULL", schema: schema, first: first,
      user: "INSERT INTO c VALUES (7, 'x', NULL)",
      second: empty.merging(["c.update.csv": "id,t,was:t\n5,,x\n"]) { $1 },
      query: all, rows: "1|x|1;2|y|2;3|z|3;5|NULL|q;6|y|q;7|x|NULL",
      conflicts: ["t referenced keepEdits keptUser"], counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "nor does one that only the row's other columns could change with", schema: schema,
      first: first,
      second: ["t.update.csv": "id,u,was:u,p,was:p\n1,,x,9,1\n"], query: all,
      rows: "1|x|9;2|y|2;3|z|3;5|x|q;6|y|q", conflicts: ["t referenced keepEdits merged"],
      counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "under fail that is an error", schema: schema,
      options: #""t": {"onEdited": "fail"}"#, first: first, second: empty, query: all, rows: left,
      error:
        "The policy onEdited is 'fail', and 1 row of 't' is in conflict (referenced): {\"id\":1}"),
    NamedCase(
      name: "it does where the children go elsewhere", schema: schema, first: first,
      second: empty.merging(["c.update.csv": "id,t,was:t\n5,z,x\n"]) { $1 }, query: all,
      rows: "1|NULL|1;2|y|2;3|z|3;5|z|q;6|y|q", counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "or where they are retired", schema: schema, first: first,
      second: empty.merging(["c.delete.csv": "id,t,a\n5,x,q\n"]) { $1 }, query: all,
      rows: "1|NULL|1;2|y|2;3|z|3;6|y|q", counts: [0, 0, 1, 0, 0]),
    NamedCase(
      name: "orphans are the same in another case",
      schema: "CREATE TABLE t (k TEXT PRIMARY KEY COLLATE NOCASE, f TEXT COLLATE NOCASE);",
      options: #""t": {"references": {"t": ["f"]}}"#,
      first: ["t.csv": "k,f\na,\nb,a\nc,a\nd,\ne,d\nf,d\n"],
      user: "UPDATE t SET f = 'A' WHERE k = 'c'; UPDATE t SET f = 'D' WHERE k = 'e'; "
        + "DELETE FROM t WHERE k IN ('a', 'd')",
      second: [
        "t.update.csv": "k,f,was:f\nb,c,a\nf,c,d\n", "up.sql": "CREATE TABLE other (a);",
        "down.sql": "DROP TABLE other;",
      ], rows: "b|c;c|A;e|D;f|c", goesBack: false),
  ]
}
