/// A reference to a user's row is the user's, even if a release means another row by its key.
extension NamedCase {
  private static let schema = """
    CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id));
    """
  private static let own = "INSERT INTO p VALUES (7, 'mine'); UPDATE c SET p = 7"
  private static let comes = ["p.csv": "id,a\n7,seed\n", "c.update.csv": "id,p,was:p\n5,7,\n"]
  private static let children = "SELECT id, p FROM c"

  static let ownReferences = [
    NamedCase(
      name: "a reference to a user's row stays when its release is taken back", schema: schema,
      first: ["c.csv": "id,p\n5,\n"], user: own, second: comes, query: children, rows: "5|7",
      conflicts: ["p keyTaken keepUser keptUser"]),
    NamedCase(
      name: "and when the next release refers to another row", schema: schema,
      first: ["p.csv": "id,a\n1,x\n", "c.csv": "id,p\n5,\n"], user: own, second: comes,
      query: children, rows: "5|7", conflicts: ["p keyTaken keepUser keptUser"], leaves: "5|7",
      then: [["c.update.csv": "id,p,was:p\n5,1,7\n"]], returns: true),
    NamedCase(
      name: "its row is edited, and does not retire", schema: schema,
      first: ["c.csv": "id,p\n5,\n"], user: own, second: comes, query: children, rows: "5|7",
      conflicts: ["p keyTaken keepUser keptUser"], leaves: "5|7",
      then: [["c.delete.csv": "id,p\n5,7\n"]]),
    NamedCase(
      name: "so is one to a row that was made where another was deleted", schema: schema,
      first: ["p.csv": "id,a\n7,seed\n", "c.csv": "id,p\n5,\n"], user: "DELETE FROM p",
      second: ["p.update.csv": "id,a,was:a\n7,new,seed\n", "c.update.csv": "id,p,was:p\n5,7,\n"],
      query: children, rows: "5|NULL",
      conflicts: ["p deletedByUser - keptUser", "c parentDeleted - skipped"], since: own,
      leaves: "5|7", then: [["c.update.csv": "id,p,was:p\n5,,7\n"]]),
    NamedCase(
      name: "one to a row that was kept is as the release has it", schema: schema,
      first: ["p.csv": "id,a\n1,x\n7,seed\n", "c.csv": "id,p\n5,7\n"],
      user: "UPDATE p SET a = 'mine' WHERE id = 7",
      second: ["p.delete.csv": "id,a\n7,seed\n", "c.update.csv": "id,p,was:p\n5,1,7\n"],
      query: children, rows: "5|1", conflicts: ["p editedRetired keepEdits keptUser"]),
  ]
}
