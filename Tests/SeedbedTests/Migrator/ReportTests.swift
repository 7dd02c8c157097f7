import TestSupport
import Testing

@testable import Seedbed

/// What an app needs from a report to refresh what it shows.
struct ReportTests {
  private func report(_ reporting: Migrator.Options.Reporting) throws -> Migrator.Report {
    let device = try Releases.atFirst(user: "UPDATE elements SET name = 'Mine' WHERE number = 2")
    device.options.reporting = reporting
    return try device.up()
  }

  @Test func `the outcome alone`() throws {
    let report = try report(.outcome)
    let migration = try #require(report.migrations.first)
    #expect(report.outcome == .applied && migration.version == 2)
    #expect(migration.tables == [] && migration.conflicts == [] && migration.moved == [])
    #expect(migration.conflictCount == 1)
    #expect(report.touchedTables == ["elements", "isotopes"])
  }

  @Test func `counts, which is the default`() throws {
    let report = try report(.counts)
    #expect(Migrator.Options().reporting == .counts)
    #expect(report.lines.count == 2)
    #expect(report.migrations[0].conflicts.count == 1 && report.migrations[0].conflictCount == 1)
    #expect(report.migrations[0].tables.allSatisfy { $0.changedKeys == nil })
  }

  @Test func `keys too`() throws {
    let keys = try report(.keys).migrations[0].tables.map { Set($0.changedKeys ?? []) }
    #expect(keys[0] == Set([1, 3, 4, 20, 21].map { Migrator.Row(["number"], [.integer($0)]) }))
    #expect(keys[1] == [#"{"id":11}"#, #"{"id":12}"#])
  }

  // MARK: tables

  @Test func `a table whose rows all stay as they are is not touched`() throws {
    let device = try Device(
      ["0001_t/t.csv": "a,b\n1,x\n2,y\n"],
      app: "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x'), (2, 'z')")
    let report = try device.up()
    #expect(report.lines == ["1 t +0 ~0 -0 =1 kept 1"] && report.touchedTables == [])
  }

  struct Case: CustomTestStringConvertible {
    var name: String
    var sql: String
    var touched: [String]

    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "made and filled in one", sql: "CREATE TABLE copy AS SELECT * FROM mine",
      touched: ["copy"]),
    Case(
      name: "made so, and found no row",
      sql: "CREATE TABLE copy AS SELECT * FROM mine WHERE a > 9", touched: []),
    Case(name: "made and left empty", sql: "CREATE TABLE empty (a)", touched: []),
    Case(
      name: "made so and dropped again",
      sql: "CREATE TABLE copy AS SELECT * FROM mine; DROP TABLE copy", touched: ["copy"]),
    Case(
      name: "made so in place of another",
      sql: "CREATE TABLE copy AS SELECT * FROM mine; DROP TABLE mine;"
        + "ALTER TABLE copy RENAME TO mine", touched: ["mine"]),
    Case(
      name: "a temporary one is nobody's", sql: "CREATE TEMP TABLE mine AS SELECT 1 AS a",
      touched: []),
    Case(name: "written", sql: "UPDATE MINE SET a = 2", touched: ["mine"]),
  ]

  @Test(arguments: cases) func `tables of SQL files:`(_ example: Case) throws {
    let device = try Device(
      ["0001_t/up.sql": example.sql], app: "CREATE TABLE mine (a); INSERT INTO mine VALUES (1)")
    #expect(try device.up().touchedTables == example.touched)
  }
}
