/// A place is a record's line alone where no field of it is wrong by itself.
extension BadCase {
  static let rows = duplicates + constraints + parents + policies

  private static let duplicates: [BadCase] = [
    .file("items.csv", "a key twice in a row", "id,name\n1,a\n1,b\n", "csv 3"),
    .file("items.csv", "a row twice", "id,name\n1,a\n1,a\n", "csv 3"),
    .file("items.csv", "a key twice, far apart", "id,name\n1,a\n2,b\n3,c\n1,d\n", "csv 5"),
    .file("items.csv", "a key twice, backwards", "id,name\n3,c\n2,b\n1,a\n3,d\n", "csv 5"),
    .file("items.csv", "a key twice, not the first column", "name,id\na,1\nb,1\n", "csv 3"),
    .file("pairs.csv", "a key of two columns twice", "a,b,c\nx,1,p\nx,2,q\nx,1,r\n", "csv 4"),
    .file("exact.csv", "a key twice after lines in quotes", "id,a\n1,\"p\nq\"\n1,r\n", "csv 4"),
    .file(
      "items.update.csv", "a key changed twice", "id,name,was:name\n10,a,ten\n10,b,ten\n",
      "csv 3"),
    .file("items.delete.csv", "a key retired twice", "id,name\n10,ten\n10,ten\n", "csv 3"),
    .file("items.csv", "a UNIQUE value twice", "id,name,code\n1,a,X\n2,b,X\n", "csv 3"),
    .file(
      "items.csv", "a UNIQUE value twice, far apart",
      "id,name,code\n1,a,X\n2,b,Y\n3,c,Z\n4,d,X\n", "csv 5"),
    BadCase(
      name: "a key in two files of one table",
      bundle: Bundle([
        "0001_case/items.a~.csv": "id,name\n1,a\n2,b\n", "0001_case/items.b~.csv": "id,name\n2,c\n",
      ]), expected: "csv 0001_case/items.b~.csv:2"),
    BadCase(
      name: "a key changed and retired",
      bundle: Bundle([
        "0001_case/items.update.csv": "id,name,was:name\n10,a,ten\n",
        "0001_case/items.delete.csv": "id,name\n11,eleven\n10,ten\n",
      ]), expected: "csv 0001_case/items.delete.csv:3"),
  ]

  private static let constraints: [BadCase] = [
    .file("items.csv", "NULL where NOT NULL is declared", "id,name\n1,\n", "constraint 2"),
    .file(
      "items.csv", "a NOT NULL column that is not in the file", "id,note\n1,x\n", "constraint 2"),
    .file("items.csv", "NULL on a later line", "id,name\n1,a\n2,b\n3,\n", "constraint 4"),
    .file("checked.csv", "a CHECK that fails", "id,n,s\n1,0,a\n", "constraint 2"),
    .file(
      "checked.csv", "a CHECK that fails later", "id,n,s\n1,1,a\n2,2,b\n3,-3,c\n", "constraint 4"),
    .file(
      "checked.csv", "a NOT NULL that fails beside a CHECK", "id,n,s\n1,1,\n", "constraint 2"),
    .file("silent.csv", "a row that a trigger ignores", "id,a\n1,x\n", "constraint 2"),
    sql(
      "a trigger that raises",
      "CREATE TRIGGER t BEFORE INSERT ON items BEGIN "
        + "SELECT RAISE(ABORT, 'no'); END;", "items.csv", "id,name\n1,a\n", "constraint 2"),
    // What it rolled back can tell no line any more.
    sql(
      "a trigger that rolls back",
      "CREATE TRIGGER t BEFORE INSERT ON items BEGIN "
        + "SELECT RAISE(ROLLBACK, 'no'); END;", "items.csv", "id,name\n1,a\n", "constraint 2"),
    sql(
      "a trigger that raises for one row",
      "CREATE TRIGGER t BEFORE INSERT ON items "
        + "WHEN NEW.id = 2 BEGIN SELECT RAISE(FAIL, 'no'); END;", "items.csv",
      "id,name\n1,a\n2,b\n3,c\n", "constraint 3"),
    sql(
      "a UNIQUE expression that two rows share", "CREATE UNIQUE INDEX u ON items (lower(note));",
      "items.csv", "id,name,note\n1,a,X\n2,b,x\n", "csv 3"),
  ]

  private static func sql(
    _ name: String, _ up: String, _ file: String, _ text: String, _ expected: String
  ) -> BadCase {
    BadCase(
      name: name, bundle: Bundle(["0001_case/up.sql": up, "0001_case/\(file)": text]),
      expected: inFile("0001_case/" + file, expected))
  }

  private static let family = """
    CREATE TABLE parent (id INTEGER PRIMARY KEY, word TEXT UNIQUE);
    CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent (id));
    """

  /// This migration makes the parents' table, so nobody can have deleted what is not there.
  private static func children(
    _ name: String, _ parents: String, _ children: String, _ expected: String
  ) -> BadCase {
    BadCase(
      name: name,
      bundle: Bundle([
        "0001_case/up.sql": family, "0001_case/parent.csv": parents,
        "0001_case/child.csv": children,
      ]), expected: inFile("0001_case/child.csv", expected))
  }

  private static let parents: [BadCase] = [
    children("a parent that is not there", "id\n1\n", "id,parent\n1,2\n", "foreignKey 2"),
    children(
      "a parent that is not there, later", "id\n1\n", "id,parent\n1,1\n2,\n3,9\n",
      "foreignKey 4"),
    children("no parent at all", "id\n", "id,parent\n7,7\n", "foreignKey 2"),
    children(
      "a parent by a name that is not there", "id,word\n1,one\n",
      "id,parent:parent.word\n1,one\n2,two\n", "foreignKey 3"),
    BadCase(
      name: "a child left behind by after.sql",
      bundle: Bundle([
        "0001_case/up.sql": family, "0001_case/parent.csv": "id\n1\n",
        "0001_case/child.csv": "id,parent\n1,1\n", "0001_case/after.sql": "DELETE FROM parent;",
      ]), expected: "foreignKey 0001_case"),
    BadCase(
      name: "an orphan that up.sql makes",
      bundle: Bundle(["0001_case/up.sql": "INSERT INTO parts VALUES (1, 77, 'x');"]),
      expected: "foreignKey 0001_case"),
    BadCase(
      name: "an orphan that up.sql makes while foreign keys are off",
      bundle: Bundle([
        "0001_case/up.sql": "DELETE FROM items WHERE id = 10;",
        "0001_case/migration.json": #"{"foreignKeys": "off"}"#,
      ]), expected: "foreignKey 0001_case"),
  ]

  private static func failing(_ name: String, _ option: String, _ file: String, _ text: String)
    -> BadCase
  {
    BadCase(
      name: name,
      bundle: Bundle([
        "catalog.json": #"{"tables": {"items": {"\#(option)": "fail"}}}"#,
        "0001_case/\(file)": text,
      ]), expected: "conflict 0001_case/\(file):2")
  }

  private static let policies: [BadCase] = [
    failing(
      "a taken key, and the policy is to fail", "onTaken", "items.csv", "id,name\n900,seed\n"),
    failing(
      "a taken UNIQUE value, and the policy is to fail", "onTaken", "items.csv",
      "id,name,code\n1,seed,U1\n"),
    failing(
      "an edited row, and the policy is to fail", "onEdited", "items.update.csv",
      "id,name,was:name\n10,dix,zehn\n"),
    failing(
      "an edited row to retire, and the policy is to fail", "onEdited", "items.delete.csv",
      "id,name\n10,zehn\n"),
    failing(
      "a row to retire that is referred to, and the policy is to fail", "onEdited",
      "items.delete.csv", "id,name,price\n10,ten,1.5\n"),
  ]
}
