import Foundation
import Seedbed
import SeedbedAuthoring
import TestSupport
import Testing

@testable import MigrateCommand

/// The words on the page of the documents; their keys are compared by Tests/Python.
struct JSONPageTests {
  @Test func `has each code of an error, with its exit code`() throws {
    let page = try Checkout.text("Documentation/JSON.md")
    let codes = try #require(page.split(separator: "## Codes\n").last)
    for code in SeedbedError.Code.allCases {
      let row = codes.split(separator: "\n").first { $0.hasPrefix("| `\(code.rawValue)` |") }
      #expect(row?.hasSuffix(" | \(ExitCode(code).rawValue) |") == true, "\(code): \(row ?? "")")
    }
  }

  @Test func `has each word that a document may have`() throws {
    let page = try Checkout.text("Documentation/JSON.md")
    let words =
      Migrator.Conflict.Kind.allCases.map(\.rawValue)
      + Migrator.Conflict.Resolution.allCases.map(\.rawValue)
      + Migrator.Status.State.allCases.map(\.rawValue)
      + Migrator.Status.Migration.State.allCases.map(\.rawValue)
      + Migrator.Origin.Kind.allCases.map(\.rawValue)
      + Migrator.Suggestion.Kind.allCases.map(\.rawValue)
      + SuggestionReview.Entry.State.allCases.map(\.rawValue)
    for word in words { #expect(page.contains("`\(word)`"), "\(word)") }
  }

  /// The documents of verbs that only the command has.
  @Test func `has each key of suggestions`() throws {
    let sandbox = try Sandbox.atOne([
      "Migrations/catalog.json":
        #"{"tables": {"elements": {"source": "data/elements.sqlite#elements"}}}"#,
      "Migrations/data/keep": "",
    ])
    let source = try Child.run(
      [
        "sqlite3", "Migrations/data/elements.sqlite",
        "CREATE TABLE elements (number INTEGER PRIMARY KEY, name TEXT); INSERT INTO elements "
          + "VALUES (1, 'Hydrogen'), (2, 'Helium'), (3, 'Lithium')",
      ], in: sandbox.path)
    try #require(source.code == 0, "\(source)")
    try sandbox.sql(
      """
      UPDATE elements SET name = 'He' WHERE number = 2; DELETE FROM elements WHERE number = 3;
      UPDATE elements SET name = x'00' WHERE number = 1; INSERT INTO elements VALUES (9, 'Mine')
      """)
    let all = ["--deletions", "--additions"]
    _ = try Program.run(["export", "--suggestions", "--out", "mine.csv"] + all, in: sandbox)
    let id = try Program.run(["suggestions", "mine.csv"], in: sandbox).output.prefix(8)
    for (title, lines) in [
      ("export --suggestions", [["export", "--suggestions"] + all]),
      (
        "suggestions",
        [
          ["suggestions", "mine.csv"],
          ["suggestions", "mine.csv", "--take", "\(id)", "--allow-deletes"],
        ]
      ),
    ] {
      let section = try #require(
        Checkout.text("Documentation/JSON.md").components(separatedBy: "\n## \(title)\n").last?
          .components(separatedBy: "\n## ").first)
      let documented = Set(section.matches(of: #/(?m)^\| `([^`]+)`/#).map { String($0.1) })
      var found: Set<String> = []
      for line in lines {
        let output = try Program.run(line + ["--json"], in: sandbox).output
        found.formUnion(try DocumentKeys.of(output))
      }
      // In the first document there is no file, and in the second no line that is refused.
      #expect(found == documented, "\(title)")
    }
  }

  @Test func `has each key of sign and of a bundle of one file`() throws {
    let sandbox = try Sandbox.withAuthor()
    let page = try Checkout.text("Documentation/JSON.md")
    for line in ["sign --key author.pem", "bundle june.seedbed"] {
      let verb = line.prefix { $0 != " " }
      let section = try #require(
        page.components(separatedBy: "\n## \(verb)\n").last?.components(separatedBy: "\n## ").first)
      let documented = Set(section.matches(of: #/(?m)^\| `([^`]+)`/#).map { String($0.1) })
      let found = try DocumentKeys.of(sandbox.do(line + " --json"))
      #expect(found == documented, "\(verb)")
    }
  }
}

/// The keys of a document as on the page; those of rows are the catalog's.
enum DocumentKeys {
  static func of(_ document: String) throws -> Set<String> {
    var found: Set<String> = []
    keys(of: try JSONSerialization.jsonObject(with: Data(document.utf8)), under: "", &found)
    return found
  }

  private static func keys(of json: Any, under path: String, _ found: inout Set<String>) {
    if let list = json as? [Any] {
      for element in list { keys(of: element, under: path + "[]", &found) }
    } else if let object = json as? [String: Any], !path.hasSuffix(".key"), !path.hasSuffix(".row")
    {
      for (key, value) in object {
        let inner = path.isEmpty ? key : "\(path).\(key)"
        found.insert(inner)
        keys(of: value, under: inner, &found)
      }
    }
  }
}
