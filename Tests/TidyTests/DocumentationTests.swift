import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The documentation` {
  @Test func `begins on a README that is read in one sitting`() throws {
    let lines = try Project.text("README.md").split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 181, "Move what a newcomer can do without to a page.")
  }

  @Test func `is made by docc without a warning`() throws {
    let place = try Place()
    let made = try docs(in: Project.root, into: place.url)
    #expect(made.status == 0, "\(made.output)")
  }

  @Test func `a link to no page is found`() throws {
    let place = try Place()
    for path in ["Scripts/docs", "Sources/Seedbed/Seedbed.docc/Seedbed.md"] {
      try place.write("copy/" + path, Project.text(path))
    }
    let sources = Project.root.appending(path: "Sources").path
    for name in try FileManager.default.contentsOfDirectory(atPath: sources)
    where name.hasPrefix("C") {
      try place.link("copy/Sources/" + name, to: sources + "/" + name)
    }
    let made = try docs(in: place.url.appending(path: "copy"), into: place.url)
    #expect(made.status != 0)
    #expect(made.output.contains("'GettingStarted' doesn't exist"), "\(made.output)")
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
