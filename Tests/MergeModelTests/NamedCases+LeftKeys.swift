/// Keys that were left to the user: when an entry begins, what it decides, and when it ends.
extension NamedCase {
  private static let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, fav INTEGER);"
  private static let family =
    "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT, fav INTEGER); "
    + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id));"
  private static let one = ["t.csv": "id,a\n1,x\n"]
  private static let update = ["t.update.csv": "id,a,was:a\n1,new,x\n"]
  private static let delete = ["t.delete.csv": "id,a\n1,x\n"]
  /// The rows, the conflicts, and the keys that are left.
  private static let all = """
    SELECT id, a FROM t UNION ALL SELECT version, kind FROM seedbed_conflicts
    UNION ALL SELECT version, 'left ' || kind FROM seedbed_left_to_user
    """
  private static let bothTables = "SELECT 'p', id, a FROM p UNION ALL SELECT 'c', id, p FROM c"

  static let leftKeys = [
    NamedCase(
      name: "a key in a delete and an insert file of one migration is refused",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); "
        + "CREATE TABLE k (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id));",
      first: ["t.csv": "id,a\n1,one\n2,two\n", "k.csv": "id,t\n10,1\n"],
      second: [
        "t.delete.csv": "id,a\n2,two\n", "t.csv": "id,a\n2,zwei\n",
        "k.update.csv": "id,t,was:t\n10,2,1\n",
      ], rows: "", error: "t.delete.csv:2"),
    // Text keys are made again, too.
    NamedCase(
      name: "what a user makes under a key whose deletion was seen is theirs",
      schema: "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT);",
      first: ["t.csv": "id,a\ncat,x\n"], user: "DELETE FROM t",
      second: ["t.update.csv": "id,a,was:a\ncat,y,x\n"], rows: "",
      conflicts: ["t deletedByUser - keptUser"], since: "INSERT INTO t VALUES ('cat', 'y')",
      leaves: "cat|y", then: [["t.delete.csv": "id,a\ncat,y\n"]]),
  ]

  /// After an update or a delete file found its row gone.
  static let deletedKeys = [
    NamedCase(
      name: "a deletion is logged once", schema: schema, first: one, user: "DELETE FROM t",
      second: update, query: all, rows: "2|deletedByUser;2|left deletedByUser",
      conflicts: ["t deletedByUser - keptUser"], counts: [0, 0, 0, 0, 1],
      leaves: "2|deletedByUser;2|left deletedByUser",
      then: [
        ["t.update.csv": "id,a,was:a\n1,newer,new\n"], ["t.delete.csv": "id,a\n1,newer\n"],
      ]),
    NamedCase(
      name: "a row to retire that is gone is no conflict", schema: schema, first: one,
      user: "DELETE FROM t", second: delete, query: all, rows: "2|left deletedByUser",
      counts: [0, 0, 0, 1, 0], since: "INSERT INTO t VALUES (1, 'mine', 1)",
      leaves: "1|mine;2|left deletedByUser",
      then: [["t.csv": "id,a\n1,x\n"], ["t.update.csv": "id,a,was:a\n1,mine,x\n"]]),
    NamedCase(
      name: "a row that comes again stays deleted", schema: schema, first: one,
      user: "DELETE FROM t", second: delete, query: all, rows: "2|left deletedByUser",
      leaves: "2|left deletedByUser", then: [["t.csv": "id,a\n1,y\n"]]),
    NamedCase(
      name: "what the user makes as the release has it is the seed's", schema: schema, first: one,
      user: "DELETE FROM t", second: delete, query: all, rows: "2|left deletedByUser",
      since: "INSERT INTO t VALUES (1, 'y', 1)", leaves: "1|z",
      then: [["t.csv": "id,a\n1,y\n"], ["t.update.csv": "id,a,was:a\n1,z,y\n"]]),
    NamedCase(
      name: "replaceUser leaves it, too", schema: schema,
      options: "\"t\": {\"onTaken\": \"replaceUser\"}", first: one, user: "DELETE FROM t",
      second: delete, query: all, rows: "2|left deletedByUser",
      since: "INSERT INTO t VALUES (1, 'mine', 1)", leaves: "1|mine;2|left deletedByUser",
      then: [["t.csv": "id,a\n1,y\n"]]),
    NamedCase(
      name: "no child comes to a row that is gone", schema: family,
      first: ["p.csv": "id,a\n1,x\n"], user: "DELETE FROM p",
      second: ["p.update.csv": "id,a,was:a\n1,new,x\n", "c.csv": "id,p\n5,1\n"],
      query: bothTables, rows: "",
      conflicts: ["p deletedByUser - keptUser", "c parentDeleted - skipped"], leaves: "",
      then: [["c.csv": "id,p\n6,1\n"]]),
    NamedCase(
      name: "nor to the one that the user made in its place", schema: family,
      first: ["p.csv": "id,a\n1,x\n"], user: "DELETE FROM p",
      second: ["p.update.csv": "id,a,was:a\n1,new,x\n"], query: bothTables, rows: "",
      conflicts: ["p deletedByUser - keptUser"], since: "INSERT INTO p VALUES (1, 'mine', 1)",
      leaves: "p|1|mine", then: [["c.csv": "id,p\n6,1\n"]]),
  ]

  /// After a user's row won the key, or a row to retire was kept.
  static let keptKeys = [
    NamedCase(
      name: "a row that was kept is the seed's again once a release brings it as it is",
      schema: schema, first: one, user: "UPDATE t SET fav = 1", second: delete, query: all,
      rows: "1|x;2|editedRetired;2|left editedRetired",
      conflicts: ["t editedRetired keepEdits keptUser"], leaves: "1|new;2|editedRetired",
      then: [["t.csv": "id,a\n1,x\n"], update]),
    NamedCase(
      name: "not if it brings another", schema: schema, first: one, user: "UPDATE t SET fav = 1",
      second: delete, query: all, rows: "1|x;2|editedRetired;2|left editedRetired",
      conflicts: ["t editedRetired keepEdits keptUser"],
      leaves: "1|x;2|editedRetired;2|left editedRetired",
      then: [["t.csv": "id,a\n1,y\n"], ["t.update.csv": "id,a,was:a\n1,x,y\n"]]),
    NamedCase(
      name: "once it is gone, the new one comes", schema: schema, first: one,
      user: "UPDATE t SET fav = 1", second: delete, query: all,
      rows: "1|x;2|editedRetired;2|left editedRetired",
      conflicts: ["t editedRetired keepEdits keptUser"], since: "DELETE FROM t",
      leaves: "1|z;2|editedRetired",
      then: [["t.csv": "id,a\n1,y\n"], ["t.update.csv": "id,a,was:a\n1,z,y\n"]]),
    NamedCase(
      name: "children come with a row that is the seed's again", schema: family,
      first: ["p.csv": "id,a\n1,x\n"], user: "UPDATE p SET fav = 1",
      second: ["p.delete.csv": "id,a\n1,x\n"], query: bothTables, rows: "p|1|x",
      conflicts: ["p editedRetired keepEdits keptUser"], leaves: "p|1|x;c|5|1",
      then: [["p.csv": "id,a\n1,x\n", "c.csv": "id,p\n5,1\n"]]),
    NamedCase(
      name: "a row that others kept is the seed's again, too", schema: family,
      first: ["p.csv": "id,a\n1,x\n"], user: "INSERT INTO c VALUES (9, 1)",
      second: ["p.delete.csv": "id,a\n1,x\n"], query: bothTables, rows: "p|1|x;c|9|1",
      conflicts: ["p referenced keepEdits keptUser"], leaves: "p|1|new;c|9|1",
      then: [["p.csv": "id,a\n1,x\n"], ["p.update.csv": "id,a,was:a\n1,new,x\n"]]),
    NamedCase(
      name: "a key that a user's row had stays the user's without it", schema: schema, first: one,
      user: "INSERT INTO t VALUES (2, 'mine', 1)", second: ["t.csv": "id,a\n2,y\n"], query: all,
      rows: "2|mine;1|x;2|keyTaken;2|left keyTaken", conflicts: ["t keyTaken keepUser keptUser"],
      since: "DELETE FROM t WHERE id = 2", leaves: "1|x;2|keyTaken;2|left keyTaken",
      then: [["t.delete.csv": "id,a\n2,y\n"], ["t.csv": "id,a\n2,z\n"]]),
    NamedCase(
      name: "a row whose value was held comes once it is free", schema: schema, first: one,
      user: "INSERT INTO t VALUES (7, 'y', 1)", second: ["t.csv": "id,a\n2,y\n"], query: all,
      rows: "1|x;7|y;2|uniqueTaken;2|left uniqueTaken",
      conflicts: ["t uniqueTaken keepUser keptUser"], since: "DELETE FROM t WHERE id = 7",
      leaves: "1|x;2|z;2|uniqueTaken",
      then: [
        ["t.delete.csv": "id,a\n2,y\n"], ["t.csv": "id,a\n2,y\n"],
        ["t.update.csv": "id,a,was:a\n2,z,y\n"],
      ]),
    NamedCase(
      name: "and stays away as long as it is held", schema: schema, first: one,
      user: "INSERT INTO t VALUES (7, 'y', 1)", second: ["t.csv": "id,a\n2,y\n"], query: all,
      rows: "1|x;7|y;2|uniqueTaken;2|left uniqueTaken",
      conflicts: ["t uniqueTaken keepUser keptUser"],
      leaves: "1|x;7|y;2|uniqueTaken;4|uniqueTaken;2|left uniqueTaken",
      then: [["t.delete.csv": "id,a\n2,y\n"], ["t.csv": "id,a\n2,y\n"]]),
  ]

  private static let rowsAndLeft = """
    SELECT id, a FROM t UNION ALL SELECT version, kind FROM seedbed_left_to_user
    """

  /// `down` ends the entries of its release, but for what users deleted.
  static let keysTakenBack = [
    NamedCase(
      name: "a row that was kept is the seed's again", schema: schema, first: one,
      user: "UPDATE t SET fav = 1", second: delete, query: rowsAndLeft,
      rows: "1|x;2|editedRetired", conflicts: ["t editedRetired keepEdits keptUser"]),
    NamedCase(
      name: "so is one that was edited, as it is", schema: schema, first: one,
      user: "UPDATE t SET a = 'mine'", second: delete, query: rowsAndLeft,
      rows: "1|mine;2|editedRetired", conflicts: ["t editedRetired keepEdits keptUser"]),
    NamedCase(
      name: "one that is gone by then stays away", schema: schema, first: one,
      user: "UPDATE t SET fav = 1", second: delete, query: rowsAndLeft,
      rows: "1|x;2|editedRetired", conflicts: ["t editedRetired keepEdits keptUser"],
      since: "DELETE FROM t", leaves: "0|deletedByUser"),
    NamedCase(
      name: "its children come back to it", schema: family,
      first: ["p.csv": "id,a\n1,x\n", "c.csv": "id,p\n5,1\n"], user: "UPDATE p SET fav = 1",
      second: ["p.delete.csv": "id,a\n1,x\n", "c.delete.csv": "id,p\n5,1\n"],
      query: bothTables, rows: "p|1|x", conflicts: ["p editedRetired keepEdits keptUser"]),
    NamedCase(
      name: "a user's row keeps its key", schema: schema, first: one,
      user: "INSERT INTO t VALUES (2, 'mine', 1)", second: ["t.csv": "id,a\n2,y\n"],
      query: rowsAndLeft, rows: "2|mine;1|x;2|keyTaken",
      conflicts: ["t keyTaken keepUser keptUser"]),
    NamedCase(
      name: "also if it is as the release has it by then", schema: schema, first: one,
      user: "INSERT INTO t VALUES (2, 'mine', 1)", second: ["t.csv": "id,a\n2,y\n"],
      query: rowsAndLeft, rows: "2|mine;1|x;2|keyTaken",
      conflicts: ["t keyTaken keepUser keptUser"], since: "UPDATE t SET a = 'y' WHERE id = 2",
      leaves: "1|x;2|y"),
    NamedCase(
      name: "what a user deleted stays deleted", schema: schema, first: one,
      user: "DELETE FROM t", second: update, query: rowsAndLeft, rows: "2|deletedByUser",
      conflicts: ["t deletedByUser - keptUser"], leaves: "2|deletedByUser"),
    NamedCase(
      name: "also a row to retire", schema: schema, first: one, user: "DELETE FROM t",
      second: delete, query: rowsAndLeft, rows: "2|deletedByUser", leaves: "2|deletedByUser"),
  ]
}
