import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The documentation` {
  @Test func `begins on a README that is read in one sitting`() throws {
    let lines = try Project.text("README.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 221, "Move what a newcomer can do without to a page.")
  }

  @Test func `is made by docc without a warning`() throws {
    try withTemporaryFolder { folder in
      let made = try docs(in: Project.root, into: folder)
      #expect(made.status == 0, "\(made.output)")
    }
  }

  @Test func `a link to no page is found`() throws {
    try withTemporaryFolder { folder in
      let copy = folder.appending(path: "copy")
      let catalog = "Sources/Seedbed/Seedbed.docc"
      for path in ["Scripts/docs", "\(catalog)/Seedbed.md"] {
        let file = copy.appending(path: path)
        try FileManager.default.createDirectory(
          at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Project.root.appending(path: path), to: file)
      }
      let sources = Project.root.appending(path: "Sources")
      for name in try FileManager.default.contentsOfDirectory(atPath: sources.path)
      where name.hasPrefix("C") {
        try FileManager.default.createSymbolicLink(
          at: copy.appending(path: "Sources/\(name)"),
          withDestinationURL: sources.appending(path: name))
      }
      let made = try docs(in: copy, into: folder)
      #expect(made.status != 0)
      #expect(made.output.contains("'GettingStarted' doesn't exist"), "\(made.output)")
    }
  }

  @Test func `of the package index names targets that are there`() throws {
    let listed = try #require(try Project.text(".spi.yml").firstMatch(of: #/targets: \[(.*)\]/#))
    for target in listed.output.1.split(separator: ", ") {
      #expect(Project.exists("Sources/\(target)"), "Correct .spi.yml.")
    }
  }

  private func docs(in checkout: URL, into folder: URL) throws -> Shell {
    try Shell.run(
      "sh", checkout.appending(path: "Scripts/docs").path, "--modules", try Built.modules.path,
      folder.appending(path: "documentation").path, in: folder)
  }
}
