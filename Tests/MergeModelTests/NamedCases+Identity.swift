/// Rows that took a freed id are not the seed's.
extension NamedCase {
  private static let schema = """
    CREATE TABLE e (id INTEGER PRIMARY KEY, s TEXT, a TEXT);
    CREATE TABLE d (id INTEGER PRIMARY KEY, e INTEGER REFERENCES e);
    """
  private static let option = #""e": {"identity": ["s"]}"#
  private static let rows = ["e.csv": "id,s,a\n1,H,x\n2,He,y\n"]
  private static let update = ["e.update.csv": "id,was:s,a,was:a\n2,He,new,y\n"]
  private static let reuse = "DELETE FROM e WHERE id = 2; INSERT INTO e VALUES (2, 'mine', 'y')"
  private static let all = "SELECT 'e', id, s, a FROM e UNION ALL SELECT 'd', id, e, NULL FROM d"

  static let identities = [
    NamedCase(
      name: "an update of the seed's row", schema: schema, options: option, first: rows,
      second: update, query: all, rows: "e|1|H|x;e|2|He|new", counts: [0, 1, 0, 0, 0]),
    NamedCase(
      name: "an update of a row that took the id", schema: schema, options: option, first: rows,
      user: reuse, second: update, query: all, rows: "e|1|H|x;e|2|mine|y",
      conflicts: ["e deletedByUser - keptUser"], counts: [0, 0, 0, 0, 1]),
    NamedCase(
      name: "an update that overwrites leaves it too", schema: schema,
      options: #""e": {"identity": ["S"], "onEdited": "overwriteRow"}"#, first: rows, user: reuse,
      second: ["e.update.csv": "id,was:s,a\n2,He,new\n"], query: all,
      rows: "e|1|H|x;e|2|mine|y", conflicts: ["e deletedByUser - keptUser"],
      counts: [0, 0, 0, 0, 1], goesBack: false),
    NamedCase(
      name: "and is nothing that 'fail' covers", schema: schema,
      options: #""e": {"identity": ["s"], "onEdited": "fail"}"#, first: rows, user: reuse,
      second: update, query: all, rows: "e|1|H|x;e|2|mine|y",
      conflicts: ["e deletedByUser - keptUser"]),
    NamedCase(
      name: "an update of the column itself, from the old value and from the new one",
      schema: schema, options: option, first: rows, user: "UPDATE e SET s = 'D' WHERE id = 1",
      second: ["e.update.csv": "id,s,was:s,a,was:a\n1,D,H,new,x\n2,Ho,He,new,y\n"], query: all,
      rows: "e|1|D|new;e|2|Ho|new", counts: [0, 2, 0, 0, 0], inverse: "e|1|H|x;e|2|He|y"),
    NamedCase(
      name: "where it is neither, the row is another", schema: schema, options: option,
      first: rows, user: "UPDATE e SET s = 'T' WHERE id = 1",
      second: ["e.update.csv": "id,s,was:s\n1,D,H\n"], query: all, rows: "e|1|T|x;e|2|He|y",
      conflicts: ["e deletedByUser - keptUser"]),
    NamedCase(
      name: "an edit of another column is one", schema: schema, options: option, first: rows,
      user: "UPDATE e SET a = 'mine' WHERE id = 2", second: update, query: all,
      rows: "e|1|H|x;e|2|He|mine", conflicts: ["e edited keepEdits keptUser"]),
    NamedCase(
      name: "a row to retire whose id another took is gone", schema: schema, options: option,
      first: rows, user: reuse, second: ["e.delete.csv": "id,s,a\n1,H,x\n2,He,y\n"], query: all,
      rows: "e|2|mine|y", counts: [0, 0, 1, 1, 0]),
    NamedCase(
      name: "children of a row that took the id are not shipped", schema: schema, options: option,
      first: rows, user: reuse,
      second: update.merging(["d.csv": "id,e\n7,1\n8,2\n"]) { $1 }, query: all,
      rows: "e|1|H|x;e|2|mine|y;d|7|1|NULL",
      conflicts: ["e deletedByUser - keptUser", "d parentTaken - skipped"]),
    NamedCase(
      name: "a key that changes does not take along a row that took the id", schema: schema,
      options: option, first: rows, user: reuse,
      second: ["e.update.csv": "id,was:id,was:s\n8,1,H\n9,2,He\n"], query: all,
      rows: "e|2|mine|y;e|8|H|x", conflicts: ["e deletedByUser - keptUser"],
      counts: [0, 1, 0, 0, 1]),
    NamedCase(
      name: "two columns, one of them NULL",
      schema: "CREATE TABLE e (id INTEGER PRIMARY KEY, s TEXT, t REAL, a TEXT);",
      options: #""e": {"identity": ["s", "t"]}"#, first: ["e.csv": "id,s,t,a\n1,,1.5,x\n2,,,y\n"],
      user: "UPDATE e SET t = 2 WHERE id = 2",
      second: ["e.update.csv": "id,was:s,was:t,a,was:a\n1,,1.5,new,x\n2,,,new,y\n"],
      query: "SELECT * FROM e", rows: "1|NULL|1.5|new;2|NULL|2.0|y",
      conflicts: ["e deletedByUser - keptUser"]),
  ]
}
