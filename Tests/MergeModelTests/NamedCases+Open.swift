/// What MERGE says of keys, and the engine does not do yet.
extension NamedCase {
  static let openKeys = [
    NamedCase(
      name: "a key in a delete and an insert file of one migration is refused",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); "
        + "CREATE TABLE k (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));",
      first: ["t.csv": "id,a\n1,one\n2,two\n", "k.csv": "id,t\n10,1\n"],
      second: [
        "t.delete.csv": "id,a\n2,two\n", "t.csv": "id,a\n2,zwei\n",
        "k.update.csv": "id,t,was:t\n10,2,1\n",
      ], rows: "", error: "t.delete.csv:2"),
    NamedCase(
      name: "a key is the seed's again once a release brings it as it is",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, fav INTEGER DEFAULT 0);",
      first: ["t.csv": "id,a\n1,x\n"], user: "UPDATE t SET fav = 1",
      second: ["t.delete.csv": "id,a\n1,x\n"], rows: "1|x|1",
      conflicts: ["t editedRetired keepEdits keptUser"], leaves: "1|new|1",
      then: [["t.csv": "id,a\n1,x\n"], ["t.update.csv": "id,a,was:a\n1,new,x\n"]]),
    NamedCase(
      name: "what a user makes under a key whose deletion was seen is theirs",
      schema: "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT);",
      first: ["t.csv": "id,a\ncat,x\n"], user: "DELETE FROM t",
      second: ["t.update.csv": "id,a,was:a\ncat,y,x\n"], rows: "",
      conflicts: ["t deletedByUser - keptUser"], since: "INSERT INTO t VALUES ('cat', 'y')",
      leaves: "cat|y", then: [["t.delete.csv": "id,a\ncat,y\n"]]),
  ]
}
