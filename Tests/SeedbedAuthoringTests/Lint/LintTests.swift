import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct LintTests {
  @Test(arguments: LintCase.all)
  func `lint finds all that is wrong, and no more`(_ test: LintCase) throws {
    let found = try test.findings()
    #expect(found.map(\.summary) == test.expected, "\(found)")
  }

  @Test func `each code is found in some catalog`() throws {
    let shown = Set(LintCase.all.flatMap(\.expected).compactMap { $0.split(separator: " ").first })
    // Those of allows are below, and those of packs in the transcript `packs.md`.
    let elsewhere: Set<LintCode> = [.badAllow, .unusedAllow, .overlap, .foreignTable]
    for code in LintCode.allCases where !elsewhere.contains(code) {
      #expect(shown.contains(Substring(code.rawValue)), "\(code)")
    }
  }

  @Test func `a catalog without a lock says so`() throws {
    let bench = try Workbench(LintCase.words("", [:]).files)
    let found = try Linter(directory: bench.catalog).findings()
    #expect(found.map(\.summary) == ["unlocked seedbed.lock:1"])
  }

  @Test func `our own catalog is clean`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let found = try Linter(directory: root.appendingPathComponent("Migrations").path).findings()
    #expect(found == [])
  }

  @Test func `a folder that is none, or is empty, is an error`() throws {
    let bench = try Workbench(["data/words.csv": "word\n"])
    #expect(throws: SeedbedError.self) { try Linter(directory: bench.catalog).findings() }
    #expect(throws: SeedbedError.self) { try Linter(directory: bench.catalog + "/x").findings() }
  }

  @Test func `looking leaves the catalog as it is`() throws {
    let bench = try Workbench(LintCase.words("", [:]).files)
    _ = try CatalogLock.write(directory: bench.catalog)
    let before = try bench.names
    _ = try Linter(directory: bench.catalog).findings()
    #expect(try bench.names == before)
  }
}

/// What authors allow.
struct AllowTests {
  private static func sql(_ text: String) -> LintCase { LintCase.sql("", text) }

  static let cases: [LintCase] = [
    sql("-- seedbed:allow destructive Never released.\nDROP TABLE words;\n"),
    sql("DROP TABLE words; -- seedbed:allow destructive Never released.\n"),
    sql("-- seedbed:allow destructive Never released.\n-- More of it.\n\nDROP TABLE words;\n"),
    LintCase.sql(
      "too far off",
      "-- seedbed:allow destructive Never released.\nSELECT 1;\nDROP TABLE words;\n",
      "unusedAllow:1", "destructive:3"),
    LintCase.sql(
      "another code", "-- seedbed:allow staleBase Never released.\nDROP TABLE words;\n",
      "unusedAllow:1", "destructive:2"),
    LintCase.sql(
      "no reason", "-- seedbed:allow destructive\nDROP TABLE words;\n",
      "badAllow:1", "destructive:2"),
    LintCase.sql(
      "a misspelt code", "-- seedbed:allow destructiv Never released.\nDROP TABLE words;\n",
      "badAllow:1", "destructive:2"),
    LintCase.sql(
      "what nothing silences", "-- seedbed:allow sql I like it.\nCOMMIT;\n", "unusedAllow:1",
      "sql:2"),
    LintCase.words(
      "in migration.json",
      [
        "0002_a/up.sql": "DROP TABLE words;\n",
        "0002_a/migration.json":
          #"{"allow": {"destructive": "Never released.", "irreversible": "Nobody goes back."}}"#,
      ]),
    LintCase.words(
      "for nothing, in migration.json",
      ["0001_words/migration.json": "{\"allow\": {\n\"destructive\": \"Never released.\"}}"],
      "unusedAllow 0001_words/migration.json:2"),
    LintCase.words(
      "an unknown code in migration.json",
      ["0001_words/migration.json": "{\"allow\": {\n\"destructiv\": \"Never released.\"}}"],
      "badAllow 0001_words/migration.json:2"),
    LintCase.words(
      "without a reason in migration.json",
      ["0001_words/migration.json": "{\"allow\": {\n\"destructive\": \" \"}}"],
      "catalog 0001_words/migration.json:2"),
    LintCase.words(
      "in catalog.json", ["catalog.json": "{\n\"allow\": {\"destructive\": \"No.\"}}"],
      "catalog catalog.json:2"),
  ]

  @Test(arguments: cases)
  func `an allow silences what it is for`(_ test: LintCase) throws {
    let found = try test.findings()
    #expect(found.map(\.summary) == test.expected, "\(found)")
  }

  @Test func `a misspelt code gets the nearest one`() throws {
    let found = try LintCase.sql("", "-- seedbed:allow destructiv So.\nSELECT 1;\n").findings()
    #expect(found.first?.message.contains("Did you mean 'destructive'?") == true)
  }
}
