import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// Databases as each released version left them, which this one must take. `Tests/Released/keep`
/// makes one of each release; none of them is ever made again.
struct ReleasedTests {
  private static let folder = Checkout.root.appending(path: "Tests/Released")

  static var versions: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.first?.isNumber == true }
        .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }
  }

  private static func text(_ name: String, of version: String) throws -> String {
    try String(contentsOf: folder.appending(path: "\(version)/\(name)"), encoding: .utf8)
  }

  private static func sandbox(of version: String) throws -> Sandbox {
    let sandbox = try Sandbox()
    for name in ["app.sqlite", "Migrations"] {
      try FileManager.default.copyItem(
        atPath: folder.appending(path: "\(version)/\(name)").path,
        toPath: "\(sandbox.path)/\(name)")
    }
    return sandbox
  }

  private static func run(_ line: String, in sandbox: Sandbox) throws -> String {
    let outcome = try Program.run(line.split(separator: " ").map(String.init), in: sandbox)
    try #require(outcome.code == 0, "\(line): \(outcome)")
    return outcome.output
  }

  @Test func `there is one`() throws { #expect(try Self.versions.contains("0.1.0")) }

  @Test(arguments: try versions)
  func `a database of a released version goes on`(_ version: String) throws {
    let sandbox = try Self.sandbox(of: version)
    #expect(try Self.run("status", in: sandbox).hasSuffix("2 applied, 1 pending\n"))
    #expect(try Self.run("verify", in: sandbox).hasPrefix("Nothing is wrong"))
    _ = try Self.run("up", in: sandbox)
    let found = try sandbox.shell(
      """
      sqlite3 app.sqlite 'SELECT * FROM kinds; SELECT * FROM words'
      migrate conflicts | sed 's/, 20[^)]*Z)/)/; s/settled 20.*Z:/settled:/'
      """)
    #expect(try found.output == Self.text("after.txt", of: version))
    #expect(try Self.run("pin", in: sandbox) == "words id=4\n")
    _ = try Self.run("down --to 0 --discard-user-rows", in: sandbox)
    _ = try Self.run("restore --migrations Migrations", in: sandbox)
  }

  @Test(arguments: try versions) func `its bundle is taken`(_ version: String) throws {
    let sandbox = try Self.sandbox(of: version)
    let bundle = folder(of: version) + "/all.seedbed"
    let key = try Self.text("key.txt", of: version).trimmingCharacters(in: .whitespacesAndNewlines)
    // An app that ships the first release, and downloads the others.
    let made = try sandbox.shell(
      """
      mkdir App && tar -xf '\(bundle)' -C App && rm -r App/0002_more App/0003_last
      migrate lock --migrations App
      """)
    try #require(made.code == 0, "\(made)")
    let up = "up --migrations App --database new.sqlite --signed-by \(key)"
    let report = try Self.run("\(up) --downloaded \(bundle) --allow-sql", in: sandbox)
    #expect(report.contains("Database is at 3."), "\(report)")
  }

  @Test(arguments: try versions) func `its backup is restored`(_ version: String) throws {
    let sandbox = try Self.sandbox(of: version)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder(of: version))
    let backup = try #require(names.first { $0.hasPrefix("after.v2.") })
    let words = try sandbox.sql("SELECT * FROM words")
    try sandbox.sql("DELETE FROM words")
    _ = try Self.run("restore \(folder(of: version))/\(backup)", in: sandbox)
    #expect(try Self.run("status", in: sandbox).hasSuffix("2 applied, 1 pending\n"))
    #expect(try !words.isEmpty && sandbox.sql("SELECT * FROM words") == words)
  }

  /// A program that reads the document of an older version finds each of its keys in a new one.
  @Test(arguments: try versions) func `its documents' keys are there`(_ version: String) throws {
    let sandbox = try Self.sandbox(of: version)
    for verb in ["up", "status", "conflicts"] {
      let new = try Self.run("\(verb) --json", in: sandbox)
      let (old, found) = try (
        DocumentKeys.of(Self.text("\(verb).json", of: version)), DocumentKeys.of(new)
      )
      #expect(!old.isEmpty && old.isSubset(of: found), "\(verb): \(old.subtracting(found))")
    }
  }

  private func folder(of version: String) -> String {
    Self.folder.appending(path: version).path
  }

  /// The format that is promised: tools of others may read these tables.
  @Test func `the ledger is as the last release made it`() throws {
    let sandbox = try Self.sandbox(of: try #require(try Self.versions.last))
    _ = try Self.run("up --database new.sqlite", in: sandbox)
    let schema =
      "SELECT sql FROM sqlite_schema WHERE name LIKE 'seedbed%' AND sql IS NOT NULL ORDER BY name"
    let (kept, new) = try (sandbox.sql(schema), sandbox.sql(schema, database: "new.sqlite"))
    #expect(!kept.isEmpty && kept == new)
  }
}
