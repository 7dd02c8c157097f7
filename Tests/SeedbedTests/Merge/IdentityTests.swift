import Testing

@testable import Seedbed

/// The option `identity`: what the log holds, what later migrations do, and its errors.
struct IdentityTests {
  static let files = [
    "catalog.json": #"{"tables": {"e": {"identity": ["s"]}}}"#,
    "0001_a/up.sql": "CREATE TABLE e (id INTEGER PRIMARY KEY, s TEXT, a TEXT);\n",
    "0001_a/e.csv": "id,s,a\n1,H,x\n2,He,y\n",
  ]
  static let reuse = "DELETE FROM e WHERE id = 2; INSERT INTO e VALUES (2, 'mine', 'y');"

  private func atFirst() throws -> Device {
    let device = try Device(Self.files)
    try device.up()
    try device.run(Self.reuse)
    return device
  }

  @Test func `the log holds it as a row that the user deleted, and the key is left`() throws {
    let device = try atFirst()
    try device.write(["0002_b/e.update.csv": "id,was:s,a,was:a\n2,He,new,y\n"])
    try device.up()
    #expect(
      try device.conflicts() == [
        #"2 e {"id":2} deletedByUser - keptUser base={"a":"y"} seed={"a":"new"}"#
      ])
    #expect(try device.leftToUser() == [#"2|e|{"id":2}"#])
  }

  @Test func `later migrations leave the key alone, without another conflict`() throws {
    let device = try atFirst()
    try device.write([
      "0002_b/e.update.csv": "id,was:s,a,was:a\n2,He,new,y\n",
      "0003_c/e.update.csv": "id,was:s,a,was:a\n2,He,newer,new\n",
      "0004_d/e.delete.csv": "id,s,a\n2,He,newer\n",
    ])
    #expect(
      try device.up().lines == [
        "2 e +0 ~0 -0 =0 kept 1", "3 e +0 ~0 -0 =0 kept 1", "4 e +0 ~0 -0 =0 kept 1",
      ])
    #expect(try device.conflicts().count == 1)
    #expect(try device.rows("SELECT * FROM e WHERE id = 2") == ["2|mine|y"])
  }

  @Test func `a row to retire is noted as gone, and the key is left`() throws {
    let device = try atFirst()
    try device.write(["0002_b/e.delete.csv": "id,s,a\n2,He,y\n"])
    #expect(try device.up().lines == ["2 e +0 ~0 -0 =1 kept 0"])
    #expect(try device.conflicts() == [])
    #expect(try device.leftToUser() == [#"2|e|{"id":2}"#])
    try device.down(to: 1)
    #expect(try device.rows("SELECT * FROM e") == ["1|H|x", "2|mine|y"])
    // What the user deleted stays deleted.
    #expect(try device.leftToUser() == [#"2|e|{"id":2}"#])
  }

  @Test func `down takes back an update by the old value alone`() throws {
    let device = try Device(Self.files)
    try device.write(["0002_b/e.update.csv": "id,was:s,a,was:a\n1,H,new,x\n2,He,new,y\n"])
    try device.up()
    try device.run("DELETE FROM e WHERE id = 2; INSERT INTO e VALUES (2, 'mine', 'new');")
    #expect(try device.down(to: 1).lines == ["2 e +0 ~1 -0 =0 kept 1"])
    #expect(try device.rows("SELECT * FROM e") == ["1|H|x", "2|mine|new"])
  }

  @Test func `down reads files that are older than the option`() throws {
    let device = try Device(Self.files)
    try device.write([
      "catalog.json": "{}", "0002_b/e.update.csv": "id,a,was:a\n1,new,x\n",
      "0003_c/e.delete.csv": "id,a\n2,y\n",
    ])
    try device.write(["catalog.json": #"{"tables": {"e": {"onEdited": "overwriteRow"}}}"#])
    try device.up()
    try device.write(["catalog.json": Self.files["catalog.json"] ?? ""])
    try device.down(to: 1)
    #expect(try device.rows("SELECT id, a FROM e") == ["1|x", "2|y"])
  }

  @Test(arguments: [
    (
      "e.update.csv", "id,a,was:a\n2,new,y\n",
      "0002_b/e.update.csv:1: The header does not have 'was:s', and 's' is in the 'identity' of "
        + "the table 'e'. Add it with the value that the row had, or move the option to the "
        + "migration.json of the migrations that need it."
    ),
    (
      "e.delete.csv", "id,a\n2,y\n",
      "0002_b/e.delete.csv:1: The header does not have 's', and 's' is in the 'identity' of the "
        + "table 'e'. Add it with the value that the row had, or move the option to the "
        + "migration.json of the migrations that need it."
    ),
  ])
  func `a file without the old values`(_ file: String, _ text: String, _ error: String) throws {
    let device = try Device(Self.files)
    try device.up()
    try device.write(["0002_b/" + file: text])
    #expect(try device.failure().description == error)
  }

  @Test func `an old value alone is an error for any other column`() throws {
    let device = try Device(Self.files)
    try device.write(["0002_b/e.update.csv": "id,was:s,s,was:a\n2,He,Ho,y\n"])
    #expect(try device.failure().description.contains("'was:a'"))
  }

  @Test(arguments: [
    (
      #"["sym"]"#,
      "catalog.json:1:32: The options name the column 'sym', which the table 'e' does not have. "
        + "Write its name as in the schema, or move the option to the migration.json of the "
        + "migrations that need it."
    ),
    (
      #"["g"]"#,
      "catalog.json:1:32: 'g' cannot be in 'identity': it is generated, and in no file. Name "
        + "columns that the seed fills and that distinguish its row from another with the same key."
    ),
  ])
  func `a column that cannot tell`(_ columns: String, _ error: String) throws {
    let device = try Device([
      "catalog.json": #"{"tables": {"e": {"identity": "# + columns + "}}}",
      "0001_a/up.sql": "CREATE TABLE e (id INTEGER PRIMARY KEY, s TEXT, g TEXT AS (s));\n",
    ])
    #expect(try device.failure().description == error)
  }
}
