/// Keys that were left to the user, and then SQL renames their table or a column of the key, or the
/// option `key` changes. Each case goes back to the second release in the end.
extension NamedCase {
  /// A view keeps its name and its columns, whatever becomes of those of its table.
  private static let schema = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT UNIQUE, n TEXT);
    CREATE VIEW v AS SELECT CAST(id AS TEXT) AS a, s AS b, n AS c FROM t;
    """
  private static let bare = "CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT UNIQUE, n TEXT);"
  private static let first = ["t.csv": "id,s,n\n1,H,Hydrogen\n2,He,Helium\n"]
  private static let five = ["t.csv": "id,s,n\n5,B,Boron\n"]
  private static let own = "INSERT INTO t VALUES (5, 'Q', 'own')"
  private static let taken = ["t keyTaken keepUser keptUser"]
  private static let rest = "1|H|Hydrogen;2|He|Helium"
  private static let all = "SELECT a, b, c FROM v UNION ALL \(left) ORDER BY 1"
  private static let left = "SELECT table_name, key, kind FROM seedbed_left_to_user"
  private static let byName = ["migration.json": #"{"tables": {"t": {"key": ["s"]}}}"#]

  private static func sql(_ up: String, down: String) -> [String: String] {
    ["up.sql": up, "down.sql": down]
  }

  /// The user has a 5 of their own.
  private static func ownFive(
    _ name: String, schema: String = schema, query: String = all, policy: String = "",
    then: [[String: String]], left entry: String, shows rows: String = rest + ";5|Q|own;"
  ) -> NamedCase {
    NamedCase(
      name: name, schema: schema, options: policy, first: first, user: own, second: five,
      query: query, rows: rows + #"t|{"id":5}|keyTaken"#, conflicts: taken,
      leaves: rows + entry, then: then, returns: true)
  }

  static let newNames = [
    NamedCase(
      name: "a reference has a name that a column of another type had",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);"
        + "CREATE TABLE c (id INTEGER PRIMARY KEY, a TEXT, b INTEGER);",
      options: #""t": {"references": {"c": ["a"]}}"#, first: ["t.csv": "id,n\n1,x\n"],
      user: "INSERT INTO c VALUES (7, 'own', 1)",
      second: sql(
        "ALTER TABLE c RENAME a TO x; ALTER TABLE c RENAME b TO a; ALTER TABLE c RENAME x TO b",
        down:
          "ALTER TABLE c RENAME b TO x; ALTER TABLE c RENAME a TO b; ALTER TABLE c RENAME x TO a"
      ).merging(["c.csv": "id,a\n2,1\n"]) { $1 }, query: "SELECT id FROM c ORDER BY 1",
      rows: "2;7"),
    ownFive(
      "the table has a new name",
      then: [
        sql("ALTER TABLE t RENAME TO t2", down: "ALTER TABLE t2 RENAME TO t"),
        ["t2.update.csv": "id,n,was:n\n5,own,Boron\n"],
        ["t2.update.csv": "id,n,was:n\n5,Bor,own\n"], ["t2.delete.csv": "id,s,n\n5,B,Bor\n"],
      ], left: #"t2|{"id":5}|keyTaken"#),
    ownFive(
      "and the same release has rows of it",
      then: [
        sql("ALTER TABLE t RENAME TO t2", down: "ALTER TABLE t2 RENAME TO t")
          .merging(["t2.update.csv": "id,n,was:n\n5,own,Boron\n"]) { $1 },
        ["t2.delete.csv": "id,s,n\n5,B,own\n"],
      ], left: #"t2|{"id":5}|keyTaken"#),
    ownFive(
      "only the letters of its name change",
      then: [
        sql(
          #"ALTER TABLE t RENAME TO x; ALTER TABLE x RENAME TO "T""#,
          down: #"ALTER TABLE "T" RENAME TO x; ALTER TABLE x RENAME TO t"#),
        ["T.update.csv": "id,n,was:n\n5,Bor,Boron\n"],
      ], left: #"T|{"id":5}|keyTaken"#),
    ownFive(
      "the column of the key has a new name",
      then: [
        sql(
          "ALTER TABLE t RENAME COLUMN id TO nr", down: "ALTER TABLE t RENAME COLUMN nr TO id"),
        ["t.update.csv": "nr,n,was:n\n5,Bor,Boron\n"], ["t.delete.csv": "nr,s,n\n5,B,Bor\n"],
      ], left: #"t|{"nr":5}|keyTaken"#),
    ownFive(
      "two columns exchange their names",
      then: [
        sql(
          "ALTER TABLE t RENAME COLUMN id TO x; ALTER TABLE t RENAME COLUMN n TO id; "
            + "ALTER TABLE t RENAME COLUMN x TO n;",
          down: "ALTER TABLE t RENAME COLUMN id TO x; ALTER TABLE t RENAME COLUMN n TO id; "
            + "ALTER TABLE t RENAME COLUMN x TO n;"),
        ["t.update.csv": "n,id,was:id\n5,Bor,Boron\n"],
      ], left: #"t|{"n":5}|keyTaken"#),
    ownFive(
      "two tables exchange their names",
      schema: schema + "CREATE TABLE u (id INTEGER PRIMARY KEY);",
      then: [
        sql(
          "ALTER TABLE t RENAME TO x; ALTER TABLE u RENAME TO t; ALTER TABLE x RENAME TO u;",
          down: "ALTER TABLE t RENAME TO x; ALTER TABLE u RENAME TO t; ALTER TABLE x RENAME TO u;"),
        ["u.update.csv": "id,n,was:n\n5,Bor,Boron\n", "t.csv": "id\n5\n"],
      ], left: #"u|{"id":5}|keyTaken"#),
    ownFive(
      "a column is added before the new name, and dropped after it",
      then: [
        sql(
          "ALTER TABLE t ADD COLUMN x TEXT; ALTER TABLE t RENAME COLUMN id TO nr; "
            + "ALTER TABLE t DROP COLUMN x;", down: "ALTER TABLE t RENAME COLUMN nr TO id"),
        ["t.update.csv": "nr,n,was:n\n5,Bor,Boron\n"],
      ], left: #"t|{"nr":5}|keyTaken"#),
    ownFive(
      "rows that the policy would overwrite",
      policy: #""t": {"onEdited": "preferSeed"}, "t2": {"onEdited": "overwriteRow"}"#,
      then: [
        sql("ALTER TABLE t RENAME TO t2", down: "ALTER TABLE t2 RENAME TO t"),
        ["t2.delete.csv": "id,s,n\n5,B,Boron\n"],
      ], left: #"t2|{"id":5}|keyTaken"#),
    ownFive(
      "the table is made again under its own name", schema: bare, query: left,
      then: [
        sql(remade(as: "t"), down: "SELECT 1"), ["t.update.csv": "id,n,was:n\n5,Bor,Boron\n"],
      ], left: #"t|{"id":5}|keyTaken"#, shows: ""),
    ownFive(
      "and has a new name after that", schema: bare, query: left,
      then: [
        sql(
          remade(as: "t") + "ALTER TABLE t RENAME TO t2", down: "ALTER TABLE t2 RENAME TO t"),
        ["t2.update.csv": "id,n,was:n\n5,Bor,Boron\n"],
      ], left: #"t2|{"id":5}|keyTaken"#, shows: ""),
  ]

  private static func remade(as name: String) -> String {
    """
    CREATE TABLE t_new (id INTEGER PRIMARY KEY, s TEXT UNIQUE, n TEXT, note TEXT);
    INSERT INTO t_new (id, s, n) SELECT id, s, n FROM t;
    DROP TABLE t;
    ALTER TABLE t_new RENAME TO \(name);

    """
  }

  private static func known(_ files: [String: String]) -> [String: String] {
    files.merging(byName) { $1 }
  }

  static let newKeys = [
    ownFive(
      "keyTaken: the seed's row is known by its name from now on",
      then: [
        known(["t.update.csv": "s,n,was:n\nB,Bor,Boron\n"]),
        known(["t.delete.csv": "s,id,n\nB,5,Bor\n"]),
      ], left: #"t|{"s":"B"}|keyTaken"#),
    ownFive(
      "and by its number again",
      then: [
        known(["t.update.csv": "s,n,was:n\nB,Bor,Boron\n"]),
        ["t.update.csv": "id,n,was:n\n5,own,Bor\n"],
        ["t.update.csv": "id,n,was:n\n5,Bohr,own\n"],
      ], left: #"t|{"id":5}|keyTaken"#),
    ownFive(
      "the name that the seed gave it last",
      then: [
        ["t.update.csv": "id,s,was:s\n5,Bo,B\n"],
        known(["t.update.csv": "s,n,was:n\nBo,Bor,Boron\n"]),
      ], left: #"t|{"s":"Bo"}|keyTaken"#),
    NamedCase(
      name: "keyTaken: another row of the user's has the name", schema: schema, first: first,
      user: own + "; INSERT INTO t VALUES (9, 'B', 'Boron')", second: five, query: all,
      rows: rest + #";5|Q|own;9|B|Boron;t|{"id":5}|keyTaken"#, conflicts: taken,
      leaves: rest + #";5|Q|own;9|B|Boron;t|{"s":"B"}|keyTaken"#,
      then: [
        known(["t.update.csv": "s,n,was:n\nB,Bor,Boron\n"]),
        known(["t.delete.csv": "s,id,n\nB,5,Bor\n"]),
      ], returns: true),
    NamedCase(
      name: "uniqueTaken: the user's row has the name", schema: schema, first: first,
      user: "INSERT INTO t VALUES (900, 'B', 'Boron')", second: five, query: all,
      rows: rest + #";900|B|Boron;t|{"id":5}|uniqueTaken"#,
      conflicts: ["t uniqueTaken keepUser keptUser"],
      leaves: rest + #";900|B|Boron;t|{"s":"B"}|uniqueTaken"#,
      then: [known(["t.update.csv": "s,n,was:n\nB,Bor,Boron\n"])], returns: true),
    NamedCase(
      name: "editedRetired: the row that the user kept", schema: schema,
      options: #""t": {"onTaken": "replaceUser"}"#, first: first,
      user: "UPDATE t SET s = 'D', n = 'mine' WHERE id = 1",
      second: ["t.delete.csv": "id,s,n\n1,H,Hydrogen\n"], query: all,
      rows: #"1|D|mine;2|He|Helium;t|{"id":1}|editedRetired"#,
      conflicts: ["t editedRetired keepEdits keptUser"],
      leaves: #"1|D|mine;2|He|Helium;t|{"s":"D"}|editedRetired"#,
      then: [known(["t.csv": "s,n\nD,Deuterium\n"])], returns: true),
    NamedCase(
      name: "pinned: the row, whatever the user calls it", schema: schema,
      options: #""t": {"onEdited": "overwriteRow"}"#, first: first,
      user: """
        INSERT INTO seedbed_left_to_user (table_name, key, version, kind)
          VALUES ('t', '{"id":1}', 0, 'pinned');
        UPDATE t SET s = 'D' WHERE id = 1
        """,
      second: ["t.update.csv": "id,n,was:n\n1,Protium,Hydrogen\n"], query: all,
      rows: #"1|D|Hydrogen;2|He|Helium;t|{"id":1}|pinned"#,
      leaves: #"1|D|Hydrogen;2|He|Helium;t|{"s":"D"}|pinned"#,
      then: [
        known(["t.update.csv": "s,n,was:n\nHe,He,Helium\n"]),
        known(["t.update.csv": "s,n,was:n\nHe,Helium,He\n"]),
      ], returns: true),
    NamedCase(
      name: "deletedByUser: what the user makes under the name is theirs", schema: schema,
      first: first, user: "DELETE FROM t WHERE id = 1",
      second: ["t.update.csv": "id,n,was:n\n1,Protium,Hydrogen\n"], query: all,
      rows: #"2|He|Helium;t|{"id":1}|deletedByUser"#,
      conflicts: ["t deletedByUser - keptUser"],
      since: "INSERT INTO t VALUES (77, 'H', 'Protium')",
      leaves: #"2|He|Helium;77|H|Protium;t|{"s":"H"}|deletedByUser"#,
      then: [known(["t.update.csv": "s,n,was:n\nH,Hydrogenium,Protium\n"])]),
    NamedCase(
      name: "deletedByUser: a row that was retired stays deleted", schema: schema,
      first: first, user: "DELETE FROM t WHERE id = 1",
      second: ["t.delete.csv": "id,s,n\n1,H,Hydrogen\n"], query: all,
      rows: #"2|He|Helium;t|{"id":1}|deletedByUser"#,
      counts: [0, 0, 0, 1, 0], leaves: #"2|He|Helium;t|{"s":"H"}|deletedByUser"#,
      then: [
        known(["t.update.csv": "s,n,was:n\nHe,helium,Helium\n"]),
        known([
          "t.update.csv": "s,n,was:n\nHe,Helium,helium\n", "t.csv": "s,id,n\nH,1,Hydrogen\n",
        ]),
      ], returns: true),
    NamedCase(
      name: "unless another row of the catalog has the name by then", schema: schema,
      first: first, user: "DELETE FROM t WHERE id = 1",
      second: ["t.delete.csv": "id,s,n\n1,H,Hydrogen\n"], query: all,
      rows: #"2|He|Helium;t|{"id":1}|deletedByUser"#,
      leaves: #"2|He|Helium;7|H|hydrogen;t|{"id":1}|deletedByUser"#,
      then: [
        ["t.csv": "id,s,n\n7,H,Hydrogen\n"],
        known(["t.update.csv": "s,n,was:n\nH,hydrogen,Hydrogen\n"]),
      ], returns: true),
    NamedCase(
      name: "an entry whose row has no name waits, and counts again", schema: schema,
      first: ["t.csv": "id,s,n\n2,He,Helium\n3,,Lithium\n"],
      user: "DELETE FROM t WHERE id = 3",
      second: ["t.update.csv": "id,n,was:n\n3,lithium,Lithium\n"], query: all,
      rows: #"2|He|Helium;t|{"id":3}|deletedByUser"#,
      conflicts: ["t deletedByUser - keptUser"], since: "INSERT INTO t VALUES (3, 'Z', 'lithium')",
      leaves: #"2|He|helium;3|Z|lithium;t|{"id":3}|deletedByUser"#,
      then: [
        known(["t.update.csv": "s,n,was:n\nHe,helium,Helium\n"]),
        ["t.update.csv": "id,n,was:n\n3,Li,lithium\n"],
      ]),
    NamedCase(
      name: "a new column becomes the key, and goes with down", schema: schema, first: first,
      user: own, second: five, query: all, rows: rest + #";5|Q|own;t|{"id":5}|keyTaken"#,
      conflicts: taken, leaves: rest + #";5|Q|own;t|{"seed":"e5"}|keyTaken"#,
      then: [
        sql(
          "ALTER TABLE t ADD COLUMN seed TEXT; CREATE UNIQUE INDEX t_seed ON t (seed); "
            + "UPDATE t SET seed = 'e' || id WHERE id <> 5 OR s <> 'Q';",
          down: "UPDATE t SET seed = NULL; DROP INDEX t_seed; ALTER TABLE t DROP COLUMN seed;"
        ).merging([
          "migration.json": #"{"tables": {"t": {"key": ["seed"], "onEdited": "overwriteRow"}}}"#,
          "t.update.csv": "seed,n,was:n\ne5,Bor,Boron\n",
        ]) { $1 }
      ], returns: true),
  ]
}
