import Testing

@testable import Seedbed

/// Files as wide as one plan can be, and wider ones.
struct WideTableTests {
  /// A plan has one column for each of an insert or delete file, two under `replaceUser`, and three
  /// for each that an update changes.
  private static let widest = WideTable(count: 1880)
  private static let replaced = WideTable(count: 940)
  private static let changed = WideTable(count: 625)
  private static let tooWide = WideTable(count: 1999)

  private static let all = [1, 2, 3].map { (id: $0, release: 1, other: [:] as [Int: String]) }

  @Test func `rows go in and out again`() throws {
    let device = try Self.widest.device(["1_wide/down.sql": "DROP TABLE wide;\n"])
    #expect(try Self.widest.isIn(device, Self.all))
    try device.down(to: 0)
    #expect(try device.dump() == [])
    try device.up()
    #expect(try Self.widest.isIn(device, Self.all))
  }

  struct Taken: CustomTestStringConvertible {
    var policy: Migrator.CollisionPolicy
    var table = widest
    var rows: [(id: Int, release: Int, other: [Int: String])]
    var counts: String

    var testDescription: String { policy.rawValue }
  }

  /// The user has 4, unlike the seed's, and 5, just like it.
  private static let taken = [
    Taken(
      policy: .keepUser, rows: all + [(4, 7, [:]), (5, 2, [:]), (6, 2, [:])],
      counts: "2 wide +1 ~0 -0 =1 kept 1"),
    Taken(
      policy: .replaceUser, table: replaced,
      rows: all + [(4, 2, [:]), (5, 2, [:]), (6, 2, [:])], counts: "2 wide +1 ~1 -0 =1 kept 0"),
    Taken(
      policy: .moveUser, rows: all + [(4, 2, [:]), (5, 2, [:]), (6, 2, [:])],
      counts: "2 wide +2 ~0 -0 =1 kept 0"),
  ]

  @Test(arguments: taken) func `keys that users took, under`(_ taken: Taken) throws {
    let (table, last) = (taken.table, "c\(taken.table.count)")
    let device = try table.device()
    try device.run(table.insert(4, 7) + table.insert(5, 2))
    let user = try device.rows("SELECT * FROM wide WHERE id = 4")[0]
    try device.write(["2_next/wide.csv": table.file([4, 5, 6].map { table.row($0, 2) })])
    #expect(try device.up(onTaken: taken.policy).lines == [taken.counts])
    let moved = try device.rows("SELECT * FROM wide WHERE id = 7")
    #expect(moved == (taken.policy == .moveUser ? ["7" + user.dropFirst()] : []))
    try device.run("DELETE FROM wide WHERE id = 7")
    #expect(try table.isIn(device, taken.rows))
    let conflict = try device.migrator().conflicts()[0]
    #expect(conflict.kind == .keyTaken)
    #expect(conflict.mine?.json.contains(#""\#(last)":"4/\#(table.count)/7"}"#) == true)
    #expect(conflict.seed?.json.contains(#""\#(last)":"4/\#(table.count)/2"}"#) == true)
  }

  @Test func `all columns change but those that were edited`() throws {
    let table = Self.changed
    let device = try table.device()
    try device.run("UPDATE wide SET c4 = 'mine', c624 = 'MINE' WHERE id = 2")
    let mine = [4: "mine", 624: "MINE"]
    try device.write(["2_next/wide.update.csv": table.update([1, 2, 3])])
    #expect(try device.up().lines == ["2 wide +0 ~3 -0 =0 kept 0"])
    #expect(try table.isIn(device, [(1, 2, [:]), (2, 2, mine), (3, 2, [:])]))
    #expect(
      try device.conflicts() == [
        #"2 wide {"id":2} edited keepEdits merged base={"c4":"2/4/1","c624":"2/624/1"}"#
          + #" mine={"c4":"mine","c624":"MINE"} seed={"c4":"2/4/2","c624":"2/624/2"}"#
      ])
    try device.down(to: 1)
    #expect(try table.isIn(device, [(1, 1, [:]), (2, 1, mine), (3, 1, [:])]))
  }

  @Test func `rows retire, but for those that were edited`() throws {
    let table = Self.widest
    let device = try table.device()
    try device.run("UPDATE wide SET c1880 = 'MINE' WHERE id = 2; DELETE FROM wide WHERE id = 3")
    try device.write(["2_next/wide.delete.csv": table.file([1, 2, 3].map { table.row($0, 1) })])
    #expect(try device.up().lines == ["2 wide +0 ~0 -1 =1 kept 1"])
    #expect(try table.isIn(device, [(2, 1, [1880: "MINE"])]))
    let conflict = try device.migrator().conflicts()[0]
    #expect(conflict.kind == .editedRetired)
    #expect(conflict.mine?.json.contains(#""c1880":"MINE"}"#) == true)
    #expect(conflict.base?.json.contains(#""c1880":"2/1880/1"}"#) == true)
    try device.down(to: 1)
    #expect(try table.isIn(device, [(1, 1, [:]), (2, 1, [1880: "MINE"])]))
  }

  @Test func `columns that no file has keep a row, the last one too`() throws {
    let columns = (1...1999).map { "c\($0)" + ($0 % 2 == 0 ? "" : " DEFAULT 'x'") }
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

  // MARK: wider

  @Test(arguments: [
    (
      "wide.csv", tooWide.file([tooWide.row(4, 1)]),
      "This file has 2000 columns of 'wide', more than one migration can merge. Leave some out, "
        + "and ship them as updates."
    ),
    (
      "wide.delete.csv", tooWide.file([tooWide.row(1, 1)]),
      "This file has 2000 columns of 'wide', more than one migration can merge. Leave some out, "
        + "and ship them as updates."
    ),
    (
      "wide.update.csv", tooWide.update([1]),
      "This file changes 1999 columns of 'wide', more than one migration can. Ship some of them as "
        + "a separate migration."
    ),
  ])
  func `a wider file is refused`(_ file: String, _ text: String, _ message: String) throws {
    let device = try Self.tooWide.device(
      options: #""reserve": 10"#, ["1_wide/wide.csv": "id,c1\n1,11\n"])
    let before = try device.dump()
    try device.write(["2_next/\(file)": text])
    #expect(try device.failure().description == "2_next/\(file):1: \(message)")
    #expect(try device.dump() == before)
  }

  @Test func `a record has at most 4,000 fields`() throws {
    let header = (0...4000).map { "f\($0)" }.joined(separator: ",")
    let device = try Self.tooWide.device([
      "1_wide/wide.csv": "id,c1\n1,11\n", "2_next/wide.update.csv": header + "\n",
    ])
    #expect(
      try device.failure().description.hasSuffix(
        ": This record has more than 4000 fields, the most that an update of a whole table can "
          + "have: 2000 columns and their old values."))
  }
}
