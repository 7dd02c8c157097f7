import Testing

@testable import Seedbed

/// Seed rows that meet rows of the user, under each policy.
struct TakenTests {
  static let catalog = [
    "0001_elements/up.sql": """
    CREATE TABLE IF NOT EXISTS elements (
      number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT NOT NULL, note TEXT);
    """,
    "0001_elements/elements.csv": """
    number,symbol,name
    1,H,Hydrogen
    2,He,Helium
    3,Li,Lithium

    """,
  ]

  struct Case: CustomTestStringConvertible {
    var name: String
    /// What the user has put into `elements` before.
    var mine: String
    var policy: Migrator.CollisionPolicy?
    var counts: String
    var rows: [String]
    var conflicts: [String] = []
    var left: [String] = []

    var testDescription: String { name }
  }

  static let free = ["1|H|Hydrogen|NULL", "2|He|Helium|NULL", "3|Li|Lithium|NULL"]

  static let cases = [
    Case(
      name: "an empty table takes all rows", mine: "", counts: "+3 ~0 -0 =0 kept 0", rows: free),
    Case(
      name: "other rows of the user stay", mine: "(9, 'F', 'Fluorine', 'mine')",
      counts: "+3 ~0 -0 =0 kept 0", rows: free + ["9|F|Fluorine|mine"]),
    Case(
      name: "the same row is unchanged, its own note stays",
      mine: "(2, 'He', 'Helium', 'my favourite')", counts: "+2 ~0 -0 =1 kept 0",
      rows: [free[0], "2|He|Helium|my favourite", free[2]]),
    Case(
      name: "all rows unchanged",
      mine: "(1, 'H', 'Hydrogen', NULL), (2, 'He', 'Helium', NULL), (3, 'Li', 'Lithium', NULL)",
      policy: .fail, counts: "+0 ~0 -0 =3 kept 0", rows: free),
    Case(
      name: "keepUser is the default for a key", mine: "(2, 'X', 'Mine', 'n')",
      counts: "+2 ~0 -0 =0 kept 1", rows: [free[0], "2|X|Mine|n", free[2]],
      conflicts: [
        #"1 elements {"number":2} keyTaken keepUser keptUser"#
          + #" mine={"number":2,"symbol":"X","name":"Mine","note":"n"}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#
      ], left: [#"1|elements|{"number":2}"#]),
    Case(
      name: "replaceUser gives a key's row the seed's values and leaves other columns",
      mine: "(2, 'X', 'Mine', 'n')", policy: .replaceUser, counts: "+2 ~1 -0 =0 kept 0",
      rows: [free[0], "2|He|Helium|n", free[2]],
      conflicts: [
        #"1 elements {"number":2} keyTaken replaceUser tookSeed"#
          + #" mine={"number":2,"symbol":"X","name":"Mine","note":"n"}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#
      ]),
    Case(
      name: "keepUser for a UNIQUE value", mine: "(9, 'He', 'Mine', 'n')",
      counts: "+2 ~0 -0 =0 kept 1", rows: [free[0], free[2], "9|He|Mine|n"],
      conflicts: [
        #"1 elements {"number":2} uniqueTaken keepUser keptUser"#
          + #" mine={"number":9,"symbol":"He","name":"Mine","note":"n"}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#
      ], left: [#"1|elements|{"number":2}"#]),
    Case(
      name: "replaceUser leaves the row that holds a UNIQUE value",
      mine: "(9, 'He', 'Mine', 'n')", policy: .replaceUser, counts: "+2 ~0 -0 =0 kept 1",
      rows: [free[0], free[2], "9|He|Mine|n"],
      conflicts: [
        #"1 elements {"number":2} uniqueTaken replaceUser keptUser"#
          + #" mine={"number":9,"symbol":"He","name":"Mine","note":"n"}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#
      ], left: [#"1|elements|{"number":2}"#]),
    Case(
      name: "replaceUser leaves a key's row where another one holds a value that it would take",
      mine: "(2, 'X', 'Mine', 'n'), (9, 'He', 'Other', NULL)", policy: .replaceUser,
      counts: "+2 ~0 -0 =0 kept 1",
      rows: [free[0], "2|X|Mine|n", free[2], "9|He|Other|NULL"],
      conflicts: [
        #"1 elements {"number":2} keyTaken replaceUser keptUser"#
          + #" mine={"number":2,"symbol":"X","name":"Mine","note":"n"}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#
      ], left: [#"1|elements|{"number":2}"#]),
    Case(
      name: "unchanged, key and UNIQUE value at once",
      mine: "(1, 'H', 'Hydrogen', NULL), (2, 'X', 'Mine', NULL), (9, 'Li', 'Other', NULL)",
      counts: "+0 ~0 -0 =1 kept 2",
      rows: [free[0], "2|X|Mine|NULL", "9|Li|Other|NULL"],
      conflicts: [
        #"1 elements {"number":2} keyTaken keepUser keptUser"#
          + #" mine={"number":2,"symbol":"X","name":"Mine","note":null}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#,
        #"1 elements {"number":3} uniqueTaken keepUser keptUser"#
          + #" mine={"number":9,"symbol":"Li","name":"Other","note":null}"#
          + #" seed={"number":3,"symbol":"Li","name":"Lithium"}"#,
      ], left: [#"1|elements|{"number":2}"#, #"1|elements|{"number":3}"#]),
    Case(
      name: "replaceUser, both kinds at once",
      mine: "(2, 'X', 'Mine', NULL), (9, 'Li', 'Other', NULL)", policy: .replaceUser,
      counts: "+1 ~1 -0 =0 kept 1", rows: [free[0], free[1], "9|Li|Other|NULL"],
      conflicts: [
        #"1 elements {"number":2} keyTaken replaceUser tookSeed"#
          + #" mine={"number":2,"symbol":"X","name":"Mine","note":null}"#
          + #" seed={"number":2,"symbol":"He","name":"Helium"}"#,
        #"1 elements {"number":3} uniqueTaken replaceUser keptUser"#
          + #" mine={"number":9,"symbol":"Li","name":"Other","note":null}"#
          + #" seed={"number":3,"symbol":"Li","name":"Lithium"}"#,
      ], left: [#"1|elements|{"number":3}"#]),
  ]

  @Test(arguments: cases)
  func `a seed row meets the user's`(_ example: Case) throws {
    let device = try Device(Self.catalog, app: Self.catalog["0001_elements/up.sql"])
    if !example.mine.isEmpty { try device.run("INSERT INTO elements VALUES \(example.mine)") }
    let report = try device.up(onTaken: example.policy)
    #expect(report.lines == ["1 elements " + example.counts])
    #expect(try device.rows("SELECT * FROM elements ORDER BY number") == example.rows)
    #expect(try device.conflicts() == example.conflicts)
    #expect(report.migrations[0].conflicts.map(\.line) == example.conflicts)
    #expect(report.migrations[0].conflictCount == example.conflicts.count)
    #expect(try device.leftToUser() == example.left)
    // What was applied is applied: the next run finds nothing to do.
    let state = try device.dump()
    #expect(try device.up(onTaken: example.policy).outcome == .upToDate)
    #expect(try device.dump() == state)
  }

  @Test func `the policy fail names the first keys and rolls everything back`() throws {
    let device = try Device(Self.catalog, app: Self.catalog["0001_elements/up.sql"])
    try device.run("INSERT INTO elements VALUES (3, 'X', 'Mine', NULL), (2, 'Y', 'Mine', NULL)")
    let before = try device.dump()
    let error = try device.failure(onTaken: .fail)
    #expect(error.code == .conflict)
    #expect(error.version == 1)
    #expect(error.isDatabaseUnchanged)
    #expect(
      error.description == """
        0001_elements/elements.csv:3: The policy onTaken is 'fail', and 2 rows of 'elements' are \
        in conflict (keyTaken): {"number":2}, {"number":3}.
        """)
    #expect(try device.dump() == before)
    #expect(try device.ledger() == [])
    #expect(try device.conflicts() == [])
  }

  @Test func `the policy fail covers UNIQUE values too`() throws {
    let device = try Device(Self.catalog, app: Self.catalog["0001_elements/up.sql"])
    try device.run("INSERT INTO elements VALUES (9, 'He', 'Mine', NULL)")
    let before = try device.dump()
    let error = try device.failure(onTaken: .fail)
    #expect(
      error.description == """
        0001_elements/elements.csv:3: The policy onTaken is 'fail', and 1 row of 'elements' is in \
        conflict (uniqueTaken): {"number":2}.
        """)
    #expect(try device.dump() == before)
  }

  @Test func `the policy fail lists every kind of every file at once`() throws {
    let device = try Device([
      "0001_base/up.sql": """
      CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT UNIQUE, rank INTEGER);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, word_id INTEGER REFERENCES words);
      """,
      "0001_base/words.csv": "id,lemma,rank\n1,a,1\n2,b,2\n3,c,3\n4,d,4\n5,e,5\n",
    ])
    try device.up()
    try device.run(
      """
      UPDATE words SET rank = 10 WHERE id IN (1, 3);
      INSERT INTO notes VALUES (1, 4);
      INSERT INTO words VALUES (20, 'mine', 0), (21, 'g', 0), (22, 'z', 0);
      """)
    let before = try device.dump()
    try device.write([
      "0002_next/words.update.csv":
        "id,lemma,rank,was:lemma,was:rank\n1,a,100,a,1\n2,b,200,b,2\n5,z,5,e,5\n",
      "0002_next/words.delete.csv": "id,lemma,rank\n3,c,3\n4,d,4\n",
      "0002_next/words.csv": "id,lemma,rank\n20,f,6\n30,g,7\n",
    ])
    device.options.policies.onEdited = .fail
    let error = try device.failure(onTaken: .fail)
    #expect(error.code == .conflict)
    #expect(
      error.description == """
        0002_next/words.update.csv:2: The policy onEdited is 'fail', and 1 row of 'words' is in \
        conflict (edited): {"id":1}. \
        0002_next/words.update.csv:4: The policy onTaken is 'fail', and 2 rows of 'words' are in \
        conflict (uniqueTaken): {"id":5}, {"id":30}. \
        0002_next/words.delete.csv:2: The policy onEdited is 'fail', and 1 row of 'words' is in \
        conflict (editedRetired): {"id":3}. \
        0002_next/words.delete.csv:3: The policy onEdited is 'fail', and 1 row of 'words' is in \
        conflict (referenced): {"id":4}. \
        0002_next/words.csv:2: The policy onTaken is 'fail', and 1 row of 'words' is in \
        conflict (keyTaken): {"id":20}.
        """)
    #expect(try device.dump() == before)
  }

  @Test func `a row that replaceUser filled counts as the seed's`() throws {
    var files = Self.catalog
    files["catalog.json"] = #"{"tables":{"elements":{"onTaken":"replaceUser"}}}"#
    let device = try Device(files, app: files["0001_elements/up.sql"])
    try device.run("INSERT INTO elements (number, symbol, name) VALUES (2, 'X', 'Mine')")
    try device.up()
    try device.write([
      "0002_next/elements.update.csv": "number,name,was:name\n2,Ballonium,Helium\n",
      "0003_gone/elements.delete.csv": "number,symbol,name\n2,He,Ballonium\n",
    ])
    #expect(
      try device.up().lines
        == ["2 elements +0 ~1 -0 =0 kept 0", "3 elements +0 ~0 -1 =0 kept 0"])
  }

  @Test func `the policy fail lists twenty keys of many`() throws {
    let rows = (1...30).map { "\($0),S\($0),Seed" }.joined(separator: "\n")
    var files = Self.catalog
    files["0001_elements/elements.csv"] = "number,symbol,name\n" + rows
    let device = try Device(files, app: files["0001_elements/up.sql"])
    for number in 1...30 {
      try device.run("INSERT INTO elements VALUES (\(number), 'U\(number)', 'Mine', NULL)")
    }
    let message = try device.failure(onTaken: .fail).message
    #expect(message.contains("30 rows of 'elements' are in conflict (keyTaken)"))
    #expect(message.hasSuffix(#"{"number":19}, {"number":20}, …."#))
  }

  struct Source: CustomTestStringConvertible {
    var name: String
    var catalog: String?
    var migration: String?
    var app: Migrator.CollisionPolicy?
    var resolution: String

    var testDescription: String { name }
  }

  static let sources = [
    Source(name: "the default keeps", resolution: "keepUser keptUser"),
    Source(
      name: "the catalog's", catalog: "replaceUser", resolution: "replaceUser tookSeed"),
    Source(
      name: "the migration's above the catalog's", catalog: "fail", migration: "replaceUser",
      resolution: "replaceUser tookSeed"),
    Source(
      name: "the app's above both", catalog: "fail", migration: "replaceUser", app: .keepUser,
      resolution: "keepUser keptUser"),
  ]

  @Test(arguments: sources)
  func `the policy comes from`(_ source: Source) throws {
    var files = Self.catalog
    func json(_ policy: String) -> String { #"{"tables":{"elements":{"onTaken":"\#(policy)"}}}"# }
    files["catalog.json"] = source.catalog.map(json)
    files["0001_elements/migration.json"] = source.migration.map(json)
    let device = try Device(files, app: files["0001_elements/up.sql"])
    try device.run("INSERT INTO elements VALUES (2, 'X', 'Mine', NULL)")
    try device.up(onTaken: source.app)
    let found = try device.rows("SELECT policy || ' ' || resolution FROM seedbed_conflicts")
    #expect(found == [source.resolution])
  }
}
