import Foundation
import TestSupport
import Testing

/// The test that a stranger would do first.
@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The README's Swift` {
  @Test(arguments: ["README.md", "Documentation/AtAppStart.md"])
  func `compiles as it stands`(page: String) throws {
    let blocks = Checkout.blocks(of: "swift", in: try Project.text(page))
    try #require(!blocks.isEmpty, "Show in \(page) how an app embeds the library.")
    for block in blocks {
      let checked = try compile(block)
      #expect(checked.status == 0, "Correct the example in \(page):\n\(checked.output)")
    }
  }

  @Test func `is found when it does not compile`() throws {
    #expect(try compile("import Seedbed\nlet a = Migrator()\n").output.contains("error:"))
  }

  /// Against the library that was built with these tests.
  private func compile(_ text: String) throws -> Shell {
    let build = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    var result = Shell(status: -1, output: "")
    try withTemporaryFolder { folder in
      try folder.write(text, to: "example.swift")
      result = try Shell.run(
        "swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-parse-as-library",
        "-I", build.appending(path: "Modules").path,
        "-I", Project.root.appending(path: "Sources").path, "example.swift", in: folder)
    }
    return result
  }
}
