/// UNIQUE over expressions, over a part of the table, and over generated columns: as over columns.
extension NamedCase {
  private static func table(_ columns: String, _ index: String? = nil) -> String {
    "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));"
      + (index.map { "CREATE UNIQUE INDEX i ON t \($0);" } ?? "")
  }

  private static let lowered = table("u TEXT", "(lower(u))")
  private static let letters = ["t.csv": "id,u\n1,x\n2,y\n3,z\n"]
  private static let swap = ["t.update.csv": "id,u,was:u\n1,Y,x\n2,X,y\n"]
  private static let ring = ["t.update.csv": "id,u,was:u\n1,Y,x\n2,Z,y\n3,X,z\n"]
  private static let passedOn = [
    "t.update.csv": "id,u,was:u\n1,Y,x\n", "t.delete.csv": "id,u\n2,y\n",
  ]
  private static let taken = "t uniqueTaken keepUser keptUser"

  /// Two rows exchange their values, on a schema.
  private static func exchange(
    _ name: String, _ schema: String, _ first: String = "1,x\n2,y\n",
    _ second: String = "1,y,x\n2,x,y\n", rows: String = "1|y;2|x"
  ) -> NamedCase {
    NamedCase(
      name: name, schema: schema, first: ["t.csv": "id,u\n" + first],
      second: ["t.update.csv": "id,u,was:u\n" + second], query: "SELECT id, u FROM t ORDER BY 1",
      rows: rows, counts: [0, 2, 0, 0, 0])
  }

  static let computed =
    [
      exchange("two rows exchange the values of an expression", lowered),
      exchange("in another case", lowered, "1,x\n2,y\n", "1,Y,x\n2,X,y\n", rows: "1|Y;2|X"),
      exchange("that must not be NULL", table("u TEXT NOT NULL", "(lower(u))")),
      exchange(
        "short and checked", table("u TEXT NOT NULL CHECK (length(u) = 1)", "(lower(u))")),
      exchange(
        "of numbers", table("u INTEGER NOT NULL", "(u + 1)"), "1,5\n2,6\n", "1,6,5\n2,5,6\n",
        rows: "1|6;2|5"),
      exchange("of a text put together", table("u TEXT", "(length(u) || u)")),
      exchange("where NULL is a value", table("u TEXT", "(coalesce(lower(u), ''))")),
      exchange("by a collation", table("u TEXT", "((u || '!') COLLATE NOCASE DESC)")),
      exchange(
        "of JSON", table("u TEXT", "(json_extract(u, '$.a'))"),
        "1,\"{\"\"a\"\": 1}\"\n2,\"{\"\"a\"\": 2}\"\n",
        "1,\"{\"\"a\"\": 2}\",\"{\"\"a\"\": 1}\"\n2,\"{\"\"a\"\": 1}\",\"{\"\"a\"\": 2}\"\n",
        rows: "1|{\"a\": 2};2|{\"a\": 1}"),
      exchange(
        "beside a column", table("u TEXT, v TEXT DEFAULT 'v'", "(lower(u), v)")),
      exchange(
        "in a part of the table", table("u TEXT, v INTEGER DEFAULT 1", "(lower(u)) WHERE v > 0")),
      exchange(
        "under a condition as the column compares",
        table("u TEXT NOT NULL, v TEXT COLLATE NOCASE DEFAULT 'YES'", "(u) WHERE v = 'yes'")),
      exchange(
        "of a generated column", table("u TEXT, low TEXT AS (lower(u)) STORED UNIQUE")),
      exchange(
        "of one that is made when it is read",
        table("u TEXT NOT NULL, low TEXT AS (lower(u)) VIRTUAL", "(low)")),
      exchange(
        "of one that is made of another, as a type makes it",
        table("u TEXT, n INTEGER AS (u), m AS (n + 1)", "(abs(m))"), "1,5\n2,06\n",
        "1,6,5\n2,05,06\n", rows: "1|6;2|05"),
      exchange(
        "over columns with odd names",
        table("u TEXT, \"a (b\"\" c\" TEXT DEFAULT 'x'", "(lower(u) || \"a (b\"\" c\" /* , */)")),
    ] + passing + meeting + others

  private static let passing = [
    NamedCase(
      name: "a value passes from a retired row to another", schema: lowered, first: letters,
      second: passedOn, rows: "1|Y;3|z", counts: [0, 1, 1, 0, 0]),
    NamedCase(
      name: "a ring", schema: lowered, first: letters, second: ring, rows: "1|Y;2|Z;3|X",
      counts: [0, 3, 0, 0, 0]),
    NamedCase(
      name: "a chain whose first value goes to a new row", schema: lowered, first: letters,
      second: ["t.update.csv": "id,u,was:u\n1,Y,x\n2,W,y\n", "t.csv": "id,u\n4,X\n"],
      rows: "1|Y;2|W;3|z;4|X", counts: [1, 2, 0, 0, 0]),
    NamedCase(
      name: "a value passes from a retired row to a new one", schema: lowered, first: letters,
      second: ["t.delete.csv": "id,u\n2,y\n", "t.csv": "id,u\n4,Y\n"], rows: "1|x;3|z;4|Y",
      counts: [1, 0, 1, 0, 0]),
    NamedCase(
      name: "a row leaves the part of the table where another comes to its value",
      schema: table("u TEXT, v INTEGER DEFAULT 1", "(u) WHERE v"),
      first: ["t.csv": "id,u,v\n1,x,1\n2,y,1\n"],
      second: ["t.update.csv": "id,u,v,was:u,was:v\n1,x,0,x,1\n2,x,1,y,1\n"], rows: "1|x|0;2|x|1",
      counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "neither NULL nor a mark makes room",
      schema: table("u TEXT NOT NULL", "(substr(u, 1, 1))"), first: letters,
      second: ["t.update.csv": "id,u,was:u\n1,y,x\n2,x,y\n3,w,z\n"], rows: "1|x;2|y;3|w",
      conflicts: [taken, taken], counts: [0, 1, 0, 0, 2]),
  ]

  private static let meeting = [
    NamedCase(
      name: "a user's row holds what an expression makes of the value", schema: lowered,
      first: letters, user: "INSERT INTO t VALUES (9, 'Q')",
      second: ["t.update.csv": "id,u,was:u\n1,q,x\n2,X,y\n3,Y,z\n"], rows: "1|x;2|y;3|z;9|Q",
      conflicts: [taken, taken, taken], counts: [0, 0, 0, 0, 3]),
    NamedCase(
      name: "and others exchange theirs", schema: lowered,
      first: ["t.csv": "id,u\n1,x\n2,y\n3,z\n4,w\n"], user: "INSERT INTO t VALUES (9, 'Q')",
      second: ["t.update.csv": "id,u,was:u\n1,Y,x\n2,X,y\n3,q,z\n4,v,w\n"],
      rows: "1|Y;2|X;3|z;4|v;9|Q", conflicts: [taken], counts: [0, 3, 0, 0, 1]),
    NamedCase(
      name: "the user's row has the value of a retired one", schema: lowered, first: letters,
      user: "UPDATE t SET u = 'mine' WHERE id = 2; INSERT INTO t VALUES (9, 'Y')",
      second: passedOn, rows: "1|x;2|mine;3|z;9|Y",
      conflicts: ["t editedRetired keepEdits keptUser", taken], counts: [0, 0, 0, 0, 2]),
    NamedCase(
      name: "only what the index reads stays",
      schema: table("u TEXT, note TEXT", "(lower(u))"), first: ["t.csv": "id,u,note\n1,x,old\n"],
      user: "INSERT INTO t VALUES (9, 'Q', NULL)",
      second: ["t.update.csv": "id,u,note,was:u,was:note\n1,q,new,x,old\n"],
      rows: "1|x|new;9|Q|NULL", conflicts: ["t uniqueTaken keepUser merged"],
      counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "a user's row outside of the part of the table is in nobody's way",
      schema: table("u TEXT, v INTEGER DEFAULT 1", "(lower(u)) WHERE v"), first: letters,
      user: "INSERT INTO t VALUES (9, 'Q', 0)",
      second: ["t.update.csv": "id,u,was:u\n1,q,x\n", "t.csv": "id,u\n4,X\n"],
      rows: "1|q|1;2|y|1;3|z|1;4|X|1;9|Q|0", counts: [1, 1, 0, 0, 0]),
    NamedCase(
      name: "the user took the row out of it",
      schema: table("u TEXT, v INTEGER DEFAULT 1", "(lower(u)) WHERE v"), first: letters,
      user: "UPDATE t SET v = 0 WHERE id = 1; INSERT INTO t VALUES (9, 'Y', 0)",
      second: swap, rows: "1|Y|0;2|X|1;3|z|1;9|Y|0", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "the user edited one of two rows that exchange", schema: lowered, first: letters,
      user: "UPDATE t SET u = 'mine' WHERE id = 1", second: swap, rows: "1|mine;2|X;3|z",
      conflicts: ["t edited keepEdits keptUser"], counts: [0, 1, 0, 0, 1]),
    NamedCase(
      name: "the user wrote a value in another case", schema: lowered, first: letters,
      user: "UPDATE t SET u = 'X' WHERE id = 1", second: ["t.csv": "id,u\n4,x\n5,w\n"],
      rows: "1|X;2|y;3|z;5|w", conflicts: [taken], counts: [1, 0, 0, 0, 1]),
    NamedCase(
      name: "a row to add meets a generated column's value",
      schema: table("u TEXT, low TEXT AS (lower(u)) UNIQUE"), first: letters,
      user: "INSERT INTO t VALUES (9, 'Q')",
      second: ["t.csv": "id,u\n4,q\n5,w\n", "t.update.csv": "id,u,was:u\n1,Q,x\n"],
      query: "SELECT id, u FROM t ORDER BY 1", rows: "1|x;2|y;3|z;5|w;9|Q",
      conflicts: [taken, taken], counts: [1, 0, 0, 0, 2]),
  ]

  private static let others = [
    NamedCase(
      name: "a user's row takes a seed's value only if nobody has it", schema: lowered,
      options: "\"t\": {\"onTaken\": \"replaceUser\"}", first: letters,
      user: "INSERT INTO t VALUES (8, 'mine'); INSERT INTO t VALUES (9, 'Q')",
      second: ["t.csv": "id,u\n8,q\n", "t.update.csv": "id,u,was:u\n1,MINE,x\n"],
      rows: "1|x;2|y;3|z;8|mine;9|Q",
      conflicts: ["t keyTaken replaceUser keptUser", "t uniqueTaken replaceUser keptUser"],
      counts: [0, 0, 0, 0, 2]),
    NamedCase(
      name: "keys exchange letters under an index",
      schema:
        "CREATE TABLE t (id TEXT PRIMARY KEY, u TEXT); CREATE UNIQUE INDEX i ON t (lower(id));",
      first: ["t.csv": "id,u\na,1\nb,2\n"], second: ["t.update.csv": "was:id,id\na,B\nb,A\n"],
      rows: "A|2;B|1", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "a row under another key meets a user's under an index",
      schema:
        "CREATE TABLE t (id TEXT PRIMARY KEY, u TEXT); CREATE UNIQUE INDEX i ON t (lower(id));",
      first: ["t.csv": "id,u\na,1\nb,2\n"], user: "INSERT INTO t VALUES ('C', 'mine')",
      second: ["t.update.csv": "was:id,id\na,c\nb,d\n"], rows: "C|mine;a|1;d|2",
      conflicts: [taken], counts: [0, 1, 0, 0, 1]),
    NamedCase(
      name: "a word that may be a column or a keyword is left to the engine",
      schema: table("u TEXT, \"end\" TEXT", "(lower(u) || coalesce(end, ''))"), first: letters,
      user: "INSERT INTO t VALUES (9, 'Q', NULL)",
      second: ["t.update.csv": "id,u,was:u\n1,q,x\n2,w,y\n"],
      query: "SELECT id, u FROM t ORDER BY 1", rows: "1|x;2|w;3|z;9|Q", conflicts: [taken],
      counts: [0, 1, 0, 0, 1]),
  ]
}
