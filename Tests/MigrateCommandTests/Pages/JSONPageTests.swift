import Seedbed
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
    for word in words { #expect(page.contains("`\(word)`"), "\(word)") }
  }
}
