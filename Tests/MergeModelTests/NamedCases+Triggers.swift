/// Triggers and generated columns that keep a row from stepping aside.
extension NamedCase {
  private static func family(_ more: String) -> String {
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); \(more)"
  }
  private static let child = "CREATE TABLE c (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t);"
  private static func trigger(_ event: String, _ answer: String) -> String {
    "CREATE TRIGGER g BEFORE \(event) BEGIN SELECT RAISE(\(answer)); END;"
  }
  private static let two = ["t.csv": "id,a\n1,x\n2,y\n"]
  private static let exchange = ["t.update.csv": "id,was:id\n2,1\n1,2\n"]
  private static let bothKept = Array(repeating: "t referenced keepEdits keptUser", count: 2)

  static let keysThatStay = [
    NamedCase(
      name: "a key that a user's row has is theirs, though a rule refuses all of the row",
      schema: "CREATE TABLE t (id TEXT PRIMARY KEY, a INTEGER, b INTEGER, CHECK (a <= b));",
      options: #""t": {"onEdited": "preferSeed"}"#, first: ["t.csv": "id,a,b\nx,1,9\n"],
      user: "UPDATE t SET a = 5; INSERT INTO t VALUES ('y', 1, 3)",
      second: ["t.update.csv": "id,b,was:id,was:b\ny,2,x,9\n"], rows: "x|5|9;y|1|3",
      conflicts: ["t edited preferSeed keptUser", "t keyTaken keepUser keptUser"],
      leaves: "x|5|9;y|1|3", then: [["t.delete.csv": "id,a,b\ny,1,2\n"]]),
    NamedCase(
      name: "a trigger ignores one of two rows that exchange keys",
      schema: family(child + trigger("UPDATE OF id ON t WHEN old.id = 1", "IGNORE")), first: two,
      user: "INSERT INTO c VALUES (8, 1), (9, 2)", second: exchange,
      query: "SELECT id, a FROM t UNION ALL SELECT id, t FROM c", rows: "1|x;2|y;8|1;9|2",
      conflicts: bothKept, counts: [0, 0, 0, 0, 2]),
    NamedCase(
      name: "a trigger refuses one of them",
      schema: family(trigger("UPDATE OF id ON t WHEN old.id = 1", "ABORT, 'no'")), first: two,
      second: exchange, rows: "1|x;2|y", conflicts: bothKept),
    NamedCase(
      name: "a trigger refuses the keys that nobody has",
      schema: family(trigger("UPDATE OF id ON t WHEN new.id < 0", "ABORT, 'no'")), first: two,
      second: exchange, rows: "1|x;2|y", conflicts: bothKept),
    NamedCase(
      name: "a trigger ignores what refers to one of them",
      schema: family(child + trigger("UPDATE ON c", "IGNORE")), first: two,
      user: "INSERT INTO c VALUES (9, 1)", second: exchange,
      query: "SELECT id, a FROM t UNION ALL SELECT id, t FROM c", rows: "1|x;2|y;9|1",
      conflicts: bothKept),
    NamedCase(
      name: "a generated column refers to one of them",
      schema: family(
        "CREATE TABLE c (id INTEGER PRIMARY KEY, n INTEGER, "
          + "t INTEGER AS (n) STORED REFERENCES t);"),
      first: two, user: "INSERT INTO c VALUES (9, 1)", second: exchange,
      query: "SELECT id, a FROM t UNION ALL SELECT id, t FROM c", rows: "1|x;2|y;9|1",
      conflicts: bothKept),
    NamedCase(
      name: "the others of a chain get their keys",
      schema: family(trigger("UPDATE OF id ON t WHEN old.id = 2", "IGNORE")),
      first: ["t.csv": "id,a\n1,x\n2,y\n3,z\n"],
      second: ["t.update.csv": "id,was:id\n2,1\n3,2\n4,3\n"], rows: "1|x;2|y;4|z",
      conflicts: ["t keyTaken keepUser keptUser", "t referenced keepEdits keptUser"],
      counts: [0, 1, 0, 0, 2], goesBack: false),
  ]

  private static let swap = ["t.update.csv": "id,a,was:a\n1,y,x\n2,x,y\n"]
  private static let required = trigger("UPDATE OF a ON t WHEN new.a IS NULL", "ABORT, 'required'")
  private static let refusal = "2_second/t.update.csv:2: The table 't' does not take this row: "

  static let valuesThatStay = [
    NamedCase(
      name: "a trigger refuses the NULL of rows that exchange UNIQUE values",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE); " + required, first: two,
      second: swap, rows: "", error: refusal + "required."),
    NamedCase(
      name: "a trigger refuses the mark of such rows",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE); "
        + trigger("UPDATE OF a ON t WHEN length(new.a) > 3", "ABORT, 'too long'"),
      first: two, second: swap, rows: "", error: refusal + "too long."),
    NamedCase(
      name: "rows that users edited stay as they are",
      schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT); " + required,
      first: ["t.csv": "id,a,b\n1,x,p\n2,y,q\n"], user: "UPDATE t SET b = 'mine'",
      second: ["t.update.csv": "id,a,b,was:a,was:b\n1,y,P,x,p\n2,x,Q,y,q\n"],
      rows: "1|x|mine;2|y|mine",
      conflicts: Array(repeating: "t edited keepEdits keptUser", count: 2)),
  ]
}
