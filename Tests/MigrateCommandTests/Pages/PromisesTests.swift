import Foundation
import SeedbedOptions
import SeedbedOverTheAir
import TestSupport
import Testing

@testable import MigrateCommand
@testable import Seedbed

/// What programs build on stays: `Tests/Promises.txt` has every name of it.
struct PromisesTests {
  private static let list = "Tests/Promises.txt"

  @Test func `what is promised is there`() throws {
    let listed = try Checkout.text(Self.list).split(separator: "\n").map(String.init)
    for problem in Self.problems(listed: listed, found: try Self.found()) {
      Issue.record("\(problem)")
    }
  }

  @Test func `nothing goes, and what comes is promised`() {
    #expect(Self.problems(listed: ["verb up"], found: ["verb up"]) == [])
    #expect(
      Self.problems(listed: ["verb up", "verb down"], found: ["verb up", "verb fill"]) == [
        "Programs may use 'verb down', which is gone. Bring it back.",
        "'verb fill' is not in \(Self.list). Enter it there, and it stays for good.",
      ])
  }

  private static let page = "Sources/Seedbed/Seedbed.docc/Promises.md"

  @Test func `the page has the formats' numbers`() throws {
    let page = try Checkout.text(Self.page)
    let header = try Checkout.text("Sources/CSeedbedExtension/include/seedbed.h")
    let abi = try #require(header.firstMatch(of: /define (SEEDBED_ABI) (\d+)/))
    for row in [
      "| ledger | \(LedgerSchema.format), in `seedbed_ledger` |",
      "| `seedbed.lock` | 1 or \(Lock.format), in its first line |",
      "| `seedbed.lock.sig` | \(LockSignature.format), in its first line |",
      "| functions in C | `\(abi.1)` \(abi.2) |",
    ] { #expect(page.contains(row), "\(row)") }
    #expect(JSON.document([]).text.hasPrefix("{\"schema\":1") && page.contains("| `schema` 1 |"))
  }

  @Test func `who stops keeps the rows, and nothing else`() throws {
    let sandbox = try Sandbox.atOne()
    let rows = try sandbox.sql("SELECT * FROM elements")
    #expect(!rows.isEmpty)
    let section = try Transcript.section("## How to stop using it", of: Self.page)
    let block = try #require(Checkout.blocks(of: "sh", in: section).first)
    let outcome = try sandbox.shell(block)
    #expect(outcome == Outcome(), "\(outcome)")
    #expect(try sandbox.sql("SELECT * FROM elements") == rows)
    #expect(try sandbox.sql("SELECT name FROM sqlite_schema WHERE name LIKE '%seedbed%'") == [])
    #expect(try !sandbox.contents().keys.contains { $0.contains(".backups") })
  }

  private static func problems(listed: [String], found: [String]) -> [String] {
    listed.filter { !found.contains($0) }.map {
      "Programs may use '\($0)', which is gone. Bring it back."
    }
      + found.filter { !listed.contains($0) }.map {
        "'\($0)' is not in \(list). Enter it there, and it stays for good."
      }
  }

  // MARK: what there is

  private static func found() throws -> [String] {
    let policies =
      Migrator.EditPolicy.allCases.map(\.rawValue)
      + Migrator.CollisionPolicy.allCases.map(\.rawValue)
    let header = try Checkout.text("Sources/CSeedbedExtension/include/seedbed.h")
    let words = [
      (
        "format",
        [
          "ledger \(LedgerSchema.format)", "seedbed.lock \(Lock.format)",
          "seedbed.lock.sig \(LockSignature.format)",
        ]
      ),
      ("verb", Verb.all.map(\.name)),
      ("exit code", ExitCode.allCases.map { "\($0.rawValue) \($0)" }),
      ("error", SeedbedError.Code.allCases.map(\.rawValue)),
      ("conflict", Migrator.Conflict.Kind.allCases.map(\.rawValue)),
      ("outcome of a conflict", Migrator.Conflict.Resolution.allCases.map(\.rawValue)),
      ("state", Migrator.Status.State.allCases.map(\.rawValue)),
      ("state of a migration", Migrator.Status.Migration.State.allCases.map(\.rawValue)),
      ("origin", Migrator.Origin.Kind.allCases.map(\.rawValue)),
      ("policy", Set(policies).sorted()),
      ("option of catalog.json", OptionsReader.ofCatalog + OptionsReader.ofBoth),
      ("option of migration.json", OptionsReader.ofMigration + OptionsReader.ofBoth),
      ("option of a table", OptionsReader.ofTable),
      ("option of a call", Set(VerbOption.shared.map(\.name)).sorted()),
      (
        "C",
        header.matches(of: /(?m)^(?:int|void|const char \*) ?(seedbed_\w+)\(/).map { "\($0.1)()" }
      ),
      ("C", header.matches(of: /#define (SEEDBED_\w+ \d+)/).map { "\($0.1)" }),
      ("SQL", try functionsInSQL()),
    ]
    return words.flatMap { kind, names in names.map { "\(kind): \($0)" } } + (try keysOfDocuments())
  }

  /// Those of the page's table, which the extension's tests call.
  private static func functionsInSQL() throws -> [String] {
    let rows = try Checkout.text("Documentation/FromAnyLanguage.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `seedbed_") }
    return rows.flatMap { row in
      row.split(separator: "|")[0].matches(of: /(seedbed_\w+)\(/).map { "\($0.1)()" }
    }
  }

  /// Those of the page, with which the tests of Python compare the documents.
  private static func keysOfDocuments() throws -> [String] {
    let sections = try Checkout.text("Documentation/JSON.md").components(separatedBy: "\n## ")
    return sections.dropFirst().flatMap { section -> [String] in
      let title = section.prefix { $0 != "\n" }
      if title == "Codes" { return [] }
      return section.matches(of: /(?m)^\| `([^`]+)`/).map { "JSON of \(title): \($0.1)" }
    }
  }
}
