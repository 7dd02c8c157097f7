import Testing

@Suite struct `Each row of the reference page's tables` {
  @Test(arguments: NamedCase.inserts + NamedCase.updates + NamedCase.deletes)
  func `is as it says`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.tags) func `holds for several files of a table`(
    _ named: NamedCase
  ) throws { try named.run() }

  @Test(arguments: NamedCase.natural + NamedCase.trees) func `holds for references by natural key`(
    _ named: NamedCase
  ) throws { try named.run() }

  @Test(arguments: NamedCase.namesOfChanges) func `holds for names of what changes`(
    _ named: NamedCase
  ) throws { try named.run() }

  @Test(arguments: NamedCase.keys + NamedCase.values)
  func `holds for keys and values`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.since)
  func `holds for what users do before a release is taken back`(_ named: NamedCase) throws {
    try named.run()
  }

  @Test(
    arguments: NamedCase.leftKeys + NamedCase.deletedKeys + NamedCase.keptKeys
      + NamedCase.keysTakenBack + NamedCase.ownReferences)
  func `holds for keys that were left to the user`(
    _ named: NamedCase
  ) throws { try named.run() }

  @Test(arguments: NamedCase.newNames + NamedCase.newKeys)
  func `holds for left keys of tables and columns with new names, and for new keys`(
    _ named: NamedCase
  ) throws { try named.run() }

  @Test(arguments: NamedCase.allKey) func `holds for rows that are all key`(
    _ named: NamedCase
  ) throws { try named.run() }

  @Test(arguments: NamedCase.columns + NamedCase.texts + NamedCase.spellings)
  func `holds for options of columns`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.computed)
  func `holds for values that an index computes`(_ named: NamedCase) throws { try named.run() }

  @Test(
    arguments: NamedCase.shared + NamedCase.sharedAndMoving + [
      NamedCase.sharedAndPassed, NamedCase.sharedAndSplit, NamedCase.sharedAndExchanged,
    ]
      + NamedCase.sharedAndEdited + NamedCase.sharedAndKept)
  func `references that share a column`(_ named: NamedCase)
    throws
  {
    try named.run()
  }

  @Test(arguments: NamedCase.withoutParents)
  func `a new row whose optional parent was deleted`(_ named: NamedCase) throws {
    try named.run()
  }

  @Test(arguments: NamedCase.keyChanges)
  func `holds for keys that change`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.keysPassed)
  func `holds for keys that pass from row to row`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.keysThatStay + NamedCase.valuesThatStay)
  func `holds for rows that cannot step aside`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.references + NamedCase.referencesOfKeys)
  func `holds for references that the schema does not declare`(_ named: NamedCase) throws {
    try named.run()
  }

  @Test(arguments: NamedCase.owners + NamedCase.namesOfOwners + NamedCase.referencesOfOwners)
  func `holds for each owner`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.disposables)
  func `holds for disposable rows`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.uniqueReferred)
  func `holds for UNIQUE columns that others refer to`(_ named: NamedCase) throws {
    try named.run()
  }

  @Test(arguments: NamedCase.identities)
  func `holds for rows that took a freed id`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.replaced)
  func `holds for rows that were replaced`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.moved)
  func `holds for users' rows that make way`(_ named: NamedCase) throws { try named.run() }

  @Test(arguments: NamedCase.movedInVain)
  func `holds for those that do not, or only after others`(_ named: NamedCase) throws {
    try named.run()
  }

  @Test(arguments: NamedCase.unique)
  func `holds for UNIQUE values that change hands`(_ named: NamedCase) throws { try named.run() }
}

extension NamedCase {
  private static let update = "id,a,was:a\n1,new,x\n"
  private static let both = "id,a,b,was:a,was:b\n1,new,NEW,x,y\n"
  private static func onEdited(_ policy: String) -> String {
    "\"t\": {\"onEdited\": \"\(policy)\"}"
  }
  private static func onTaken(_ policy: String) -> String { "\"t\": {\"onTaken\": \"\(policy)\"}" }

  static let inserts = [
    NamedCase(
      name: "insert, key absent", second: ["t.csv": "id,a\n2,z\n"], rows: "1|x|y;2|z|NULL",
      counts: [1, 0, 0, 0, 0]),
    NamedCase(
      name: "insert, the same row is there", user: "INSERT INTO t VALUES (2, 'z', 'mine')",
      second: ["t.csv": "id,a\n2,z\n"], rows: "1|x|y;2|z|mine", counts: [0, 0, 0, 1, 0],
      goesBack: false),
    NamedCase(
      name: "insert, key taken, keepUser", user: "INSERT INTO t VALUES (2, 'u', 'v')",
      second: ["t.csv": "id,a\n2,z\n"], rows: "1|x|y;2|u|v",
      conflicts: ["t keyTaken keepUser keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "insert, key taken, replaceUser", options: onTaken("replaceUser"),
      user: "INSERT INTO t VALUES (2, 'u', 'v')", second: ["t.csv": "id,a\n2,z\n"],
      rows: "1|x|y;2|z|v", conflicts: ["t keyTaken replaceUser tookSeed"],
      counts: [0, 1, 0, 0, 0], inverse: "1|x|y;2|z|v"),
    NamedCase(
      name: "insert, key taken, fail", options: onTaken("fail"),
      user: "INSERT INTO t VALUES (2, 'u', 'v')", second: ["t.csv": "id,a\n2,z\n"], rows: "",
      error: "keyTaken"),
    NamedCase(
      name: "insert, UNIQUE taken, keepUser",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);",
      user: "INSERT INTO t VALUES (7, 'z', 'v')", second: ["t.csv": "id,a\n2,z\n"],
      rows: "1|x|y;7|z|v", conflicts: ["t uniqueTaken keepUser keptUser"],
      counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "insert, UNIQUE taken, replaceUser: the user's row stays",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);",
      options: onTaken("replaceUser"), user: "INSERT INTO t VALUES (7, 'z', 'v')",
      second: ["t.csv": "id,a\n2,z\n"], rows: "1|x|y;7|z|v",
      conflicts: ["t uniqueTaken replaceUser keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "so does a user's row without a seed's key",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT UNIQUE, a TEXT UNIQUE);",
      options: "\"t\": {\"key\": [\"s\"], \"onTaken\": \"replaceUser\"}",
      first: ["t.csv": "s,a\none,x\n"], user: "INSERT INTO t (a) VALUES ('z')",
      second: ["t.csv": "s,a\ntwo,z\n"], query: "SELECT s, a FROM t ORDER BY a",
      rows: "one|x;NULL|z", conflicts: ["t uniqueTaken replaceUser keptUser"]),
    NamedCase(
      name: "the limit: a reused key merges like an edit",
      user: "DELETE FROM t; INSERT INTO t VALUES (1, 'x', 'mine')",
      second: ["t.update.csv": update], rows: "1|new|mine", counts: [0, 1, 0, 0, 0]),
  ]

  static let updates = [
    NamedCase(
      name: "update, row absent", user: "DELETE FROM t", second: ["t.update.csv": update],
      rows: "", conflicts: ["t deletedByUser - keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "update, base = seed in an edited row is no conflict",
      user: "UPDATE t SET b = 'mine'",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,new,y,x,y\n"], rows: "1|new|mine",
      counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "update, mine = seed", user: "UPDATE t SET a = 'new'",
      second: ["t.update.csv": update], rows: "1|new|y", counts: [0, 0, 0, 1, 0], inverse: "1|x|y"),
    NamedCase(
      name: "update, mine = base", second: ["t.update.csv": update], rows: "1|new|y",
      counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "edited, keepEdits", user: "UPDATE t SET a = 'mine'", second: ["t.update.csv": both],
      rows: "1|mine|NEW", conflicts: ["t edited keepEdits merged"], counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "edited, keepEdits, nothing else to set", user: "UPDATE t SET a = 'mine'",
      second: ["t.update.csv": update], rows: "1|mine|y",
      conflicts: ["t edited keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "edited, preferSeed", options: onEdited("preferSeed"),
      user: "UPDATE t SET a = 'mine'", second: ["t.update.csv": both], rows: "1|new|NEW",
      conflicts: ["t edited preferSeed tookSeed"], counts: [0, 1, 0, 0, 0], inverse: "1|x|y"),
    NamedCase(
      name: "edited, keepRow", options: onEdited("keepRow"), user: "UPDATE t SET a = 'mine'",
      second: ["t.update.csv": both], rows: "1|mine|y", conflicts: ["t edited keepRow keptUser"],
      counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "edited, overwriteRow, also where base = seed", options: onEdited("overwriteRow"),
      user: "UPDATE t SET a = 'mine', b = 'mine'",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,new,y,x,y\n"], rows: "1|new|y",
      conflicts: ["t edited overwriteRow tookSeed"], counts: [0, 1, 0, 0, 0], inverse: "1|x|y"),
    NamedCase(
      name: "edited, fail", options: onEdited("fail"), user: "UPDATE t SET a = 'mine'",
      second: ["t.update.csv": both], rows: "", error: "edited"),
    NamedCase(
      name: "the merged row would break CHECK",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, CHECK (a <= b));",
      first: ["t.csv": "id,a,b\n1,1,5\n"], user: "UPDATE t SET b = 2",
      second: ["t.update.csv": "id,a,was:a\n1,4,1\n"], rows: "1|1|2",
      conflicts: ["t edited keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "the merged row would break CHECK with a column that the file does not change",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER, CHECK (a <= b));",
      first: ["t.csv": "id,a,b\n1,1,5\n"], user: "UPDATE t SET b = 2",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,4,5,1,5\n"], rows: "1|1|2",
      conflicts: ["t edited keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "the merged row would break NOT NULL",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT);",
      user: "UPDATE t SET b = 'mine'",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,,NEW,x,y\n"], rows: "1|x|mine",
      conflicts: ["t edited keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "the seed itself breaks NOT NULL",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT);",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,,NEW,x,y\n"], rows: "",
      error: "t.update.csv:2"),
    NamedCase(
      name: "update, UNIQUE taken: the column stays",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);",
      user: "INSERT INTO t VALUES (7, 'new', NULL)", second: ["t.update.csv": both],
      rows: "1|x|NEW;7|new|NULL", conflicts: ["t uniqueTaken keepUser merged"],
      counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "a retired row holds a UNIQUE value that an update needs",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT);",
      first: ["t.csv": "id,a,b\n1,x,y\n2,new,\n"],
      second: ["t.update.csv": update, "t.delete.csv": "id,a,b\n2,new,\n"], rows: "1|new|y",
      counts: [0, 1, 1, 0, 0]),
    NamedCase(
      name: "ignored columns are no edit", options: "\"t\": {\"ignore\": [\"b\"]}",
      user: "UPDATE t SET b = 'rewritten'", second: ["t.update.csv": update],
      rows: "1|new|rewritten", counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "no base, not overwriteRow", second: ["t.update.csv": "id,a\n1,new\n"], rows: "",
      error: "or generate the file"),
    NamedCase(
      name: "no base, overwriteRow", options: onEdited("overwriteRow"),
      user: "UPDATE t SET a = 'mine'", second: ["t.update.csv": "id,a\n1,new\n"], rows: "1|new|y",
      counts: [0, 1, 0, 0, 0], goesBack: false),
  ]

  private static let delete = ["t.delete.csv": "id,a,b\n1,x,y\n"]

  static let deletes = [
    NamedCase(
      name: "delete, row absent", user: "DELETE FROM t", second: delete, rows: "",
      counts: [0, 0, 0, 1, 0]),
    NamedCase(name: "delete, mine = base", second: delete, rows: "", counts: [0, 0, 1, 0, 0]),
    NamedCase(
      name: "delete, edited, keepEdits", user: "UPDATE t SET a = 'mine'", second: delete,
      rows: "1|mine|y", conflicts: ["t editedRetired keepEdits keptUser"],
      counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "delete, edited, preferSeed", options: onEdited("preferSeed"),
      user: "UPDATE t SET a = 'mine'", second: delete, rows: "",
      conflicts: ["t editedRetired preferSeed tookSeed"], counts: [0, 0, 1, 0, 0],
      inverse: "1|x|y"),
    NamedCase(
      name: "delete, edited, fail", options: onEdited("fail"), user: "UPDATE t SET a = 'mine'",
      second: delete, rows: "", error: "editedRetired"),
    NamedCase(
      name: "a favourite keeps a row",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, fav INTEGER DEFAULT 0);",
      user: "UPDATE t SET fav = 1", second: delete, rows: "1|x|y|1",
      conflicts: ["t editedRetired keepEdits keptUser"]),
    NamedCase(
      name: "a default from the clock does not keep a row",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, "
        + "at TEXT DEFAULT (datetime('now')));",
      user: "UPDATE t SET at = 'then'", second: delete, query: "SELECT id, a, b FROM t",
      rows: "", conflicts: ["t editedRetired - tookSeed"], counts: [0, 0, 1, 0, 0]),
    NamedCase(
      name: "nor does one that is ignored, and nothing is logged",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, "
        + "at TEXT DEFAULT CURRENT_TIMESTAMP);",
      options: "\"t\": {\"ignore\": [\"at\"]}", user: "UPDATE t SET at = 'then'", second: delete,
      rows: "", counts: [0, 0, 1, 0, 0], goesBack: false),
    NamedCase(
      name: "a key in the update and the delete file",
      second: ["t.update.csv": update, "t.delete.csv": "id,a,b\n1,x,y\n"], rows: "",
      error: "t.delete.csv"),
    NamedCase(
      name: "a delete file with the key alone", second: ["t.delete.csv": "id\n1\n"], rows: "",
      error: "or generate the file"),
  ]
}
