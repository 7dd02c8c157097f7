import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// `--split` cuts any release that `make` writes as a whole.
struct SplitTests {
  /// What a table of three rows becomes, and how many rows each part has then.
  struct Case: CustomTestStringConvertible {
    var name: String
    var rows: String
    var parts: [Int]
    var testDescription: String { name }
  }

  private static let cases = [
    Case(
      name: "a child with a lower id than its parent",
      rows: "1,a,\n2,b,\n3,c,\n4,d,5\n5,e,\n", parts: [1, 1]),
    Case(
      name: "a tree upside down", rows: "1,a,\n2,b,\n3,c,\n4,d,5\n5,e,6\n6,f,\n",
      parts: [1, 1, 1]),
    Case(name: "two rows exchange a UNIQUE value", rows: "1,b,\n2,a,\n3,c,\n", parts: [2]),
    Case(
      name: "three rows pass it on in a circle, another changes",
      rows: "1,b,\n2,c,\n3,a,\n4,z,\n", parts: [3, 1]),
    Case(name: "a retired row's value goes to a new one", rows: "1,a,\n2,b,\n4,c,\n", parts: [2]),
    Case(
      name: "an updated row gives its value to a new one", rows: "1,z,\n2,b,\n3,c,\n4,a,\n",
      parts: [2]),
    Case(
      name: "an updated row refers to a new one", rows: "1,a,4\n2,b,\n3,c,\n4,d,\n",
      parts: [1, 1]),
    Case(
      name: "new rows refer to each other", rows: "1,a,\n2,b,\n3,c,\n4,d,5\n5,e,4\n6,f,\n",
      parts: [2, 1]),
  ]

  @Test(arguments: cases) func `rows stay together only where they must`(_ c: Case) throws {
    let bench = try Self.bench()
    try bench.write(["data/t.csv": "id,n,p\n" + c.rows])
    let summary = try bench.make("cut") {
      $0.splitRows = 1
      $0.allowsDeletes = true
    }
    let migrations = try Catalog(directory: bench.catalog).migrations()
    #expect(migrations.dropFirst().map(\.rows) == c.parts)
    #expect(summary.oversized.map(\.rows) == c.parts.filter { $0 > 1 })
    _ = try bench.migrator().up()
    #expect(try bench.make().isUpToDate)
  }

  private static func bench(_ schema: String = "n TEXT UNIQUE") throws -> Workbench {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql":
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \(schema), p INTEGER REFERENCES t (id));",
      "0001_t/t.csv": "id,n,p\n1,a,\n2,b,\n3,c,\n",
    ])
    return bench
  }

  @Test func `values of an index stay together where they change hands`() throws {
    let bench = try Self.bench("n TEXT")
    try bench.write([
      "0002_i/up.sql": "CREATE UNIQUE INDEX i ON t (lower(n)) WHERE p IS NULL;",
      "data/t.csv": "id,n,p\n1,B,\n2,A,\n3,z,\n4,C,\n5,x,\n6,X,5\n",
    ])
    let summary = try bench.make("cut") { $0.splitRows = 1 }
    let migrations = try Catalog(directory: bench.catalog).migrations()
    #expect(migrations.dropFirst(2).map(\.rows) == [2, 2, 1, 1])
    #expect(summary.folders.count == 4)
    _ = try bench.migrator().up()
    #expect(try bench.make().isUpToDate)
  }

  @Test func `what is wrong with the rows is told at their line, as without it`() throws {
    let bench = try Self.bench()
    try bench.write(["data/t.csv": "id,n,p\n1,a,\n2,b,\n3,c,\n4,d,\n5,e,9\n"])
    let before = try bench.names
    let whole = bench.failure { try bench.make() }
    #expect(bench.failure { try bench.make { $0.splitRows = 1 } } == whole)
    #expect(whole.hasPrefix("data/t.csv:6: "))
    #expect(try bench.names == before)
  }

  @Test func `what speaks of all rows comes with the last part`() throws {
    let bench = try Self.bench()
    try bench.write([
      "0002_cut/verify.sql": "SELECT 'too few' WHERE (SELECT count(*) FROM t) < 5;",
      "0002_cut/after.sql": "UPDATE t SET p = 5 WHERE id = 1;",
      "0002_cut/migration.json": #"{"verify": "fail"}"#,
      "data/t.csv": "id,n,p\n1,a,5\n2,b,\n3,c,\n4,d,\n5,e,\n",
    ])
    let summary = try bench.make("cut") {
      $0.amends = true
      $0.splitRows = 1
    }
    let last = try #require(summary.folders.last)
    let names = try bench.names
    #expect(summary.folders.count == 3)
    #expect(names.filter { $0.hasSuffix("verify.sql") } == ["\(last)/verify.sql"])
    #expect(names.filter { $0.hasSuffix("after.sql") } == ["\(last)/after.sql"])
    #expect(names.filter { $0.hasSuffix("migration.json") }.count == 3)
    _ = try bench.migrator().up()
  }

  /// Always those that are refused, too.
  private static let seeds = Set(Seeds.first(10, of: 200)).union(refused).sorted()

  /// Random schemas with trees, UNIQUE values, references between tables, by id and by name.
  @Test(arguments: seeds) func `any source that make takes is cut`(seed: Int) throws {
    var dice = Dice(seed: UInt64(seed))
    let (bench, other) = try Self.family(&dice)
    let limit = 1 + dice.below(4)
    let whole = other.failure { try other.make("cut", Self.allow) }
    #expect((whole == "nothing") != Self.refused.contains(seed))
    var summary: ReleaseSummary?
    let failure = bench.failure {
      summary = try bench.make("cut") {
        Self.allow(&$0)
        $0.splitRows = limit
      }
    }
    #expect(failure == whole)
    guard let summary else { return }
    let report = try bench.migrator().up()
    #expect(report.migrations.allSatisfy { $0.conflictCount == 0 })
    #expect(try bench.release("again", Self.allow).check().isUpToDate)
    let rows = try Catalog(directory: bench.catalog).migrations()
      .filter { summary.folders.contains($0.folder) }.map { $0.rows ?? 0 }
    #expect(rows.filter { $0 > limit } == summary.oversized.map(\.rows))
  }

  /// A row to retire passes its name on while others refer by it, which no order of migrations
  /// serves: `make` refuses them, and `--split` says the same.
  static let refused: Set = [15, 110, 124, 158, 172]

  static func allow(_ release: inout Release) {
    release.allowsDeletes = true
    release.acceptsSpreadsheets = true
  }

  /// The same catalog twice, each with a first release and an edited source.
  private static func family(_ dice: inout Dice) throws -> (Workbench, Workbench) {
    var family = RandomFamily(&dice)
    let benches = try (0..<2).map { _ in
      try Workbench(["catalog.json": family.options, "0001_tables/up.sql": family.sql])
    }
    for bench in benches {
      try bench.write(family.csv)
      _ = try bench.make("first", allow)
      _ = try bench.migrator().up()
    }
    family.edit(&dice)
    for bench in benches { try bench.write(family.csv) }
    return (benches[0], benches[1])
  }
}
