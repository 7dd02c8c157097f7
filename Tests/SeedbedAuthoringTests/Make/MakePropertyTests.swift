import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// What must hold for any table and any edits of its source.
struct MakePropertyTests {
  /// One table, its catalog and a database that follows it.
  private struct Journey {
    let bench: Workbench
    var table: RandomTable
    var dice: Dice
    var version: Version = 1

    init(_ seed: Int) throws {
      dice = Dice(seed: UInt64(seed))
      table = RandomTable(&dice)
      bench = try Workbench([
        "catalog.json": table.options, "0001_table/up.sql": table.sql,
        "0001_table/down.sql": "DROP TABLE \(table.name.quoted);",
      ])
    }

    mutating func release() throws -> Bool {
      try bench.write(["data/source.csv": table.csv(&dice)])
      let summary = try bench.make("step") {
        $0.allowsDeletes = true
        $0.acceptsSpreadsheets = true
      }
      if !summary.folders.isEmpty { version += 1 }
      return !summary.folders.isEmpty
    }

    func rowsOfDatabase() throws -> Set<String> {
      let names = table.columns.map(\.name).quotedList
      return Set(
        try bench.rows("SELECT \(names) FROM \(table.name.quoted)").map { "\($0)" })
    }

    var rowsOfSource: Set<String> { Set(table.rows.map { "\($0)" }) }
  }

  @Test(arguments: Seeds.first(20, of: 80))
  func `a database follows the source up and down`(seed: Int) throws {
    var journey = try Journey(seed)
    var states: [Version: Set<String>] = [1: []]
    for _ in 0..<2 {
      _ = try journey.release()
      states[journey.version] = journey.rowsOfSource
      let report = try journey.bench.migrator().up()
      #expect(report.migrations.allSatisfy { $0.conflictCount == 0 })
      #expect(try journey.rowsOfDatabase() == journey.rowsOfSource)
      journey.table.edit(&journey.dice)
    }
    #expect(try journey.bench.release().check().isUpToDate)
    while journey.version > 1 {
      journey.version -= 1
      _ = try journey.bench.migrator().down(to: journey.version)
      #expect(try journey.rowsOfDatabase() == states[journey.version])
    }
  }
}
