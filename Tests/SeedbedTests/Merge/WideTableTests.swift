import Testing

@testable import Seedbed

/// Tables of 2,000 columns: rows are read in parts, compared in parts and staged in parts.
struct WideTableTests {
  private static let all = [1, 2, 3].map { (id: $0, release: 1, other: [:] as [Int: String]) }

  @Test func `all columns go in, and the rows out again`() throws {
    let device = try Device.wide(["1_wide/down.sql": "DROP TABLE wide;\n"])
    #expect(try device.wideRows(Self.all))
    #expect(try device.ledger() == ["1|applied|3|0|0|0|0"])
    try device.down(to: 0)
    #expect(try device.rows("SELECT name FROM sqlite_schema WHERE name = 'wide'") == [])
    try device.up()
    #expect(try device.wideRows(Self.all))
  }

  @Test(arguments: [false, true])
  func `1,999 columns change with what they were`(_ isLocked: Bool) throws {
    let device = try Device.wide(["2_next/wide.update.csv": WideTable.update([1, 2, 3])])
    if isLocked { try device.lock() }
    let report = try device.migrator(locked: isLocked).up()
    #expect(report.lines == ["2 wide +0 ~3 -0 =0 kept 0"])
    #expect(try device.wideRows([(1, 2, [:]), (2, 2, [:]), (3, 2, [:])]))
    try device.down(to: 1)
    #expect(try device.wideRows(Self.all))
  }

  private static let edit = """
    UPDATE wide SET c4 = 'mine', c1999 = 'MINE' WHERE id = 2;
    DELETE FROM wide WHERE id = 3;
    """
  private static let mine = [4: "mine", 1999: "MINE"]

  struct Edited: CustomTestStringConvertible {
    var policy: String
    var row: (id: Int, release: Int, other: [Int: String])
    var counts: String
    var resolution: String

    var testDescription: String { policy }
  }

  private static let edits = [
    Edited(
      policy: "keepEdits", row: (2, 2, mine), counts: "2 wide +0 ~2 -0 =0 kept 1",
      resolution: "merged"),
    Edited(
      policy: "preferSeed", row: (2, 2, [:]), counts: "2 wide +0 ~2 -0 =0 kept 1",
      resolution: "tookSeed"),
    Edited(
      policy: "overwriteRow", row: (2, 2, [:]), counts: "2 wide +0 ~2 -0 =0 kept 1",
      resolution: "tookSeed"),
    Edited(
      policy: "keepRow", row: (2, 1, mine), counts: "2 wide +0 ~1 -0 =0 kept 2",
      resolution: "keptUser"),
  ]

  @Test(arguments: edits) func `edits in the first and last column, under`(_ edit: Edited) throws {
    let device = try Device.wide(options: #""onEdited": "\#(edit.policy)""#)
    try device.run(Self.edit)
    try device.write(["2_next/wide.update.csv": WideTable.update([1, 2, 3])])
    #expect(try device.up().lines == [edit.counts])
    #expect(try device.wideRows([(1, 2, [:]), edit.row]))
    let conflicts = try device.migrator().conflicts()
    #expect(
      conflicts.map { "\($0.key) \($0.kind) \($0.resolution)" } == [
        #"{"id":2} edited \#(edit.resolution)"#, #"{"id":3} deletedByUser keptUser"#,
      ])
    #expect(conflicts[0].base == #"{"c4":"2/4/1","c1999":"2/1999/1"}"#)
    #expect(conflicts[0].mine == #"{"c4":"mine","c1999":"MINE"}"#)
    #expect(conflicts[0].seed == #"{"c4":"2/4/2","c1999":"2/1999/2"}"#)
    #expect(conflicts[1].seed?.hasSuffix(#""c1999":"3/1999/2"}"#) == true)
    try device.down(to: 1)
    #expect(try device.wideRows([(1, 1, [:]), (2, 1, Self.mine)]))
    #expect(try device.up().lines == [edit.counts])
  }

  @Test func `a failed edit names its row`() throws {
    let device = try Device.wide(options: #""onEdited": "fail""#)
    try device.run(Self.edit)
    try device.write(["2_next/wide.update.csv": WideTable.update([1, 2, 3])])
    #expect(try device.failure().description.contains(#"{"id":2}"#))
    #expect(try device.wideRows([(1, 1, [:]), (2, 1, Self.mine)]))
  }

  @Test func `rows retire, but for those that were edited`() throws {
    let device = try Device.wide()
    try device.run(Self.edit)
    let rows = [1, 2, 3].map { WideTable.row($0, 1) }
    try device.write(["2_next/wide.delete.csv": WideTable.file(rows)])
    #expect(try device.up().lines == ["2 wide +0 ~0 -1 =1 kept 1"])
    #expect(try device.wideRows([(2, 1, Self.mine)]))
    let conflict = try device.migrator().conflicts()[0]
    #expect(conflict.kind == .editedRetired)
    #expect(conflict.mine?.contains(#""c1999":"MINE"}"#) == true)
    #expect(conflict.base?.contains(#""c1999":"2/1999/1"}"#) == true)
    try device.down(to: 1)
    #expect(try device.wideRows([(1, 1, [:]), (2, 1, Self.mine)]))
  }

  @Test func `columns that no file has keep a row, the last one too`() throws {
    let columns = WideTable.columns.map { "c\($0)" + ($0 % 2 == 0 ? "" : " DEFAULT 'x'") }
    let device = try Device([
      "1_wide/up.sql": "CREATE TABLE wide (id INTEGER PRIMARY KEY, "
        + columns.joined(separator: ", ") + ");\n",
      "1_wide/wide.csv": "id,c1\n1,a\n2,b\n3,c\n",
    ])
    try device.up()
    try device.run("UPDATE wide SET c1999 = 'favourite' WHERE id = 2")
    try device.write(["2_next/wide.delete.csv": "id,c1\n1,a\n2,b\n3,c\n"])
    #expect(try device.up().lines == ["2 wide +0 ~0 -2 =0 kept 1"])
    #expect(try device.rows("SELECT id, c1999 FROM wide") == ["2|favourite"])
    try device.down(to: 1)
    #expect(try device.rows("SELECT id, c1, c2 FROM wide") == ["1|a|NULL", "2|b|NULL", "3|c|NULL"])
  }

  struct Taken: CustomTestStringConvertible {
    var policy: OnTaken
    var rows: [(id: Int, release: Int, other: [Int: String])]
    var counts: String
    var children: [String]

    var testDescription: String { policy.rawValue }
  }

  /// The user has 4, unlike the seed's, and 5, just like it.
  private static let taken = [
    Taken(
      policy: .keepUser, rows: all + [(4, 7, [:]), (5, 2, [:]), (6, 2, [:])],
      counts: "2 wide +1 ~0 -0 =1 kept 1", children: ["4"]),
    Taken(
      policy: .replaceUser, rows: all + [(4, 2, [:]), (5, 2, [:]), (6, 2, [:])],
      counts: "2 wide +1 ~1 -0 =1 kept 0", children: ["4"]),
    Taken(
      policy: .moveUser,
      rows: all + [(4, 2, [:]), (5, 2, [:]), (6, 2, [:]), (7, 7, moved)],
      counts: "2 wide +2 ~0 -0 =1 kept 0", children: ["7"]),
  ]
  private static let moved = Dictionary(
    uniqueKeysWithValues: WideTable.columns.map { ($0, WideTable.value($0, 4, 7)) })

  @Test(arguments: taken) func `keys that users took, under`(_ taken: Taken) throws {
    let child = "CREATE TABLE child (wide INTEGER REFERENCES wide (id));\n"
    let device = try Device.wide(schema: WideTable.schema() + child)
    for (id, release) in [(4, 7), (5, 2)] {
      let values = WideTable.row(id, release).split(separator: ",").map { "'\($0)'" }
      try device.run("INSERT INTO wide VALUES (\(values.joined(separator: ",")))")
    }
    try device.run("INSERT INTO child VALUES (4)")
    let rows = [4, 5, 6].map { WideTable.row($0, 2) }
    try device.write(["2_next/wide.csv": WideTable.file(rows)])
    #expect(try device.up(onTaken: taken.policy).lines == [taken.counts])
    #expect(try device.wideRows(taken.rows))
    #expect(try device.rows("SELECT wide FROM child") == taken.children)
    let conflict = try device.migrator().conflicts()[0]
    #expect(conflict.kind == .keyTaken)
    #expect(conflict.mine?.contains(#""c1999":"4/1999/7"}"#) == true)
    #expect(conflict.seed?.contains(#""c1999":"4/1999/2"}"#) == true)
    // The row that was there already may be the user's.
    #expect(throws: SeedbedError.self) { try device.down(to: 1) }
  }

  @Test(arguments: OnTaken.allCases.filter { $0 != .fail })
  func `what users took comes back`(_ policy: OnTaken) throws {
    let device = try Device.wide()
    let values = WideTable.row(4, 7).split(separator: ",").map { "'\($0)'" }
    try device.run("INSERT INTO wide VALUES (\(values.joined(separator: ",")))")
    try device.write(["2_next/wide.csv": WideTable.file([4, 5].map { WideTable.row($0, 2) })])
    try device.up(onTaken: policy)
    try device.down(to: 1)
    #expect(try device.wideRows(Self.all + [(4, 7, [:])]))
  }

  @Test func `UNIQUE values are exchanged while all else changes`() throws {
    let schema = WideTable.schema([3: "TEXT UNIQUE", 1996: "TEXT UNIQUE", 1999: "TEXT UNIQUE"])
    let device = try Device.wide(schema: schema)
    let becomes = [
      1: [3: "2/3/1", 1996: "2/1996/1", 1999: "2/1999/1"],
      2: [3: "1/3/1", 1996: "1/1996/1", 1999: "1/1999/1"],
    ]
    try device.write(["2_next/wide.update.csv": WideTable.update([1, 2], becomes: becomes)])
    #expect(try device.up().lines == ["2 wide +0 ~2 -0 =0 kept 0"])
    #expect(
      try device.wideRows([(1, 2, becomes[1] ?? [:]), (2, 2, becomes[2] ?? [:]), (3, 1, [:])]))
    try device.down(to: 1)
    #expect(try device.wideRows(Self.all))
  }

  @Test func `the key changes with all the rest: 4,000 fields`() throws {
    let device = try Device.wide()
    try device.run("UPDATE wide SET c1998 = 0.5 WHERE id = 1")
    let update = WideTable.update([1, 2]).split(separator: "\n")
    let text = "\(update[0]),was:id\n1\(update[1]),1\n1\(update[2]),2\n"
    try device.write(["2_next/wide.update.csv": text])
    #expect(try device.up().lines == ["2 wide +0 ~2 -0 =0 kept 0"])
    #expect(
      try device.rows("SELECT id, c1, c1998, c1999 FROM wide") == [
        "3|11|3.15|3/1999/1", "11|12|0.5|1/1999/2", "12|12|2.25|2/1999/2",
      ])
    #expect(
      try device.conflicts() == [
        #"2 wide {"id":1} edited keepEdits merged"#
          + #" base={"c1998":1.15} mine={"c1998":0.5} seed={"c1998":1.25}"#
      ])
    try device.down(to: 1)
    #expect(try device.wideRows([(1, 1, [1998: "0.5"]), (2, 1, [:]), (3, 1, [:])]))
  }

  @Test func `a row that has its new key and all new values already is unchanged`() throws {
    let device = try Device.wide(ids: [3])
    let values = WideTable.row(11, 2).split(separator: ",").map { "'\($0)'" }
    try device.run("INSERT INTO wide VALUES (\(values.joined(separator: ",")))")
    let update = WideTable.update([11]).split(separator: "\n")
    try device.write(["2_next/wide.update.csv": "\(update[0]),was:id\n\(update[1]),1\n"])
    #expect(try device.up().lines == ["2 wide +0 ~0 -0 =1 kept 0"])
  }

  @Test func `one field more is refused`() throws {
    let header = (0...4000).map { "f\($0)" }.joined(separator: ",")
    let device = try Device.wide(["2_next/wide.update.csv": header + "\n"])
    #expect(
      try device.failure().description.hasSuffix(
        ": This record has more than 4000 fields, the most that an update of a whole table can "
          + "have: its 2000 columns and what they were."))
  }

  @Test func `identity may be all columns`() throws {
    let names = WideTable.names.dropFirst().map { "\"\($0)\"" }.joined(separator: ",")
    let device = try Device.wide(options: "\"identity\": [\(names)]")
    try device.run("UPDATE wide SET c1999 = 'another' WHERE id = 2")
    try device.write([
      "2_next/wide.update.csv": WideTable.update([1, 2]),
      "2_next/wide.delete.csv": WideTable.file([WideTable.row(3, 1)]),
    ])
    #expect(try device.up().lines == ["2 wide +0 ~1 -1 =0 kept 1"])
    #expect(try device.wideRows([(1, 2, [:]), (2, 1, [1999: "another"])]))
    try device.down(to: 1)
    #expect(try device.wideRows([(1, 1, [:]), (2, 1, [1999: "another"]), (3, 1, [:])]))
  }

  @Test func `rows name each other by a natural key`() throws {
    let schema = WideTable.schema([5: "INTEGER REFERENCES wide (id)", 1999: "TEXT UNIQUE"])
    let device = try Device([
      "1_wide/up.sql": schema,
      "1_wide/wide.csv": WideTable.file([
        WideTable.row(1, 1, [5: ""]), WideTable.row(2, 1, [5: ""]),
        WideTable.row(3, 1, [5: "2/1999/1"]),
      ]).replacing(",c5,", with: ",c5:wide.c1999,"),
    ])
    try device.up()
    let query = "SELECT id, c5, c1998 FROM wide"
    #expect(
      try device.rows(query) == ["1|NULL|1.15", "2|NULL|2.15", "3|2|3.15"])
    try device.run("DELETE FROM wide WHERE id = 1")
    let was = [2: [5: ""], 3: [5: "2/1999/1"]]
    let becomes = [2: [5: "3/1999/1"], 3: [5: "1/1999/1", 1999: "3/1999/1"]]
    try device.write([
      "2_next/wide.update.csv": WideTable.update([2, 3], was: was, becomes: becomes)
        .replacing(",c5,", with: ",c5:wide.c1999,")
        .replacing(",was:c5,", with: ",was:c5:wide.c1999,")
    ])
    #expect(try device.up().lines == ["2 wide +0 ~2 -0 =0 kept 0"])
    #expect(try device.rows(query) == ["2|3|2.25", "3|2|3.25"])
    #expect(
      try device.migrator().conflicts().map { "\($0.key) \($0.kind) \($0.seed ?? "")" } == [
        #"{"id":3} parentDeleted {"c5:wide.c1999":"1/1999/1"}"#
      ])
    try device.down(to: 1)
    #expect(try device.rows(query) == ["2|NULL|2.15", "3|2|3.15"])
  }

  @Test func `children follow a UNIQUE column that changes with all the rest`() throws {
    let child = "CREATE TABLE child (c TEXT REFERENCES wide (c1999));\n"
    let device = try Device.wide(schema: WideTable.schema([1999: "TEXT UNIQUE"]) + child)
    try device.run("INSERT INTO child VALUES ('2/1999/1'); UPDATE wide SET c4 = 'mine'")
    try device.write(["2_next/wide.update.csv": WideTable.update([1, 2, 3])])
    #expect(try device.up().lines.first == "2 wide +0 ~3 -0 =0 kept 0")
    #expect(try device.wideRows([1, 2, 3].map { ($0, 2, [4: "mine"]) }))
    #expect(try device.rows("SELECT c FROM child") == ["2/1999/2"])
    try device.down(to: 1)
    #expect(try device.wideRows([1, 2, 3].map { ($0, 1, [4: "mine"]) }))
    #expect(try device.rows("SELECT c FROM child") == ["2/1999/1"])
  }

  @Test func `a reserve is kept in a wide file`() throws {
    let device = try Device.wide(
      schema: WideTable.schema(id: "INTEGER PRIMARY KEY AUTOINCREMENT"),
      options: #""reserve": 10"#)
    let update = WideTable.update([1, 2]).split(separator: "\n")
    let text = "\(update[0]),was:id\n1\(update[1]),1\n"
    try device.write(["2_next/wide.update.csv": text])
    #expect(try device.failure().place == .init("2_next/wide.update.csv", line: 2))
  }
}
