/// Tables of which each owner has a copy of the catalog's rows. There are two.
extension NamedCase {
  private static let organizations = """
    CREATE TABLE orgs (id INTEGER PRIMARY KEY);
    INSERT INTO orgs VALUES (1), (2);
    """
  private static let per = #""per": {"table": "orgs", "key": "id", "column": "org"}"#
  private static let tax = """
    \(organizations)
    CREATE TABLE tax (id INTEGER PRIMARY KEY,
      org INTEGER NOT NULL REFERENCES orgs ON DELETE CASCADE, code TEXT NOT NULL,
      name TEXT, UNIQUE (org, code), UNIQUE (org, name));
    """
  private static let taxOption = #""tax": {\#(per), "key": ["code"]}"#
  private static let shown = "SELECT org, code, name FROM tax ORDER BY 1, 2"

  private static func tax(
    _ name: String, user: String, _ second: [String: String], _ rows: String, _ conflicts: [String],
    counts: [Int], leaves: String? = nil
  ) -> NamedCase {
    NamedCase(
      name: name, schema: tax, options: taxOption,
      first: ["tax.csv": "code,name\na,x\nb,y\n"], user: user, second: second, query: shown,
      rows: rows, conflicts: conflicts, counts: counts, leaves: leaves)
  }

  static let owners: [NamedCase] = [
    tax(
      "each owner gets a row", user: "", ["tax.csv": "code,name\nc,z\n"],
      "1|a|x;1|b|y;1|c|z;2|a|x;2|b|y;2|c|z", [], counts: [2, 0, 0, 0, 0]),
    tax(
      "a UNIQUE value that a user of one owner holds",
      user: "INSERT INTO tax (org, code, name) VALUES (1, 'mine', 'z')",
      ["tax.csv": "code,name\nc,z\n"], "1|a|x;1|b|y;1|mine|z;2|a|x;2|b|y;2|c|z",
      ["tax uniqueTaken keepUser keptUser"], counts: [1, 0, 0, 0, 1]),
    tax(
      "a key that a user of one owner holds",
      user: "INSERT INTO tax (org, code, name) VALUES (2, 'c', 'own')",
      ["tax.csv": "code,name\nc,z\n"], "1|a|x;1|b|y;1|c|z;2|a|x;2|b|y;2|c|own",
      ["tax keyTaken keepUser keptUser"], counts: [1, 0, 0, 0, 1]),
    tax(
      "an edit of one owner's", user: "UPDATE tax SET name = 'own' WHERE org = 1 AND code = 'a'",
      ["tax.update.csv": "code,name,was:name\na,z,x\n"], "1|a|own;1|b|y;2|a|z;2|b|y",
      ["tax edited keepEdits keptUser"], counts: [0, 1, 0, 0, 1]),
    tax(
      "a row that one owner deleted", user: "DELETE FROM tax WHERE org = 1 AND code = 'a'",
      ["tax.update.csv": "code,name,was:name\na,z,x\n"], "1|b|y;2|a|z;2|b|y",
      ["tax deletedByUser - keptUser"], counts: [0, 1, 0, 0, 1]),
    tax(
      "a row to retire that one owner edited",
      user: "UPDATE tax SET name = 'own' WHERE org = 2 AND code = 'a'",
      ["tax.delete.csv": "code,name\na,x\n"], "1|b|y;2|a|own;2|b|y",
      ["tax editedRetired keepEdits keptUser"], counts: [0, 0, 1, 0, 1]),
    tax(
      "a new key that a user of one owner holds",
      user: "INSERT INTO tax (org, code, name) VALUES (2, 'c', 'own')",
      ["tax.update.csv": "code,was:code\nc,a\n"], "1|b|y;1|c|x;2|a|x;2|b|y;2|c|own",
      ["tax keyTaken keepUser keptUser"], counts: [0, 1, 0, 0, 1]),
    tax(
      "keys that two rows exchange, of which one owner has one",
      user: "DELETE FROM tax WHERE org = 1 AND code = 'a'",
      ["tax.update.csv": "code,was:code\nb,a\na,b\n"], "1|a|y;2|a|y;2|b|x",
      ["tax deletedByUser - keptUser"], counts: [0, 3, 0, 0, 1]),
    tax(
      "an owner that is gone, and one who has its id",
      user: """
        PRAGMA foreign_keys = 1; DELETE FROM tax WHERE org = 1 AND code = 'a';
        DELETE FROM orgs WHERE id = 1; INSERT INTO orgs VALUES (1)
        """,
      ["tax.update.csv": "code,name,was:name\na,z,x\n"], "1|a|z;1|b|y;2|a|z;2|b|y", [],
      counts: [0, 1, 0, 0, 0], leaves: "1|a|x;1|b|y;2|a|x;2|b|y"),
  ]

  /// Rows that refer to rows of the same owner by their names.
  private static func uses(
    _ name: String, user: String, _ second: [String: String], _ rows: String,
    _ conflicts: [String], leaves: String? = nil
  ) -> NamedCase {
    NamedCase(
      name: name,
      schema: tax + """
        CREATE TABLE uses (org INTEGER NOT NULL REFERENCES orgs ON DELETE CASCADE, id INTEGER,
          tax INTEGER REFERENCES tax, PRIMARY KEY (org, id));
        """,
      options: taxOption + #", "uses": {\#(per)}"#,
      first: ["tax.csv": "code,name\na,x\nb,y\n", "uses.csv": "id,tax:tax.code\n7,a\n"], user: user,
      second: second,
      query: """
        SELECT u.org, u.id, t.org, t.code, t.name FROM uses AS u LEFT JOIN tax AS t ON t.id = u.tax
        ORDER BY 1, 2
        """,
      rows: rows, conflicts: conflicts, leaves: leaves)
  }

  static let namesOfOwners: [NamedCase] = [
    uses(
      "both owners have a row with the name", user: "", ["uses.csv": "id,tax:tax.name\n8,y\n"],
      "1|7|1|a|x;1|8|1|b|y;2|7|2|a|x;2|8|2|b|y", []),
    uses(
      "only another owner has a row with the name",
      user: "UPDATE tax SET name = 'own' WHERE org = 1 AND code = 'b'",
      ["uses.csv": "id,tax:tax.name\n8,y\n"], "1|7|1|a|x;2|7|2|a|x;2|8|2|b|y",
      ["uses parentDeleted - skipped"]),
    uses(
      "a row to retire to which one owner's own row refers",
      user: """
        INSERT INTO uses SELECT 1, 70, id FROM tax WHERE org = 1 AND code = 'b'
        """,
      ["tax.delete.csv": "code,name\nb,y\n"], "1|7|1|a|x;1|70|1|b|y;2|7|2|a|x",
      ["tax referenced keepEdits keptUser"]),
    uses(
      "a row to retire to which a row of another owner refers",
      user: """
        INSERT INTO uses SELECT 1, 70, id FROM tax WHERE org = 2 AND code = 'b'
        """,
      ["tax.delete.csv": "code,name\nb,y\n"], "1|7|1|a|x;1|70|2|b|y;2|7|2|a|x",
      ["tax referenced keepEdits keptUser"]),
    uses(
      "a reference that a user pointed to another owner's row",
      user: "UPDATE uses SET tax = (SELECT id FROM tax WHERE org = 2 AND code = 'b') WHERE org = 1",
      ["uses.update.csv": "id,tax:tax.code,was:tax:tax.code\n7,b,a\n"], "1|7|2|b|y;2|7|2|b|y",
      ["uses edited keepEdits keptUser"]),
    uses(
      "a new key of a row to which a row of another owner refers",
      user: """
        INSERT INTO uses SELECT 1, 70, id FROM tax WHERE org = 2 AND code = 'b';
        INSERT INTO tax (org, code, name) VALUES (2, 'c', 'own')
        """,
      ["tax.update.csv": "code,was:code\nc,b\n"], "1|7|1|a|x;1|70|2|b|y;2|7|2|a|x",
      ["tax keyTaken keepUser keptUser"]),
  ]

  /// The owner in each of them makes them no one value.
  static let referencesOfOwners: [NamedCase] = [
    NamedCase(
      name: "one of two references lacks its row",
      schema: tax + """
        CREATE TABLE links (org INTEGER NOT NULL REFERENCES orgs ON DELETE CASCADE, id INTEGER,
          one TEXT, two TEXT, PRIMARY KEY (org, id),
          FOREIGN KEY (org, one) REFERENCES tax (org, code),
          FOREIGN KEY (org, two) REFERENCES tax (org, code));
        """,
      options: taxOption + #", "links": {\#(per)}"#,
      first: ["tax.csv": "code,name\na,x\nb,y\nc,z\n", "links.csv": "id,one,two\n7,a,a\n"],
      user: "DELETE FROM tax WHERE org = 1 AND code = 'c'",
      second: ["links.update.csv": "id,one,two,was:one,was:two\n7,b,c,a,a\n"],
      query: "SELECT org, id, one, two FROM links ORDER BY 1", rows: "1|7|b|a;2|7|b|c",
      conflicts: ["links parentDeleted - skipped"], counts: [0, 2, 0, 0, 0])
  ]
}
