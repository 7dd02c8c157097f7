extension NamedCase {
  private static func family(_ action: String, parent: String = "id") -> String {
    "CREATE TABLE p (id INTEGER PRIMARY KEY, code TEXT UNIQUE);"
      + "CREATE TABLE c (id INTEGER PRIMARY KEY, "
      + "p \(parent == "id" ? "INTEGER" : "TEXT") DEFAULT NULL REFERENCES p (\(parent)) \(action));"
  }

  private static let parents = ["p.csv": "id,code\n1,one\n2,two\n"]
  private static let retire = ["p.delete.csv": "id,code\n1,one\n"]
  private static let all = "SELECT 'p', id, code FROM p UNION ALL SELECT 'c', id, p FROM c"

  /// A user's child keeps its parent, whatever the key says.
  private static let actions = [
    "ON DELETE CASCADE", "ON DELETE SET NULL", "ON DELETE SET DEFAULT", "ON DELETE RESTRICT",
    "ON DELETE NO ACTION", "",
  ].flatMap { action in
    [
      NamedCase(
        name: "a user's child keeps its parent: \(action)", schema: family(action),
        first: parents, user: "INSERT INTO c VALUES (9, 1)", second: retire, query: all,
        rows: "p|1|one;p|2|two;c|9|1", conflicts: ["p referenced keepEdits keptUser"]),
      NamedCase(
        name: "parent and child retired together: \(action)", schema: family(action),
        first: ["p.csv": "id,code\n1,one\n2,two\n", "c.csv": "id,p\n5,1\n"],
        second: ["p.delete.csv": "id,code\n1,one\n", "c.delete.csv": "id,p\n5,1\n"], query: all,
        rows: "p|2|two"),
    ]
  }

  static let keys =
    actions + [
      NamedCase(
        name: "referenced under preferSeed all the same", schema: family("ON DELETE CASCADE"),
        options: "\"p\": {\"onEdited\": \"preferSeed\"}", first: parents,
        user: "UPDATE p SET code = 'mine' WHERE id = 1; INSERT INTO c VALUES (9, 1)",
        second: retire, query: all, rows: "p|1|mine;p|2|two;c|9|1",
        conflicts: ["p referenced preferSeed keptUser"]),
      NamedCase(
        name: "repoint, then retire", schema: family("ON DELETE RESTRICT"),
        first: ["p.csv": "id,code\n1,one\n2,two\n", "c.csv": "id,p\n5,1\n"],
        second: ["c.update.csv": "id,p,was:p\n5,2,1\n", "p.delete.csv": "id,code\n1,one\n"],
        query: all, rows: "p|2|two;c|5|2"),
      NamedCase(
        name: "repoint to a new row, then retire", schema: family("ON DELETE CASCADE"),
        first: ["p.csv": "id,code\n1,one\n2,two\n", "c.csv": "id,p\n5,1\n"],
        second: [
          "c.update.csv": "id,p,was:p\n5,3,1\n", "p.delete.csv": "id,code\n1,one\n",
          "p.csv": "id,code\n3,three\n",
        ], query: all, rows: "p|2|two;p|3|three;c|5|3"),
      NamedCase(
        name: "a parent whose child is kept is kept", schema: family("ON DELETE CASCADE"),
        first: ["p.csv": "id,code\n1,one\n2,two\n", "c.csv": "id,p\n5,1\n"],
        user: "UPDATE c SET id = 5; ALTER TABLE c ADD COLUMN note TEXT; UPDATE c SET note = 'n'",
        second: ["p.delete.csv": "id,code\n1,one\n", "c.delete.csv": "id,p\n5,1\n"], query: all,
        rows: "p|1|one;p|2|two;c|5|1",
        conflicts: ["c editedRetired keepEdits keptUser", "p referenced keepEdits keptUser"]),
      NamedCase(
        name: "the user deleted the parent", schema: family(""), first: parents,
        user: "DELETE FROM p WHERE id = 1", second: ["c.csv": "id,p\n5,1\n6,2\n"], query: all,
        rows: "p|2|two;c|6|2", conflicts: ["c parentDeleted - skipped"]),
      NamedCase(
        name: "the parent's key is the user's", schema: family(""), first: parents,
        user: "INSERT INTO p VALUES (3, 'mine')",
        second: ["p.csv": "id,code\n3,three\n", "c.csv": "id,p\n5,3\n"], query: all,
        rows: "p|1|one;p|2|two;p|3|mine",
        conflicts: ["p keyTaken keepUser keptUser", "c parentTaken - skipped"]),
      NamedCase(
        name: "a key on a UNIQUE column", schema: family("ON DELETE CASCADE", parent: "code"),
        first: parents, user: "INSERT INTO c VALUES (9, 'one')", second: retire, query: all,
        rows: "p|1|one;p|2|two;c|9|one", conflicts: ["p referenced keepEdits keptUser"]),
      NamedCase(
        name: "a tree retired from a leaf that the user hung on",
        schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, "
          + "p INTEGER REFERENCES t ON DELETE CASCADE);",
        first: ["t.csv": "id,p\n1,\n2,1\n3,2\n4,1\n"], user: "INSERT INTO t VALUES (9, 3)",
        second: ["t.delete.csv": "id,p\n1,\n2,1\n3,2\n4,1\n"], rows: "1|NULL;2|1;3|2;9|3",
        conflicts: Array(repeating: "t referenced keepEdits keptUser", count: 3)),
      NamedCase(
        name: "two tables that refer to each other, retired",
        schema: "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER REFERENCES b);"
          + "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a);",
        first: ["a.csv": "id,b\n1,1\n", "b.csv": "id,a\n1,1\n"],
        second: ["a.delete.csv": "id,b\n1,1\n", "b.delete.csv": "id,a\n1,1\n"],
        query: "SELECT * FROM a UNION ALL SELECT * FROM b", rows: ""),
      NamedCase(
        name: "an old orphan in a tree that an update touches",
        schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, p INTEGER REFERENCES t);",
        first: ["t.csv": "id,a,p\n1,x,\n2,y,1\n"],
        user: "PRAGMA foreign_keys = 0; DELETE FROM t WHERE id = 1",
        second: ["t.update.csv": "id,a,was:a\n2,new,y\n"], rows: "2|new|1",
        counts: [0, 1, 0, 0, 0]),
    ]
}
