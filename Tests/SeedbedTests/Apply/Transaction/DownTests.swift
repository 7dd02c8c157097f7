import Foundation
import Testing

@testable import Seedbed

/// `down` is the release's inverse, merged: what the user has stays, and what gave way is gone.
struct DownTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    /// What the user did before the second release came.
    var user = ""
    var policies = Migrator.Policies()
    /// The rows of `elements` that differ from those before it; nil if the row is not there.
    var differences: [Int: String?] = [:]
    /// How many conflicts `down` meets.
    var conflictCount = 0
    /// The elements that the user deleted: they stay so.
    var deleted: [Int] = []
    /// What `down` leaves to the user.
    var kept: [String] = []
    /// What the second `up` does to `elements`, if not what the first did.
    var again: String?

    var testDescription: String { name }
  }

  static let seedWins = Migrator.Policies(onEdited: .preferSeed, onTaken: .replaceUser)
  static let edit = "UPDATE elements SET name = 'Mine', low = 1.5 WHERE number = 1"
  static let keyTaken =
    "INSERT INTO elements (number, symbol, name, low) VALUES (20, 'X', 'Mine', 0.1)"
  static let uniqueTaken =
    "INSERT INTO elements (number, symbol, name, favourite) VALUES (51, 'Sc', 'Mine', 1)"

  static let cases = [
    Case(name: "nothing of the user's"),
    Case(
      name: "rows of the user's own",
      user: "INSERT INTO elements VALUES (9, 'F', 'Mine', 1, 2, 1)"),
    Case(name: "an edit that stayed", user: edit, conflictCount: 1),
    Case(
      name: "an edit that kept its row", user: edit,
      policies: Migrator.Policies(onEdited: .keepRow),
      conflictCount: 1),
    Case(
      name: "an edit that gave way", user: edit, policies: seedWins,
      differences: [1: "1|H|Hydrogen|1.0|2.0|0"]),
    Case(
      name: "an edit overwritten", user: edit, policies: Migrator.Policies(onEdited: .overwriteRow),
      differences: [1: "1|H|Hydrogen|1.0|2.0|0"]),
    Case(
      name: "two columns that only go together",
      user: "UPDATE elements SET low = 8, high = 9 WHERE number = 1", policies: seedWins,
      differences: [1: "1|H|Hydrogen|1.0|2.0|0"]),
    Case(
      name: "an edit of capitals alone",
      user: "UPDATE elements SET name = 'HELIUM' WHERE number = 2", policies: seedWins,
      differences: [2: "2|He|Helium|4.0|5.0|0"]),
    Case(
      name: "a column that the seed did not change, overwritten",
      user: "UPDATE elements SET symbol = 'Hx' WHERE number = 2",
      policies: Migrator.Policies(onEdited: .overwriteRow),
      differences: [2: "2|He|Helium|4.0|5.0|0"]),
    Case(name: "a row deleted", user: "DELETE FROM elements WHERE number = 2", deleted: [2]),
    Case(
      name: "a row to retire, gone already", user: "DELETE FROM elements WHERE number = 4",
      deleted: [4], again: "2 elements +2 ~2 -1 =0 kept 1"),
    Case(
      name: "a change made already",
      user: "UPDATE elements SET name = 'Deuterium', symbol = 'D' WHERE number = 1",
      differences: [1: "1|H|Hydrogen|1.0|2.0|0"]),
    Case(
      name: "a row that was there already",
      user: "INSERT INTO elements (number, symbol, name) VALUES (20, 'Ca', 'Calcium')",
      differences: [20: nil], again: "2 elements +2 ~2 -2 =0 kept 0"),
    Case(
      name: "a retired row that stayed",
      user: "UPDATE elements SET favourite = 1 WHERE number = 4"),
    Case(
      name: "a retired row that was removed",
      user: "UPDATE elements SET favourite = 1, name = 'Mine' WHERE number = 4",
      policies: seedWins, differences: [4: "4|Be|Beryllium|9.0|10.0|0"]),
    Case(name: "a retired row that is referred to", user: "INSERT INTO notes VALUES (1, 4)"),
    Case(name: "a key taken", user: keyTaken),
    Case(
      name: "a key taken back", user: keyTaken, policies: seedWins,
      differences: [20: "20|Ca|Calcium|0.1|NULL|0"], conflictCount: 1,
      kept: [#"0|elements|{"number":20}"#], again: "2 elements +1 ~2 -2 =1 kept 0"),
    Case(name: "a value taken", user: uniqueTaken),
    Case(name: "a value taken, under policies of the seed", user: uniqueTaken, policies: seedWins),
    Case(
      name: "a value that an update needs",
      user: "INSERT INTO elements (number, symbol, name) VALUES (52, 'D', 'Mine')"),
    Case(
      name: "parents deleted",
      user: "DELETE FROM isotopes WHERE id = 10; DELETE FROM elements WHERE number = 1",
      deleted: [1]),
    Case(name: "all of it", user: PlanRunTests.quarrel, conflictCount: 1, deleted: [2]),
    Case(
      name: "all of it, the seed wins", user: PlanRunTests.quarrel, policies: seedWins,
      differences: [1: "1|H|Hydrogen|1.0|2.0|0", 4: "4|Be|Beryllium|9.0|10.0|0", 20: nil],
      deleted: [2], again: "2 elements +1 ~1 -1 =0 kept 3"),
  ]

  @Test(arguments: cases) func `down takes the release back, and up again ends where up ended`(
    _ c: Case
  ) throws {
    let device = try Releases.atFirst(user: c.user)
    device.options.policies = c.policies
    let before = try device.dump()
    let first = try device.migrator().up()
    let after = try device.dump()
    let conflicts = try device.conflicts()

    let report = try device.down(to: 1)
    #expect(report.outcome == .reverted && report.from == 2 && report.to == 1)
    let others = before.filter { line in
      !c.differences.keys.contains { line.hasPrefix("elements: \($0)|") }
    }
    let different = c.differences.values.compactMap { $0.map { "elements: " + $0 } }
    #expect(try device.dump().sorted() == (others + different).sorted())
    #expect(report.migrations.map(\.conflictCount) == [c.conflictCount])
    #expect(report.migrations[0].tables.map(\.counts.total) == [6, 2])
    #expect(try device.ledger().count == 1)
    let left = c.deleted.map { #"2|elements|{"number":\#($0)}"# } + c.kept
    #expect(try device.leftToUser() == left)
    #expect(try device.conflicts() == conflicts + report.migrations[0].conflicts.map(\.line))

    let again = try device.migrator().up()
    #expect(try device.dump() == after)
    #expect(again.lines == [c.again ?? first.lines[0], first.lines[1]])
    // What gave way is the seed's by now, and what was deleted is known.
    let open = first.migrations[0].conflicts.filter {
      $0.resolution != .tookSeed && $0.kind != .deletedByUser
    }
    #expect(again.migrations[0].conflicts.map(\.line) == open.map(\.line))
  }

  // MARK: what the user did since

  struct Since: CustomTestStringConvertible {
    var name: String
    var user = ""
    var policies = Migrator.Policies()
    /// What the user did after the second release came.
    var since: String
    /// The rows of `elements` that differ from those before it; nil where the row is not there.
    var differences: [Int: String?]
    var conflicts: [String] = []
    /// The key that is left to the user.
    var left: Int?

    var testDescription: String { name }
  }

  static let since = [
    Since(
      name: "a new row that was edited stays",
      since: "UPDATE elements SET name = 'Mine' WHERE number = 21",
      differences: [21: "21|Sc|Mine|NULL|NULL|0"],
      conflicts: [
        #"2 elements {"number":21} editedRetired keepEdits keptUser"#
          + #" base={"number":21,"symbol":"Sc","name":"Scandium"}"#
          + #" mine={"number":21,"symbol":"Sc","name":"Mine","low":null,"high":null,"favourite":0}"#
      ], left: 21),
    Since(
      name: "a new row that is referred to stays", since: "INSERT INTO notes VALUES (5, 21)",
      differences: [21: "21|Sc|Scandium|NULL|NULL|0"],
      conflicts: [
        #"2 elements {"number":21} referenced keepEdits keptUser"#
          + #" base={"number":21,"symbol":"Sc","name":"Scandium"}"#
          + #" mine={"number":21,"symbol":"Sc","name":"Scandium","low":null,"high":null,"#
          + #""favourite":0}"#
      ], left: 21),
    Since(
      name: "a new row that was deleted stays deleted",
      since: "DELETE FROM elements WHERE number = 21", differences: [:], left: 21),
    Since(
      name: "an edit of a changed row stays, the rest goes back",
      since: "UPDATE elements SET name = 'Mine' WHERE number = 1",
      differences: [1: "1|H|Mine|1.0|2.0|0"],
      conflicts: [
        #"2 elements {"number":1} edited keepEdits merged base={"name":"Deuterium"}"#
          + #" mine={"name":"Mine"} seed={"name":"Hydrogen"}"#
      ]),
    Since(
      name: "a changed row that was deleted stays deleted",
      since: "DELETE FROM elements WHERE number = 2", differences: [2: nil],
      conflicts: [
        #"2 elements {"number":2} deletedByUser - keptUser"#
          + #" base={"symbol":"He","name":"Helion","low":4.0,"high":5.0}"#
          + #" seed={"symbol":"He","name":"Helium","low":4.0,"high":5.0}"#
      ], left: 2),
    Since(
      name: "what gave way and was edited again stays edited", user: edit, policies: seedWins,
      since: "UPDATE elements SET name = 'Newer' WHERE number = 1",
      differences: [1: "1|H|Newer|1.0|2.0|0"],
      conflicts: [
        #"2 elements {"number":1} edited keepEdits merged base={"name":"Deuterium"}"#
          + #" mine={"name":"Newer"} seed={"name":"Hydrogen"}"#
      ]),
    Since(
      name: "the key of a retired row was taken",
      since: "INSERT INTO elements (number, symbol) VALUES (4, 'My')",
      differences: [4: "4|My|NULL|NULL|NULL|0"],
      conflicts: [
        #"2 elements {"number":4} keyTaken keepUser keptUser"#
          + #" mine={"number":4,"symbol":"My","name":null,"low":null,"high":null,"favourite":0}"#
          + #" seed={"number":4,"symbol":"Be","name":"Beryllium","low":9.0,"high":10.0}"#
      ], left: 4),
    Since(
      name: "the key of a row that was removed was taken",
      user: "UPDATE elements SET favourite = 1 WHERE number = 4", policies: seedWins,
      since: "INSERT INTO elements (number, symbol) VALUES (4, 'My')",
      differences: [4: "4|My|NULL|NULL|NULL|0"],
      conflicts: [
        #"2 elements {"number":4} keyTaken keepUser keptUser"#
          + #" mine={"number":4,"symbol":"My","name":null,"low":null,"high":null,"favourite":0}"#
          + #" seed={"number":4,"symbol":"Be","name":"Beryllium","low":9.0,"high":10.0}"#
      ], left: 4),
    Since(
      name: "a value that is to come back was taken",
      since: "INSERT INTO elements (number, symbol) VALUES (60, 'H')",
      differences: [1: "1|D|Hydrogen|1.0|2.0|0", 60: "60|H|NULL|NULL|NULL|0"],
      conflicts: [
        #"2 elements {"number":1} uniqueTaken keepUser merged base={"symbol":"D"}"#
          + #" mine={"symbol":"D"} seed={"symbol":"H"}"#
      ]),
  ]

  @Test(arguments: since) func `what the user did since stays`(_ c: Since) throws {
    let device = try Releases.atFirst(user: c.user)
    device.options.policies = c.policies
    func elements() throws -> [Int: String] {
      let rows = try device.rows("SELECT * FROM elements")
      return Dictionary(
        uniqueKeysWithValues: rows.map { (Int($0.prefix { $0 != "|" }) ?? 0, $0) })
    }
    var expected = try elements()
    for (number, row) in c.differences { expected[number] = row }
    _ = try device.migrator().up()
    try device.run(c.since)
    let report = try device.down(to: 1)
    #expect(try elements() == expected)
    #expect(report.migrations[0].conflicts.map(\.line) == c.conflicts)
    // Such keys belong to no release.
    #expect(try device.leftToUser() == (c.left.map { [#"0|elements|{"number":\#($0)}"#] } ?? []))
    // What is kept now stands in the way of nothing.
    _ = try device.migrator().up()
  }
}
