import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// `plan` says what `up` does, and leaves no trace.
struct PlanRunTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var files = Releases.both
    /// What the user did after the first release.
    var user = ""
    var policies = Migrator.Policies()

    var testDescription: String { name }
  }

  static let quarrel = """
    UPDATE elements SET name = 'Mine', low = 1.5 WHERE number = 1;
    DELETE FROM elements WHERE number = 2;
    UPDATE elements SET favourite = 1 WHERE number = 4; INSERT INTO notes VALUES (1, 3);
    INSERT INTO elements (number, symbol, name) VALUES (20, 'X', 'Mine'), (51, 'Sc', 'Mine');
    """

  /// A migration that rebuilds a table with foreign keys off, between the others.
  static let rebuild = Releases.both.merging([
    "0003_rebuild/migration.json": #"{"foreignKeys": "off"}"#,
    "0003_rebuild/up.sql": """
    CREATE TABLE new (number INTEGER PRIMARY KEY, symbol TEXT UNIQUE, name TEXT, favourite INTEGER);
    INSERT INTO new SELECT number, symbol, name, favourite FROM elements;
    DROP TABLE elements;
    ALTER TABLE new RENAME TO elements;
    """,
    "0004_more/elements.csv": "number,symbol,name\n30,Zn,Zinc\n",
  ]) { $1 }

  static let cases = [
    Case(name: "an untouched database"),
    Case(name: "a user's", user: quarrel),
    Case(
      name: "the seed wins", user: quarrel,
      policies: Migrator.Policies(onEdited: .preferSeed, onTaken: .replaceUser)),
    Case(
      name: "whole rows win", user: quarrel, policies: Migrator.Policies(onEdited: .overwriteRow)),
    Case(name: "foreign keys off, on a copy", files: rebuild, user: quarrel),
    Case(
      name: "a withdrawn migration",
      files: Releases.both.merging(["0003_oops/migration.json": #"{"withdrawn": true}"#]) { $1 }),
  ]

  @Test(arguments: cases) func `it equals up, and not a byte is changed`(_ c: Case) throws {
    let device = try Device(c.files)
    try device.up(to: 1)
    if !c.user.isEmpty { try device.run(c.user) }
    device.options.policies = c.policies
    device.options.reporting = .keys
    let before = try device.bytes()

    let plan = try device.migrator().plan()
    #expect(try device.bytes() == before)
    #expect(!FileManager.default.fileExists(atPath: device.database + "-journal"))
    #expect(plan.outcome == .planned)
    #expect(plan.backup == nil)
    #expect(try #require(plan.neededBytes) >= Int64(before.count))
    #expect(plan.migrations.flatMap(\.conflicts).allSatisfy { $0.id == 0 })

    var up = try device.migrator().up()
    #expect(up.backup != nil)
    var planned = plan
    up.backup = nil
    up.outcome = .planned
    up.neededBytes = plan.neededBytes
    #expect(Self.comparable(&planned) == Self.comparable(&up))
  }

  @Test func `what it needs includes the temporary file of a change`() throws {
    let rows = { (row: (Int) -> String) in (1...20_000).map(row).joined() }
    let device = try Device([
      "0001_t/up.sql": "CREATE TABLE t (a INTEGER PRIMARY KEY, b INTEGER);",
      "0001_t/t.csv": "a,b\n" + rows { "\($0),1\n" },
      "0002_t/t.update.csv": "a,b,was:b\n" + rows { "\($0),2,1\n" },
    ])
    try device.up(to: 1)
    device.options.takesBackup = false
    let needed = try #require(try device.migrator().plan().neededBytes)
    // Nothing grows: a number takes the place of another one.
    #expect((20_000 * 40...20_000 * 120).contains(Int(needed)), "\(needed)")
  }

  /// Without times and numbers that the ledger gave.
  static func comparable(_ report: inout Migrator.Report) -> Migrator.Report {
    for migration in report.migrations.indices {
      report.migrations[migration].duration = .zero
      for conflict in report.migrations[migration].conflicts.indices {
        report.migrations[migration].conflicts[conflict].id = 0
        report.migrations[migration].conflicts[conflict].at = ""
      }
    }
    return report
  }

  @Test func `in WAL too rows, schema and ledger stay`() throws {
    let device = try Releases.atFirst(user: Self.quarrel)
    try device.run("PRAGMA journal_mode = wal")
    let (before, ledger) = (try device.dump(), try device.ledger())
    let holder = try device.open()  // Keeps the WAL from being folded in.
    #expect(try device.migrator().plan().lines.count == 2)
    #expect(try device.dump() == before)
    #expect(try device.ledger() == ledger)
    #expect(try holder.rows("SELECT count(*) FROM seedbed_conflicts")[0] == [.integer(0)])
  }

  @Test(arguments: [Releases.both, rebuild])
  func `without a database it runs in memory`(_ files: [String: String]) throws {
    let device = try Device(files)
    var plan = try device.migrator().plan()
    #expect(try FileManager.default.contentsOfDirectory(atPath: device.path) == ["Migrations"])
    #expect(plan.outcome == .planned && plan.from == 0)
    var up = try device.up()
    (up.outcome, up.neededBytes) = (.planned, plan.neededBytes)
    #expect(Self.comparable(&plan) == Self.comparable(&up))
  }

  @Test func `where a database must exist, none is planned for`() throws {
    let device = try Device(Releases.both)
    let error = #expect(throws: SeedbedError.self) {
      try device.migrator().plan(createsDatabase: false)
    }
    #expect(error?.code == .io)
  }

  @Test func `with nothing pending there is no plan`() throws {
    let device = try Device(Releases.both)
    try device.up()
    let plan = try device.migrator().plan()
    #expect(plan.outcome == .upToDate && plan.migrations.isEmpty && plan.to == 2)
    #expect(try device.migrator().plan(to: 2).outcome == .upToDate)
  }

  @Test func `--to stops there`() throws {
    let device = try Device(Releases.both)
    #expect(
      try device.migrator().plan(to: 1).lines == [
        "1 elements +4 ~0 -0 =0 kept 0", "1 isotopes +2 ~0 -0 =0 kept 0",
      ])
  }

  static let failures = [
    Case(
      name: "a broken file",
      files: Releases.first.merging(["0002_more/elements.csv": "number,symbol\n5\n"]) { $1 }),
    Case(
      name: "a policy that fails", user: quarrel, policies: Migrator.Policies(onEdited: .fail)),
    Case(
      name: "a counter-example",
      files: Releases.both.merging(["0002_next/verify.sql": "SELECT * FROM elements;"]) { $1 }),
    Case(
      name: "an orphan that a later migration would mend",
      files: Releases.both.merging([
        "0002_next/after.sql": "INSERT INTO notes VALUES (7, 99);",
        "0003_more/elements.csv": "number,symbol\n99,Es\n",
      ]) { $1 }),
  ]

  @Test(arguments: failures) func `it fails with the error of up`(_ c: Case) throws {
    let device = try Device(c.files)
    try device.up(to: 1)
    if !c.user.isEmpty { try device.run(c.user) }
    device.options.policies = c.policies
    let before = try device.bytes()
    let planned = #expect(throws: SeedbedError.self) { try device.migrator().plan() }
    #expect(try device.bytes() == before)
    let real = #expect(throws: SeedbedError.self) { try device.migrator().up() }
    #expect(planned == real)
  }

  @Test func `what another process applied meanwhile is not planned again`() throws {
    let device = try Releases.atFirst()
    var isFirst = true
    let plan = try device.migrator().plan { progress in
      guard progress.phase == .waiting, progress.version > 0, isFirst else { return }
      isFirst = false
      #expect(throws: Never.self) { try device.up() }
    }
    #expect(!isFirst && plan.outcome == .upToDate && plan.to == 2)
  }

  @Test func `nor is it applied again, all of it`() throws {
    let device = try Device(Releases.both)
    let other = try device.migrator()
    device.host.reaching = { moment in
      if moment == .runStarted { #expect(throws: Never.self) { try other.up() } }
    }
    let report = try device.up()
    #expect(report.migrations.isEmpty && report.to == 2)
    #expect(try device.ledger().count == 2)
  }

  @Test func `a reader keeps its view and a writer has to wait`() throws {
    let device = try Releases.atFirst()
    device.options.lockTimeout = .seconds(0)
    let other = try device.open()
    try other.execute("BEGIN IMMEDIATE")
    let error = #expect(throws: SeedbedError.self) { try device.migrator().plan() }
    #expect(error?.code == .busy)
    try other.execute("ROLLBACK")
  }
}
