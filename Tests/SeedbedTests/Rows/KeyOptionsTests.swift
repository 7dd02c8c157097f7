import Testing

@testable import Seedbed

/// Options about keys held against the database, and what SQL files do to such references.
struct KeyOptionsTests {
  static let schema = """
    CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT);
    CREATE TABLE favourites (id INTEGER PRIMARY KEY, element INTEGER);
    CREATE TABLE pairs (a INTEGER, b INTEGER, PRIMARY KEY (a, b));
    CREATE TABLE loose (a INTEGER);
    CREATE VIEW seen AS SELECT 1 AS element;

    """

  static func device(_ options: String, _ files: [String: String] = [:]) throws -> Device {
    try Device(
      [
        "catalog.json": "{\"tables\": {\(options)}}", "0001_a/up.sql": schema,
        "0001_a/elements.csv": "number,symbol\n1,H\n2,He\n",
      ].merging(files) { $1 })
  }

  @Test(arguments: [
    (
      #""elements": {"references": {"favourits": ["element"]}}"#,
      "catalog.json:1:41: The options name the table 'favourits', which the database does not "
        + "have. Did you mean 'favourites'? Write its name as in the schema, or move the option to "
        + "the migration.json of the migrations that need it."
    ),
    (
      #""elements": {"references": {"favourites": ["elment"]}}"#,
      "catalog.json:1:41: The options name the column 'elment', which the table 'favourites' does "
        + "not have. Did you mean 'element'? Write its name as in the schema, or move the option "
        + "to the migration.json of the migrations that need it."
    ),
    (
      #""elemens": {"references": {"favourites": ["element"]}}"#,
      "catalog.json:1:40: The options name the table 'elemens', which the database does not have. "
        + "Did you mean 'elements'? Write its name as in the schema, or move the option to the "
        + "migration.json of the migrations that need it."
    ),
    (
      #""elements": {"references": {"seen": ["element"]}}"#,
      "catalog.json:1:41: 'seen' is a view, not an ordinary table. Rows go into ordinary tables "
        + "only."
    ),
    (
      #""elements": {"references": {"favourites": ["id", "element"]}}"#,
      "catalog.json:1:41: 'references' names (id, element) of 'favourites', and the key of "
        + "'elements' is (number). Name one column for each of the key, in its order; several "
        + "references are a list of lists: [[\"…\"], [\"…\"]]."
    ),
    (
      #""pairs": {"references": {"favourites": ["element"]}}"#,
      "catalog.json:1:38: 'references' names (element) of 'favourites', and the key of 'pairs' is "
        + "(a, b). Name one column for each of the key, in its order; several references are a "
        + "list of lists: [[\"…\"], [\"…\"]]."
    ),
    (
      #""loose": {"references": {"favourites": ["element"]}}"#,
      "catalog.json:1:38: The table 'loose' has no primary key that 'references' could mean. Name "
        + "a UNIQUE column set of it: \"key\": [\"…\"]."
    ),
    (
      #""elements": {"disposable": ["favourites"]}"#,
      "catalog.json:1:41: 'disposable' names 'favourites', which does not refer to 'elements'. "
        + "Name the columns in \"references\", or remove it."
    ),
    (
      #""elements": {"disposable": ["favorites"]}"#,
      "catalog.json:1:41: The options name the table 'favorites', which the database does not "
        + "have. Did you mean 'favourites'? Write its name as in the schema, or move the option to "
        + "the migration.json of the migrations that need it."
    ),
  ])
  func `an option that does not fit the database`(_ options: String, _ error: String) throws {
    let device = try Self.device(options)
    let found = try device.failure()
    #expect(found.code == .catalog)
    #expect(found.description == error)
    #expect(try device.dump() == [])
  }

  static let reference = #""elements": {"references": {"favourites": ["element"]}}"#
  static let withoutChild = [
    "0001_a/up.sql": "CREATE TABLE elements (number INTEGER PRIMARY KEY, symbol TEXT);\n"
  ]

  @Test func `a child table that a later migration makes is waited for`() throws {
    let child = "CREATE TABLE favourites (id INTEGER PRIMARY KEY, element INTEGER);\n"
    let device = try Self.device(
      Self.reference, Self.withoutChild.merging(["0002_b/up.sql": child]) { $1 })
    try device.up()
    try device.run("INSERT INTO favourites VALUES (5, 2)")
    try device.write(["0003_c/elements.delete.csv": "number,symbol\n2,He\n"])
    #expect(try device.up().lines == ["3 elements +0 ~0 -0 =0 kept 1"])
  }

  @Test func `the last migration that is not withdrawn waits no more`() throws {
    let device = try Self.device(
      Self.reference,
      Self.withoutChild.merging([
        "0002_b/up.sql": "SELECT 1;\n", "0003_c/up.sql": "SELECT 1;\n",
        "0003_c/migration.json": #"{"withdrawn": true}"#,
      ]) { $1 })
    try device.up(to: 1)
    let error = try device.failure()
    #expect(error.version == 2)
    #expect(error.place?.file == "catalog.json")
  }

  @Test func `an after.sql may still bring the table`() throws {
    let child = "CREATE TABLE favourites (id INTEGER PRIMARY KEY, element INTEGER);\n"
    let device = try Self.device(
      Self.reference, Self.withoutChild.merging(["0001_a/after.sql": child]) { $1 })
    try device.up()
    let other = try Self.device(
      Self.reference, Self.withoutChild.merging(["0001_a/after.sql": "SELECT 1;\n"]) { $1 })
    #expect(try other.failure().place?.file == "catalog.json")
  }

  @Test func `what migration.json names must be there`() throws {
    let options = "{\"tables\": {\(Self.reference)}}"
    let device = try Self.device(
      "",
      Self.withoutChild.merging([
        "0001_a/migration.json": options, "0002_b/up.sql": "SELECT 1;\n",
      ]) { $1 })
    let error = try device.failure()
    #expect(error.version == 1)
    #expect(error.place?.file == "0001_a/migration.json")
  }

  // MARK: SQL files

  @Test(arguments: ["up.sql", "after.sql"])
  func `a SQL file may not leave such a reference dangling`(_ file: String) throws {
    let device = try Self.device(Self.reference)
    try device.up()
    try device.run("INSERT INTO favourites VALUES (5, 2)")
    try device.write(["0002_b/" + file: "DELETE FROM elements WHERE number = 2;\n"])
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(
      error.description
        == "0002_b: 1 row of 'favourites' would refer to rows of 'elements' that do not exist. "
        + "The migration was rolled back.")
    #expect(try device.rows("SELECT count(*) FROM elements") == ["2"])
  }

  @Test func `old orphans are not ours to report`() throws {
    let device = try Self.device(Self.reference)
    try device.up()
    try device.run("INSERT INTO favourites VALUES (5, 77)")
    try device.write(["0002_b/up.sql": "SELECT 1;\n", "0002_b/elements.csv": "number\n3\n"])
    #expect(try device.up().lines == ["2 elements +1 ~0 -0 =0 kept 0"])
  }

  @Test func `nor are those of a table that comes to be a child by a SQL file`() throws {
    let device = try Self.device("")
    try device.up()
    try device.run("INSERT INTO favourites VALUES (5, 77)")
    try device.write([
      "catalog.json": #"{"tables": {"elements": {"references": {"stars": ["element"]}}}}"#,
      "0002_b/up.sql": "ALTER TABLE favourites RENAME TO stars;\n",
    ])
    try device.up()
    #expect(try device.rows("SELECT * FROM stars") == ["5|77"])
  }

  @Test func `down.sql may not leave one dangling either`() throws {
    let device = try Self.device(
      Self.reference,
      [
        "0002_b/up.sql": "INSERT INTO elements VALUES (3, 'Li');\n",
        "0002_b/down.sql": "DELETE FROM elements WHERE number = 3;\n",
      ])
    try device.up()
    try device.run("INSERT INTO favourites VALUES (5, 3)")
    let error = #expect(throws: SeedbedError.self) { try device.down(to: 1) }
    #expect(error?.code == .foreignKey)
    #expect(try device.rows("SELECT count(*) FROM elements") == ["3"])
  }

  @Test func `a missing parent in a table of this run is an error of the file`() throws {
    let device = try Self.device(
      Self.reference, ["0001_a/favourites.csv": "id,element\n5,1\n6,9\n"])
    let error = try device.failure()
    #expect(error.code == .foreignKey)
    #expect(error.place == .init("0001_a/favourites.csv", line: 3))
  }

  @Test func `it holds with foreign keys off`() throws {
    let device = try Self.device(
      Self.reference,
      [
        "0002_b/migration.json": #"{"foreignKeys": "off"}"#,
        "0002_b/elements.delete.csv": "number,symbol\n1,H\n2,He\n",
        "0002_b/favourites.csv": "id,element\n9,4\n",
      ])
    try device.up(to: 1)
    try device.run("INSERT INTO favourites VALUES (5, 2)")
    #expect(
      try device.up().lines == ["2 elements +0 ~0 -1 =0 kept 1", "2 favourites +0 ~0 -0 =0 kept 1"])
    #expect(try device.rows("SELECT * FROM favourites") == ["5|2"])
  }
}
