/// Rows of disposable tables go with a retired row.
extension NamedCase {
  /// `h` refers to `e` with this action, `g` to `h`, `n` to `e`.
  private static func schema(_ action: String = "", h: String = "") -> String {
    """
    CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);
    CREATE TABLE h (id INTEGER PRIMARY KEY, e INTEGER NOT NULL REFERENCES e \(action)) \(h);
    CREATE TABLE g (id INTEGER PRIMARY KEY, h INTEGER REFERENCES h);
    CREATE TABLE n (id INTEGER PRIMARY KEY, e INTEGER REFERENCES e);
    """
  }
  private static let disposable = #""e": {"disposable": ["h"]}"#
  private static let both = disposable + #", "h": {"disposable": ["g"]}"#
  private static let parents = ["e.csv": "id,a\n1,x\n2,y\n"]
  private static let retire = ["e.delete.csv": "id,a\n2,y\n"]
  private static let history = "INSERT INTO h VALUES (5, 1); INSERT INTO h VALUES (6, 2)"
  private static let all = """
    SELECT 'e', id FROM e UNION ALL SELECT 'h', id FROM h UNION ALL SELECT 'g', id FROM g
    UNION ALL SELECT 'n', id FROM n
    """

  static let disposables =
    ["", "ON DELETE RESTRICT", "ON DELETE CASCADE", "ON DELETE SET NULL"].map { action in
      NamedCase(
        name: "a disposable child goes with its parent \(action)", schema: schema(action),
        options: disposable, first: parents, user: history, second: retire, query: all,
        rows: "e|1;h|5", counts: [0, 0, 1, 0, 0], goesBack: false)
    } + [
      NamedCase(
        name: "so does one of a table WITHOUT ROWID", schema: schema(h: "WITHOUT ROWID"),
        options: disposable, first: parents, user: history, second: retire, query: all,
        rows: "e|1;h|5", goesBack: false),
      NamedCase(
        name: "so does one whose key follows a user's row that moves",
        schema: """
          CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);
          CREATE TABLE h (of INTEGER REFERENCES e, e INTEGER REFERENCES e, PRIMARY KEY (of))
            WITHOUT ROWID;
          """,
        options: #""e": {"disposable": ["h"], "onTaken": "moveUser"}"#, first: parents,
        user: "INSERT INTO e VALUES (12, 'mine'); INSERT INTO h VALUES (12, 2)",
        second: ["e.delete.csv": "id,a\n2,y\n", "e.csv": "id,a\n12,z\n"],
        query: "SELECT 'e', id, a FROM e UNION ALL SELECT 'h', of, e FROM h",
        rows: "e|1|x;e|12|z;e|13|mine", conflicts: ["e keyTaken moveUser moved"],
        counts: [1, 0, 1, 0, 0], goesBack: false),
      NamedCase(
        name: "and then a row that no longer refers to it stays",
        schema: """
          CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);
          CREATE TABLE h (of INTEGER REFERENCES e, e INTEGER REFERENCES e, PRIMARY KEY (of));
          CREATE TABLE n (id INTEGER PRIMARY KEY, h INTEGER REFERENCES h (of) ON DELETE CASCADE);
          """,
        options: #""e": {"disposable": ["h"], "onTaken": "moveUser"}, "#
          + #""n": {"onEdited": "preferSeed"}"#,
        first: [
          "e.csv": "id,a\n1,x\n2,y\n3,z\n", "h.csv": "of,e\n1,1\n2,1\n",
          "n.csv": "id,h\n7,1\n",
        ],
        user: "INSERT INTO e VALUES (12, 'mine'); INSERT INTO h VALUES (12, 3);"
          + "UPDATE n SET h = 12",
        second: [
          "e.delete.csv": "id,a\n3,z\n", "e.csv": "id,a\n12,w\n",
          "n.update.csv": "id,h,was:h\n7,2,1\n",
        ],
        query: "SELECT 'e', id, a FROM e UNION ALL SELECT 'h', of, e FROM h "
          + "UNION ALL SELECT 'n', id, h FROM n",
        rows: "e|1|x;e|2|y;e|12|w;e|13|mine;h|1|1;h|2|1;n|7|2",
        conflicts: ["e keyTaken moveUser moved", "n edited preferSeed tookSeed"],
        goesBack: false),
      NamedCase(
        name: "beside a user's row that moves, it goes after rows that refer to it no longer do",
        schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT, "
          + "e INTEGER REFERENCES e ON DELETE CASCADE);",
        options: #""e": {"disposable": ["e"], "onTaken": "moveUser"}"#,
        first: ["e.csv": "id,a,e\n1,x,\n2,y,1\n3,z,2\n"],
        user: "INSERT INTO e VALUES (5, 'mine', NULL)",
        second: [
          "e.update.csv": "id,e,was:e\n3,3,2\n", "e.delete.csv": "id,a,e\n1,x,\n",
          "e.csv": "id,a,e\n5,w,3\n",
        ],
        query: "SELECT * FROM e ORDER BY 1", rows: "3|z|3;5|w|3;6|mine|NULL",
        conflicts: ["e keyTaken moveUser moved"], counts: [1, 1, 1, 0, 0], goesBack: false),
      NamedCase(
        name: "so does one that only the options know",
        schema:
          "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);"
          + "CREATE TABLE h (id INTEGER PRIMARY KEY, e TEXT COLLATE NOCASE);",
        options: #""e": {"references": {"h": ["e"]}, "disposable": ["H"]}"#, first: parents,
        user: "INSERT INTO h VALUES (5, 1); INSERT INTO h VALUES (6, '2')", second: retire,
        query: "SELECT * FROM h", rows: "5|1", counts: [0, 0, 1, 0, 0], goesBack: false),
      NamedCase(
        name: "a disposable child that a row refers to stays, and so does its parent",
        schema: schema(), options: disposable, first: parents,
        user: history + "; INSERT INTO g VALUES (7, 6)", second: retire, query: all,
        rows: "e|1;e|2;h|5;h|6;g|7", conflicts: ["e referenced keepEdits keptUser"],
        counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "disposable children of disposable children go too", schema: schema(),
        options: both, first: parents,
        user: history + "; INSERT INTO g VALUES (7, 6); INSERT INTO g VALUES (8, 5)",
        second: retire, query: all, rows: "e|1;h|5;g|8", counts: [0, 0, 1, 0, 0],
        goesBack: false),
      NamedCase(
        name: "they stay with a parent that something else keeps", schema: schema(),
        options: both, first: parents,
        user: history + "; INSERT INTO g VALUES (7, 6); INSERT INTO n VALUES (9, 2)",
        second: retire, query: all, rows: "e|1;e|2;h|5;h|6;g|7;n|9",
        conflicts: ["e referenced keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "they stay with a parent that the user edited", schema: schema(), options: both,
        first: parents, user: history + "; UPDATE e SET a = 'mine' WHERE id = 2", second: retire,
        query: all, rows: "e|1;e|2;h|5;h|6", conflicts: ["e editedRetired keepEdits keptUser"],
        counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "one kept child keeps the parent and all its other children", schema: schema(),
        options: disposable, first: parents,
        user: history + "; INSERT INTO h VALUES (7, 2); INSERT INTO g VALUES (8, 7)",
        second: retire, query: all, rows: "e|1;e|2;h|5;h|6;h|7;g|8",
        conflicts: ["e referenced keepEdits keptUser"], counts: [0, 0, 0, 0, 1]),
      NamedCase(
        name: "what the same migration retires keeps nothing", schema: schema(),
        options: disposable,
        first: parents.merging(["h.csv": "id,e\n4,2\n", "g.csv": "id,h\n3,4\n"]) { $1 },
        user: "INSERT INTO h VALUES (6, 2)",
        second: retire.merging(["g.delete.csv": "id,h\n3,4\n"]) { $1 }, query: all,
        rows: "e|1", goesBack: false),
      NamedCase(
        name: "a disposable row that its own file keeps stays",
        schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);"
          + "CREATE TABLE h (id INTEGER PRIMARY KEY, e INTEGER REFERENCES e, a TEXT);",
        options: disposable, first: parents.merging(["h.csv": "id,e,a\n4,2,z\n"]) { $1 },
        user: "UPDATE h SET a = 'mine'",
        second: retire.merging(["h.delete.csv": "id,e,a\n4,2,z\n"]) { $1 },
        query: "SELECT e.id, h.id FROM e LEFT JOIN h ON h.e = e.id", rows: "1|NULL;2|4",
        conflicts: ["h editedRetired keepEdits keptUser", "e referenced keepEdits keptUser"]),
      NamedCase(
        name: "a disposable row that the same migration changes stays",
        schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);"
          + "CREATE TABLE h (id INTEGER PRIMARY KEY, e INTEGER REFERENCES e, a TEXT);",
        options: disposable, first: parents.merging(["h.csv": "id,e,a\n4,1,z\n"]) { $1 },
        user: "UPDATE h SET e = 2",
        second: retire.merging(["h.update.csv": "id,a,was:a\n4,new,z\n"]) { $1 },
        query: "SELECT e.id, h.a FROM e LEFT JOIN h ON h.e = e.id", rows: "1|NULL;2|new",
        conflicts: ["e referenced keepEdits keptUser"]),
      NamedCase(
        name: "a row whose key a file names does not go with its parent", schema: schema(),
        options: disposable,
        first: parents, user: history,
        second: retire.merging(["h.csv": "id,e\n6,1\n"]) { $1 }, query: all,
        rows: "e|1;e|2;h|5;h|6",
        conflicts: ["e referenced keepEdits keptUser", "h keyTaken keepUser keptUser"],
        goesBack: false),
      NamedCase(
        name: "a row that an update points elsewhere stays, also where it waits for a value",
        schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);"
          + "CREATE TABLE h (id INTEGER PRIMARY KEY, e INTEGER REFERENCES e, u TEXT UNIQUE);",
        options: disposable, first: parents.merging(["h.csv": "id,e,u\n4,2,x\n5,1,y\n"]) { $1 },
        second: retire.merging([
          "h.update.csv": "id,e,was:e,u,was:u\n4,1,2,y,x\n5,1,1,x,y\n"
        ]) { $1 },
        query: "SELECT h.id, e.id, u FROM e JOIN h ON h.e = e.id ORDER BY 1",
        rows: "4|1|y;5|1|x"),
      NamedCase(
        name: "a row that refers to a parent that stays too goes all the same",
        schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);"
          + "CREATE TABLE h (id INTEGER PRIMARY KEY, "
          + "e INTEGER REFERENCES e, f INTEGER REFERENCES e);",
        options: disposable, first: parents,
        user: "INSERT INTO h VALUES (5, 1, 2); INSERT INTO h VALUES (6, 1, 1)", second: retire,
        query: "SELECT id FROM h", rows: "6", goesBack: false),
      NamedCase(
        name: "what one held is free for a row to add, for one to change only the next time",
        schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, a TEXT);"
          + "CREATE TABLE h (id INTEGER PRIMARY KEY, e INTEGER REFERENCES e, u TEXT UNIQUE);",
        options: disposable, first: parents.merging(["h.csv": "id,e,u\n4,1,x\n"]) { $1 },
        user: "INSERT INTO h VALUES (6, 2, 'y'); INSERT INTO h VALUES (7, 2, 'z')",
        second: retire.merging([
          "h.update.csv": "id,u,was:u\n4,y,x\n", "h.csv": "id,e,u\n5,1,z\n",
        ]) { $1 },
        query: "SELECT e.id, h.id, u FROM e LEFT JOIN h ON h.e = e.id ORDER BY 1, 2",
        rows: "1|4|x;1|5|z", conflicts: ["h uniqueTaken keepUser keptUser"],
        inverse: "1|4|x;2|NULL|NULL", again: "1|4|y;1|5|z"),
      NamedCase(
        name: "a tree whose users' branches are disposable",
        schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES t);",
        options: #""t": {"disposable": ["t"]}"#, first: ["t.csv": "id,p\n1,\n2,1\n3,2\n"],
        user:
          "INSERT INTO t VALUES (7, 2); INSERT INTO t VALUES (8, 7); INSERT INTO t VALUES (9, 1)",
        second: ["t.delete.csv": "id,p\n2,1\n3,2\n"], rows: "1|NULL;9|1",
        counts: [0, 0, 2, 0, 0], goesBack: false),
    ]
}
