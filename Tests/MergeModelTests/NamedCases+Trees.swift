/// References by natural key among rows that are inserted together.
extension NamedCase {
  private static let tree =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER REFERENCES t, "
    + "code TEXT UNIQUE);"
  private static let byName = "\"t\": {\"key\": [\"name\"]}"
  private static let root = ["t.csv": "name\nroot\n"]
  private static let all =
    "SELECT c.name, p.name FROM t AS c LEFT JOIN t AS p ON p.id = c.up ORDER BY c.name"
  private static let branch = "name,up:t.name\nleaf,branch\nbud,leaf\nbranch,root\n"

  private static func known(
    _ name: String, schema: String = tree, options: String = byName,
    first: [String: String] = root, user: String = "", _ second: [String: String],
    query: String = all, rows: String, conflicts: [String] = [], counts: [Int]? = nil,
    error: String? = nil, goesBack: Bool = true, inverse: String? = nil
  ) -> NamedCase {
    NamedCase(
      name: name, schema: schema, options: options, first: first, user: user, second: second,
      query: query, rows: rows, conflicts: conflicts, counts: counts, error: error,
      goesBack: goesBack,
      inverse: inverse)
  }

  static let trees = [
    known(
      "a tree whose ids the database assigns, parents later in the file", ["t.csv": branch],
      rows: "branch|root;bud|leaf;leaf|branch;root|NULL", counts: [3, 0, 0, 0, 0]),
    known(
      "a tree over several files",
      ["t.a~.csv": "name,up:t.name\nleaf,branch\n", "t.b~.csv": "up:t.name,name\nroot,branch\n"],
      rows: "branch|root;leaf|branch;root|NULL"),
    known(
      "rows that refer to each other in a ring, and one to itself",
      ["t.csv": "name,up:t.name\na,b\nb,c\nc,a\nself,self\n"],
      rows: "a|b;b|c;c|a;root|NULL;self|self"),
    known(
      "a ring whose keys are defaults",
      schema: "CREATE TABLE t (id TEXT PRIMARY KEY DEFAULT (hex(randomblob(8))), "
        + "name TEXT UNIQUE, up TEXT REFERENCES t);",
      ["t.csv": "name,up:t.name\na,b\nb,a\nc,root\n"], rows: "a|b;b|a;c|root;root|NULL"),
    known(
      "a tree that ships its ids", options: "", first: ["t.csv": "id,name\n1,root\n"],
      ["t.csv": "id,name,up:t.name\n7,leaf,branch\n5,branch,root\n"],
      query: "SELECT id, name, up FROM t", rows: "1|root|NULL;5|branch|1;7|leaf|5"),
    known(
      "two tables that refer to each other",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER REFERENCES u);"
        + "CREATE TABLE u (id INTEGER PRIMARY KEY, name TEXT UNIQUE, up INTEGER REFERENCES t);",
      options: byName + ", \"u\": {\"key\": [\"name\"]}",
      ["t.csv": "name,up:u.name\na,x\nb,y\n", "u.csv": "name,up:t.name\nx,b\ny,root\n"],
      query: "SELECT t.name, u.name, v.name FROM t LEFT JOIN u ON u.id = t.up "
        + "LEFT JOIN t AS v ON v.id = u.up ORDER BY 1", rows: "a|x|b;b|y|root;root|NULL|NULL"),
    known(
      "a branch that is there already is a parent",
      user: "INSERT INTO t VALUES (9, 'branch', 1, 'x')",
      ["t.csv": branch], rows: "branch|root;bud|leaf;leaf|branch;root|NULL",
      counts: [2, 0, 0, 1, 0], goesBack: false),
    known(
      "a branch that is the user's is none", user: "INSERT INTO t VALUES (9, 'branch', NULL, 'x')",
      ["t.csv": branch], rows: "branch|NULL;root|NULL",
      conflicts: [
        "t keyTaken keepUser keptUser", "t parentTaken - skipped", "t parentDeleted - skipped",
      ], counts: [0, 0, 0, 0, 3]),
    known(
      "a branch that gives way is a parent",
      options: "\"t\": {\"key\": [\"name\"], \"onTaken\": \"replaceUser\"}",
      user: "INSERT INTO t VALUES (9, 'branch', NULL, 'x')", ["t.csv": branch],
      rows: "branch|root;bud|leaf;leaf|branch;root|NULL",
      conflicts: ["t keyTaken replaceUser tookSeed"], counts: [2, 1, 0, 0, 0],
      inverse: "branch|root;root|NULL"),
    known(
      "a branch whose code the user has", user: "INSERT INTO t VALUES (9, 'mine', NULL, 'x')",
      ["t.csv": "name,up:t.name,code\nleaf,branch,\nbud,leaf,\nbranch,root,x\ntwig,root,\n"],
      rows: "mine|NULL;root|NULL;twig|root",
      conflicts: [
        "t uniqueTaken keepUser keptUser", "t parentDeleted - skipped", "t parentDeleted - skipped",
      ], counts: [1, 0, 0, 0, 3]),
    known(
      "a branch whose name the user has, ids shipped", options: "",
      first: ["t.csv": "id,name\n1,root\n"], user: "INSERT INTO t VALUES (9, 'branch', NULL, 'x')",
      ["t.csv": "id,name,up:t.name\n7,leaf,branch\n5,branch,root\n"],
      rows: "branch|NULL;root|NULL",
      conflicts: ["t uniqueTaken keepUser keptUser", "t parentDeleted - skipped"]),
    known(
      "the user's row has the last id",
      user: "INSERT INTO t VALUES (9223372036854775807, 'mine', NULL, NULL)", ["t.csv": branch],
      query: all, rows: "branch|root;bud|leaf;leaf|branch;mine|NULL;root|NULL"),
    known(
      "in the key, under parents that are there and that are new",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER NOT NULL REFERENCES t, "
        + "name TEXT, path TEXT UNIQUE, UNIQUE (up, name));",
      options: "\"t\": {\"key\": [\"up\", \"name\"]}",
      first: ["t.csv": "id,up,name,path\n1,1,-,/\n2,1,x,/x\n"],
      user: "INSERT INTO t (up, name, path) VALUES (2, 'there', '/x/there')",
      [
        "t.csv": "name,up:t.path,path\nb,/a,/a/b\na,/,/a\n"
          + "there,/x,/x/there\nc,/x/there,/x/there/c\n"
      ],
      query: "SELECT c.path, p.path FROM t AS c JOIN t AS p ON p.id = c.up ORDER BY 1",
      rows: "", error: "depends on a name"),
    known(
      "a row moves under a new one", first: ["t.csv": "name,up:t.name\nroot,\nleaf,root\n"],
      [
        "t.update.csv": "name,up:t.name,was:up:t.name\nleaf,branch,root\n",
        "t.csv": "name,up:t.name\nbranch,twig\ntwig,root\n",
      ], rows: "branch|twig;leaf|branch;root|NULL;twig|root"),
    known(
      "a new row would take the place of the user's",
      first: ["t.csv": "name,up:t.name\nroot,\nleaf,root\n"],
      user: "INSERT INTO t VALUES (9, 'branch', NULL, 'x')",
      [
        "t.update.csv": "name,up:t.name,code,was:up:t.name,was:code\nleaf,branch,y,root,\n",
        "t.csv": "name,up:t.name\nbranch,root\n",
      ],
      query: "SELECT c.name, p.name, c.code FROM t AS c LEFT JOIN t AS p ON p.id = c.up "
        + "ORDER BY c.name",
      rows: "branch|NULL|x;leaf|root|y;root|NULL|NULL",
      conflicts: ["t parentTaken - skipped", "t keyTaken keepUser keptUser"]),
  ]
}
