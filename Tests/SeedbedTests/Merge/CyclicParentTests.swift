import Testing

@testable import Seedbed

/// Tables that refer to themselves or to each other.
struct CyclicParentTests {
  static let tree = """
    CREATE TABLE IF NOT EXISTS nodes (
      id INTEGER PRIMARY KEY, parent INTEGER REFERENCES nodes (id), name TEXT UNIQUE);
    """
  static let nodes = "id,parent,name\n4,3,leaf\n3,2,branch\n2,1,trunk\n1,,root\n5,5,loop\n"

  @Test func `children may stand before their parents in one file`() throws {
    let device = try Device(["0001_tree/up.sql": Self.tree, "0001_tree/nodes.csv": Self.nodes])
    #expect(try device.up().lines == ["1 nodes +5 ~0 -0 =0 kept 0"])
    #expect(try device.conflicts() == [])
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    var mine: String
    var policy: Migrator.CollisionPolicy?
    var counts: String
    /// The rows at the end and the kinds of conflict by key.
    var rows: [String]
    var conflicts: [String]

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a branch that the user took loses all below it", mine: "(2, NULL, 'mine')",
      counts: "+2 ~0 -0 =0 kept 3", rows: ["1|NULL|root", "2|NULL|mine", "5|5|loop"],
      conflicts: [
        #"{"id":2}|keyTaken"#, #"{"id":3}|parentTaken"#, #"{"id":4}|parentDeleted"#,
      ]),
    Case(
      name: "a branch whose UNIQUE value the user holds", mine: "(9, NULL, 'trunk')",
      counts: "+2 ~0 -0 =0 kept 3", rows: ["1|NULL|root", "5|5|loop", "9|NULL|trunk"],
      conflicts: [
        #"{"id":2}|uniqueTaken"#, #"{"id":3}|parentDeleted"#, #"{"id":4}|parentDeleted"#,
      ]),
    Case(
      name: "replaceUser takes the key and grows the whole tree", mine: "(2, NULL, 'mine')",
      policy: .replaceUser, counts: "+4 ~1 -0 =0 kept 0",
      rows: ["1|NULL|root", "2|1|trunk", "3|2|branch", "4|3|leaf", "5|5|loop"],
      conflicts: [#"{"id":2}|keyTaken"#]),
    Case(
      name: "a row that holds a UNIQUE value stays under replaceUser too",
      mine: "(9, NULL, 'trunk')", policy: .replaceUser, counts: "+2 ~0 -0 =0 kept 3",
      rows: ["1|NULL|root", "5|5|loop", "9|NULL|trunk"],
      conflicts: [
        #"{"id":2}|uniqueTaken"#, #"{"id":3}|parentDeleted"#, #"{"id":4}|parentDeleted"#,
      ]),
    Case(
      name: "the root that the user took", mine: "(1, NULL, 'mine')",
      counts: "+1 ~0 -0 =0 kept 4", rows: ["1|NULL|mine", "5|5|loop"],
      conflicts: [
        #"{"id":1}|keyTaken"#, #"{"id":2}|parentTaken"#, #"{"id":3}|parentDeleted"#,
        #"{"id":4}|parentDeleted"#,
      ]),
  ]

  @Test(arguments: cases)
  func `a tree meets`(_ example: Case) throws {
    let device = try Device(
      ["0001_tree/up.sql": Self.tree, "0001_tree/nodes.csv": Self.nodes], app: Self.tree)
    try device.run("INSERT INTO nodes VALUES \(example.mine)")
    let report = try device.up(onTaken: example.policy)
    #expect(report.lines == ["1 nodes " + example.counts])
    #expect(try device.rows("SELECT * FROM nodes ORDER BY id") == example.rows)
    #expect(
      try device.rows("SELECT key, kind FROM seedbed_conflicts ORDER BY key")
        == example.conflicts)
  }

  static let couple = """
    CREATE TABLE IF NOT EXISTS countries (
      code TEXT PRIMARY KEY, capital INTEGER REFERENCES cities (id), name TEXT);
    CREATE TABLE IF NOT EXISTS cities (
      id INTEGER PRIMARY KEY, country TEXT NOT NULL REFERENCES countries (code), name TEXT);
    """
  static let coupled = [
    "0001_world/up.sql": couple,
    "0001_world/countries.csv": "code,capital,name\nfr,1,France\nde,2,Germany\n",
    "0001_world/cities.csv": "id,country,name\n1,fr,Paris\n2,de,Berlin\n3,de,Hamburg\n",
  ]

  @Test func `two tables that need each other are filled together`() throws {
    let device = try Device(Self.coupled)
    #expect(
      try device.up().lines == ["1 cities +3 ~0 -0 =0 kept 0", "1 countries +2 ~0 -0 =0 kept 0"])
  }

  @Test func `a skipped row takes those with it that need it, in both directions`() throws {
    let device = try Device(Self.coupled, app: Self.couple)
    device.mayHoldOrphans = true
    // The user's country has the code of one of ours, so its cities have no home of ours.
    try device.run("INSERT INTO countries VALUES ('de', NULL, 'Mine')")
    try device.up()
    #expect(try device.rows("SELECT id FROM cities") == ["1"])
    #expect(
      try device.rows("SELECT * FROM countries ORDER BY name") == ["fr|1|France", "de|NULL|Mine"])
    #expect(
      try device.rows("SELECT table_name, key, kind FROM seedbed_conflicts ORDER BY 1, 2") == [
        #"cities|{"id":2}|parentTaken"#, #"cities|{"id":3}|parentTaken"#,
        #"countries|{"code":"de"}|keyTaken"#,
      ])
  }

  @Test func `a missing parent in a circle is named with its line`() throws {
    var files = Self.coupled
    files["0001_world/cities.csv"] = "id,country,name\n1,fr,Paris\n3,de,Hamburg\n"
    let error = try Device(files).failure()
    #expect(
      error.description == """
        0001_world/countries.csv:3: This row of 'countries' refers to {"id":2} of 'cities', which \
        does not exist; this run created 'cities', so no user can have deleted it. Ship the \
        parent's row.
        """)
  }

  @Test func `groups of tables come parents first, circles together`() {
    let parents: [ExactText: Set<ExactText>] = [
      "senses": ["words"], "words": ["groups", "words"], "cities": ["countries"],
      "countries": ["cities"], "streets": ["cities", "elsewhere"],
    ]
    let names = ["cities", "countries", "groups", "senses", "streets", "words"]
    #expect(
      LoadOrder.groups(names, parents: parents) == [
        ["cities", "countries"], ["groups"], ["words"], ["senses"], ["streets"],
      ])
  }
}
