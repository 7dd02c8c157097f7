/// Keys that pass from row to row while users delete, edit and refer.
extension NamedCase {
  private static let schema =
    "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT, low INTEGER, high INTEGER,"
    + " CHECK (low <= high));"
    + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);"
  private static let parents = ["p.csv": "id,code\n1,one\n2,two\n3,three\n"]
  private static let all = "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', id, p FROM c"

  private static let parts =
    "CREATE TABLE p (id INTEGER PRIMARY KEY);"
    + "CREATE TABLE c (p INTEGER REFERENCES p, n INTEGER, a TEXT, PRIMARY KEY (p, n));"
  private static let allParts =
    "SELECT 'p', id, '' FROM p UNION ALL SELECT p, n, a FROM c ORDER BY 1, 2"
  private static let firstParts = [
    "p.csv": "id\n1\n2\n3\n", "c.csv": "p,n,a\n1,1,x\n2,1,y\n2,2,z\n",
  ]

  static let keysPassed = deletedOrEdited + sameCase + inParts

  private static let deletedOrEdited = [
    NamedCase(
      name: "what the user deleted is not the row that has its key now", schema: schema,
      first: parents, user: "DELETE FROM p WHERE id = 2",
      second: [
        "p.update.csv": "id,code,was:id,was:code\n2,ONE,1,one\n3,TWO,2,two\n4,three,3,three\n"
      ],
      query: all, rows: "p|2|ONE;p|4|three", conflicts: ["p deletedByUser - keptUser"],
      counts: [0, 2, 0, 0, 1]),
    NamedCase(
      name: "a row that is about to move is not there already", schema: schema,
      first: parents, user: "DELETE FROM p WHERE id = 1",
      second: ["p.update.csv": "id,was:id\n2,1\n4,2\n"], query: all, rows: "p|3|three;p|4|two",
      conflicts: ["p deletedByUser - keptUser"], counts: [0, 1, 0, 0, 1],
      inverse: "p|2|two;p|3|three"),
    NamedCase(
      name: "where a chain stops, all other columns are merged", schema: schema, first: parents,
      user: "INSERT INTO p VALUES (4, 'mine', 0, 0)",
      second: ["p.update.csv": "id,code,was:id,was:code\n3,TWO,2,two\n4,THREE,3,three\n"],
      query: all, rows: "p|1|one;p|2|TWO;p|3|THREE;p|4|mine",
      conflicts: ["p keyTaken keepUser merged", "p keyTaken keepUser merged"],
      counts: [0, 2, 0, 0, 0], inverse: "p|1|one;p|2|TWO;p|3|THREE;p|4|mine"),
    NamedCase(
      name: "a row that breaks a rule stays as a whole, and keeps its key", schema: schema,
      first: ["p.csv": "id,code,low,high\n1,one,1,2\n"], user: "UPDATE p SET low = 2",
      second: ["p.update.csv": "id,high,was:id,was:high\n7,1,1,2\n"], query: "SELECT * FROM p",
      rows: "1|one|2|2", conflicts: ["p edited keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "it keeps its key though others of its file get theirs", schema: schema,
      first: ["p.csv": "id,code,low,high\n1,one,1,2\n2,two,1,2\n"],
      user: "UPDATE p SET low = 2 WHERE id = 1",
      second: ["p.update.csv": "id,high,was:id,was:high\n7,1,1,2\n8,1,2,2\n"],
      query: "SELECT * FROM p", rows: "1|one|2|2;8|two|1|1",
      conflicts: ["p edited keepEdits keptUser"], counts: [0, 1, 0, 0, 1]),
    NamedCase(
      name: "under keepRow it keeps its key", schema: schema,
      options: "\"p\": {\"onEdited\": \"keepRow\"}",
      first: ["p.csv": "id,code,low,high\n1,one,1,2\n"], user: "UPDATE p SET low = 2",
      second: ["p.update.csv": "id,high,was:id,was:high\n7,1,1,2\n"], query: "SELECT * FROM p",
      rows: "1|one|2|2", conflicts: ["p edited keepRow keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "an edited row that keeps its key under keepRow fails nothing", schema: schema,
      options: "\"p\": {\"onEdited\": \"keepRow\", \"onTaken\": \"fail\"}", first: parents,
      user: "UPDATE p SET code = 'mine' WHERE id = 1; INSERT INTO p VALUES (7, 'own', 0, 0)",
      second: ["p.update.csv": "id,code,was:id,was:code\n7,ONE,1,one\n"], query: all,
      rows: "p|1|mine;p|2|two;p|3|three;p|7|own", conflicts: ["p edited keepRow keptUser"],
      counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "a key that cannot follow fails where edits do",
      schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT);"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p CHECK (p < 9));",
      options: "\"p\": {\"onEdited\": \"fail\"}", first: parents,
      user: "INSERT INTO c VALUES (8, 1)", second: ["p.update.csv": "id,was:id\n10,1\n"],
      query: all, rows: "", error: "referenced"),
  ]

  private static let sameCase = [
    NamedCase(
      name: "a key that the user has in its new case already",
      schema: "CREATE TABLE t (id TEXT COLLATE NOCASE PRIMARY KEY, a TEXT);",
      first: ["t.csv": "id,a\naa,x\n"], user: "UPDATE t SET id = 'AA'",
      second: ["t.update.csv": "id,was:id\nAA,aa\n"], rows: "AA|x", counts: [0, 0, 0, 1, 0],
      leaves: "aa|x")
  ]

  private static let inParts = [
    NamedCase(
      name: "a key changes in another part than the one that refers to a row that is gone",
      schema: parts, first: firstParts, user: "DELETE FROM p WHERE id = 1",
      second: ["c.update.csv": "p,n,was:n\n1,3,1\n"], query: allParts,
      rows: "1|3|x;2|1|y;2|2|z;p|2|;p|3|", counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "a new key whose parent the user deleted", schema: parts, first: firstParts,
      user: "DELETE FROM p WHERE id = 3",
      second: ["c.update.csv": "p,n,a,was:p,was:a\n3,1,X,1,x\n"], query: allParts,
      rows: "1|1|X;2|1|y;2|2|z;p|1|;p|2|", conflicts: ["c parentDeleted - skipped"],
      counts: [0, 1, 0, 0, 0], inverse: "1|1|X;2|1|y;2|2|z;p|1|;p|2|"),
    NamedCase(
      name: "a new key whose parent ships in the same release", schema: parts, first: firstParts,
      second: ["c.update.csv": "p,n,was:p\n4,1,1\n", "p.csv": "id\n4\n"], query: allParts,
      rows: "2|1|y;2|2|z;4|1|x;p|1|;p|2|;p|3|;p|4|"),
    NamedCase(
      name: "a new key whose parent turns out to be the user's",
      schema: "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT);"
        + "CREATE TABLE c (p INTEGER REFERENCES p, n INTEGER, a TEXT, PRIMARY KEY (p, n));",
      first: firstParts, user: "INSERT INTO p VALUES (4, 'mine')",
      second: ["c.update.csv": "p,n,was:p\n4,1,1\n", "p.csv": "id,a\n4,new\n"], query: allParts,
      rows: "1|1|x;2|1|y;2|2|z;p|1|;p|2|;p|3|;p|4|",
      conflicts: ["c parentTaken - skipped", "p keyTaken keepUser keptUser"]),
  ]
}
