/// Several files for one table, told apart by tags.
extension NamedCase {
  private static let uniqueTable = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);"
  private static let tree = "CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES t);"
  private static func policies(_ text: String) -> String { "\"t\": {\(text)}" }

  static let tags = tagged + swaps + taggedErrors

  private static let tagged = [
    NamedCase(
      name: "a plain file and tagged ones of different columns",
      second: ["t.csv": "id,a\n2,p\n", "t.de~.csv": "b,id\nq,3\n", "t.fr~.csv": "id\n4\n"],
      rows: "1|x|y;2|p|NULL;3|NULL|q;4|NULL|NULL", counts: [3, 0, 0, 0, 0]),
    NamedCase(
      name: "a taken key in one file, the others whole",
      user: "INSERT INTO t VALUES (3, 'mine', NULL)",
      second: ["t.csv": "id,a\n2,p\n", "t.de~.csv": "b,id\nq,3\nr,4\n"],
      rows: "1|x|y;2|p|NULL;3|mine|NULL;4|NULL|r", conflicts: ["t keyTaken keepUser keptUser"],
      counts: [2, 0, 0, 0, 1]),
    NamedCase(
      name: "updates of different columns",
      first: ["t.csv": "id,a,b\n1,x,y\n2,p,q\n"], user: "UPDATE t SET a = 'mine' WHERE id = 1",
      second: [
        "t.update.csv": "id,a,was:a\n1,X,x\n", "t.de~.update.csv": "id,b,was:b\n2,Q,q\n",
      ],
      rows: "1|mine|y;2|p|Q", conflicts: ["t edited keepEdits keptUser"], counts: [0, 1, 0, 0, 1]),
    NamedCase(
      name: "parent and child of one table retired by different files", schema: tree,
      first: ["t.csv": "id,p\n1,\n2,1\n3,2\n"],
      second: ["t.a~.delete.csv": "id,p\n1,\n3,2\n", "t.b~.delete.csv": "id,p\n2,1\n"], rows: "",
      counts: [0, 0, 3, 0, 0]),
    NamedCase(
      name: "a parent in a later file, a child in two", schema: tree,
      first: ["t.csv": "id,p\n1,\n"],
      second: ["t.a~.csv": "id,p\n2,5\n", "t.b~.csv": "p,id\n5,3\n", "t.c~.csv": "id\n5\n"],
      rows: "1|NULL;2|5;3|5;5|NULL", counts: [3, 0, 0, 0, 0]),
    NamedCase(
      name: "retired by two files with different columns, under preferSeed",
      options: policies("\"onEdited\": \"preferSeed\""),
      first: ["t.csv": "id,a,b\n1,x,y\n2,p,\n"],
      user: "UPDATE t SET a = 'mine', b = 'note'",
      second: [
        "t.csv": "id\n3\n", "t.a~.delete.csv": "id,a,b\n1,x,y\n",
        "t.b~.delete.csv": "id,a\n2,p\n",
      ],
      rows: "3|NULL|NULL",
      conflicts: Array(repeating: "t editedRetired preferSeed tookSeed", count: 2),
      counts: [1, 0, 2, 0, 0], inverse: "1|x|y;2|p|NULL"),
    NamedCase(
      name: "a user's child keeps its parents in two files", schema: tree,
      first: ["t.csv": "id,p\n1,\n2,1\n"], user: "INSERT INTO t VALUES (9, 2)",
      second: ["t.a~.delete.csv": "id,p\n1,\n", "t.b~.delete.csv": "id,p\n2,1\n"],
      rows: "1|NULL;2|1;9|2",
      conflicts: Array(repeating: "t referenced keepEdits keptUser", count: 2)),
    NamedCase(
      name: "replaceUser in both files", options: policies("\"onTaken\": \"replaceUser\""),
      user: "INSERT INTO t VALUES (2, 'u', 'v'); INSERT INTO t VALUES (3, 'u', 'v')",
      second: ["t.a~.csv": "id,a\n2,p\n", "t.b~.csv": "id,b\n3,q\n"],
      rows: "1|x|y;2|p|v;3|u|q",
      conflicts: Array(repeating: "t keyTaken replaceUser tookSeed", count: 2),
      counts: [0, 2, 0, 0, 0], inverse: "1|x|y;2|p|v;3|u|q"),
  ]

  private static let swaps = [
    NamedCase(
      name: "rows of two files exchange their UNIQUE values", schema: uniqueTable,
      first: ["t.csv": "id,a,b\n1,x,\n2,p,\n"],
      second: ["t.a~.update.csv": "id,a,was:a\n1,p,x\n", "t.b~.update.csv": "id,a,was:a\n2,x,p\n"],
      rows: "1|p|NULL;2|x|NULL", counts: [0, 2, 0, 0, 0]),
    NamedCase(
      name: "three files hand a UNIQUE value on, the last one retires its row", schema: uniqueTable,
      first: ["t.csv": "id,a,b\n1,x,\n2,p,\n3,r,\n"],
      second: [
        "t.a~.update.csv": "id,a,was:a\n1,p,x\n", "t.b~.update.csv": "id,a,was:a\n2,r,p\n",
        "t.a~.delete.csv": "id,a,b\n", "t.b~.delete.csv": "id,a,b\n3,r,\n",
      ],
      rows: "1|p|NULL;2|r|NULL", counts: [0, 2, 1, 0, 0]),
  ]

  private static let taggedErrors = [
    NamedCase(
      name: "a key twice among the insert files",
      second: ["t.csv": "id,a\n2,p\n3,r\n", "t.de~.csv": "b,id\nq,4\nq,3\n"], rows: "",
      error: "2_second/t.de~.csv:3: The key {\"id\":3} is in 2_second/t.csv:3 too."),
    NamedCase(
      name: "a key twice among three update files", first: ["t.csv": "id,a,b\n1,x,y\n2,p,q\n"],
      second: [
        "t.a~.update.csv": "id,a,was:a\n2,X,p\n", "t.b~.update.csv": "id,a,was:a\n1,X,x\n",
        "t.c~.update.csv": "id,b,was:b\n1,Y,y\n",
      ], rows: "",
      error: "2_second/t.c~.update.csv:2: The key {\"id\":1} is in 2_second/t.b~.update.csv:2"),
    NamedCase(
      name: "a key twice among the delete files, by its collation",
      schema: "CREATE TABLE t (k TEXT PRIMARY KEY COLLATE NOCASE, a TEXT);",
      first: ["t.csv": "k,a\nx,\n"],
      second: ["t.a~.delete.csv": "k,a\nx,\n", "t.b~.delete.csv": "k,a\nX,\n"], rows: "",
      error:
        "2_second/t.b~.delete.csv:2: The key {\"k\":\"X\"} is in 2_second/t.a~.delete.csv:2"),
    NamedCase(
      name: "a key in one of the update files and one of the delete files",
      first: ["t.csv": "id,a,b\n1,x,y\n2,p,q\n"],
      second: [
        "t.a~.update.csv": "id,a,was:a\n2,X,p\n", "t.b~.update.csv": "id,a,was:a\n1,X,x\n",
        "t.b~.delete.csv": "id,a,b\n1,x,y\n",
      ], rows: "",
      error: "2_second/t.b~.delete.csv:2: The key {\"id\":1} is in "
        + "2_second/t.b~.update.csv:2 too. One migration has one row for each key: remove one."),
    NamedCase(
      name: "a UNIQUE value twice among the insert files", schema: uniqueTable,
      second: ["t.a~.csv": "id,a\n2,p\n", "t.b~.csv": "a,id\nq,3\np,4\n"], rows: "",
      error: "2_second/t.b~.csv:3: The UNIQUE value of the row {\"id\":4} is in "
        + "2_second/t.a~.csv:2 too."),
    NamedCase(
      name: "fail names the keys of all files", options: policies("\"onTaken\": \"fail\""),
      user: "INSERT INTO t VALUES (2, 'u', 'v'); INSERT INTO t VALUES (3, 'u', 'v')",
      second: ["t.a~.csv": "id,a\n2,p\n", "t.b~.csv": "id,b\n3,q\n"], rows: "",
      error:
        "2_second/t.a~.csv:2: The policy onTaken is 'fail', and 2 rows of 't' are in "
        + "conflict (keyTaken): {\"id\":2}, {\"id\":3}."),
  ]
}
