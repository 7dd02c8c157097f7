import Testing

@testable import Seedbed

/// What an empty field is under the option `"empty": "text"`, and without it.
struct EmptyFieldTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var columns = "id INTEGER PRIMARY KEY, v TEXT NOT NULL"
    var options = #""empty": "text""#
    var files: [String: String]
    /// What is in the table, or the error.
    var rows: [String] = []
    var error: String?

    var testDescription: String { name }
  }

  static let quoted = ["0001_t/t.csv": "id,v\n1,\"\"\n2,x\n"]
  static let refused = "0001_t/t.csv:2: The table 't' does not take this row: NOT NULL constraint "

  static let cases = [
    Case(
      name: "in a file to insert", files: ["0001_t/t.csv": "id,v\n1,\n2,x\n"], rows: ["1|", "2|x"]),
    Case(
      name: "as a new value",
      files: ["0001_t/t.csv": "id,v\n1,a\n2,x\n", "0002_t/t.update.csv": "id,v,was:v\n1,,a\n"],
      rows: ["1|", "2|x"]),
    Case(
      name: "as an old value",
      files: quoted.merging(["0002_t/t.update.csv": "id,v,was:v\n1,b,\n"]) { $1 },
      rows: ["1|b", "2|x"]),
    Case(
      name: "as the row was that goes",
      files: quoted.merging(["0002_t/t.delete.csv": "id,v\n1,\n"]) { $1 }, rows: ["2|x"]),
    Case(
      name: "in each of several files",
      files: ["0001_t/t.a~.csv": "id,v\n1,\n", "0001_t/t.b~.csv": "v,id\n,2\n"],
      rows: ["1|", "2|"]),
    Case(
      name: "of a type with the affinity of a text",
      columns: "id INTEGER PRIMARY KEY, v VARCHAR(20) NOT NULL, w CLOB NOT NULL",
      files: ["0001_t/t.csv": "id,v,w\n1,,\n"], rows: ["1||"]),
    Case(
      name: "NULL, if the column may be NULL", columns: "id INTEGER PRIMARY KEY, v TEXT",
      files: quoted.merging(["0002_t/t.csv": "id,v\n3,\n"]) { $1 }, rows: ["1|", "2|x", "3|NULL"]),
    Case(
      name: "NULL in a column of numbers", columns: "id INTEGER PRIMARY KEY, v INTEGER NOT NULL",
      files: ["0001_t/t.csv": "id,v\n1,\n"],
      error: refused + "failed: t.v. An empty field is NULL: give it a value."),
    Case(
      name: "NULL in a column without a type", columns: "id INTEGER PRIMARY KEY, v NOT NULL",
      files: ["0001_t/t.csv": "id,v\n1,\n"],
      error: refused + "failed: t.v. An empty field is NULL: give it a value."),
    Case(
      name: "NULL, if the fields are bytes", options: #""empty": "text", "blobs": {"v": "hex"}"#,
      files: ["0001_t/t.csv": "id,v\n1,\n"],
      error: refused + "failed: t.v. An empty field is NULL: give it a value."),
    Case(
      name: "as the option says of a column", columns: "id INTEGER PRIMARY KEY, v TEXT, w TEXT",
      options: #""empty": {"V": "text"}"#,
      files: [
        "0001_t/t.csv": "id,v,w\n1,,\n2,b,\n", "0002_t/t.update.csv": "id,v,was:v\n1,a,\n2,,b\n",
      ], rows: ["1|a|NULL", "2||NULL"]),
    Case(
      name: "NULL in a column that the option does not name",
      options: #""empty": {"id": "text"}"#, files: ["0001_t/t.csv": "id,v\n1,\n"],
      error: refused
        + "failed: t.v. An empty field is NULL. For the empty text write \"\", or give "
        + "the table the option \"empty\": \"text\"."),
    Case(
      name: "as the option says of a column that has another name now",
      columns: "id INTEGER PRIMARY KEY, v TEXT", options: #""empty": {"v": "text", "w": "text"}"#,
      files: [
        "0001_t/t.csv": "id,v\n1,\n", "0002_t/up.sql": "ALTER TABLE t RENAME COLUMN v TO w;",
        "0002_t/down.sql": "ALTER TABLE t RENAME COLUMN w TO v;",
        "0002_t/t.update.csv": "id,w,was:w\n1,a,\n",
      ], rows: ["1|a"]),
    Case(
      name: "NULL without the option", options: #""empty": "null""#,
      files: ["0001_t/t.csv": "id,v\n1,\n"],
      error: refused
        + "failed: t.v. An empty field is NULL. For the empty text write \"\", or give "
        + "the table the option \"empty\": \"text\"."),
    Case(
      name: "no key", columns: "k TEXT NOT NULL PRIMARY KEY, v TEXT NOT NULL",
      files: ["0001_t/t.csv": "k,v\n,x\n"],
      error: "0001_t/t.csv:2:1: The key column 'k' is empty. Every row needs its key."),
    Case(
      name: "nothing that a file leaves out", files: ["0001_t/t.csv": "id\n1\n"],
      error: refused + "failed: t.v."),
  ]

  @Test(arguments: cases)
  func `an empty field is`(_ example: Case) throws {
    var files = example.files
    files["catalog.json"] = #"{"tables": {"t": {\#(example.options)}}}"#
    files["0001_t/up.sql"] = "CREATE TABLE t (\(example.columns));"
    files["0001_t/down.sql"] = "DROP TABLE t;"
    let device = try Device(files)
    if let error = example.error {
      #expect(try device.failure().description == error)
      return
    }
    try device.up()
    #expect(try device.rows("SELECT * FROM t ORDER BY 1") == example.rows)
    #expect(try device.conflicts() == [])
    // Backwards the same files say the same.
    _ = try device.migrator().down(to: 0)
    try device.up()
    #expect(try device.rows("SELECT * FROM t ORDER BY 1") == example.rows)
    #expect(try device.conflicts() == [])
  }

  @Test func `an empty name is no reference, whatever names are like`() throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"p": {"empty": "text"}, "t": {"empty": "text"}}}"#,
      "0001_t/up.sql": """
      CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
      CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
      """,
      "0001_t/p.csv": "id,name\n7,\n8,x\n", "0001_t/t.csv": "id,p:p.name\n1,\n2,x\n3,\"\"\n",
    ])
    try device.up()
    #expect(try device.rows("SELECT id, p FROM t ORDER BY id") == ["1|NULL", "2|8", "3|7"])
  }

  @Test func `a user's edit is told from an empty text, and the option is a migration's, too`()
    throws
  {
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL);",
      "0001_t/t.csv": "id,v\n1,\"\"\n2,\"\"\n",
      "0002_t/t.update.csv": "id,v,was:v\n1,new,\n2,new,\n",
      "0002_t/migration.json": #"{"tables": {"t": {"empty": "text"}}}"#,
    ])
    try device.up(to: 1)
    try device.run("UPDATE t SET v = 'mine' WHERE id = 2")
    try device.up()
    #expect(try device.rows("SELECT v FROM t ORDER BY id") == ["new", "mine"])
    #expect(
      try device.conflicts() == [
        #"2 t {"id":2} edited keepEdits keptUser base={"v":""} mine={"v":"mine"} seed={"v":"new"}"#
      ])
  }

  /// It gives a meaning to what no release could hold.
  @Test func `the option changes no digest, and nothing that was released`() throws {
    let files = [
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL);",
      "0001_t/t.csv": "id,v\n1,\"\"\n",
    ]
    let device = try Device(files)
    try device.lock()
    try device.up()
    let before = try device.rows("SELECT checksum, chain FROM seedbed_migrations")
    try device.write(["catalog.json": #"{"tables": {"t": {"empty": "text"}}}"#])
    try device.lock()
    #expect(try device.migrator(locked: true).status().state == .upToDate)
    #expect(try device.rows("SELECT checksum, chain FROM seedbed_migrations") == before)
  }
}
