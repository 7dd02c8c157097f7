import Foundation
import Seedbed
import TestSupport
import Testing

@Suite(.enabled(if: Cluster.isInstalled)) struct `The page on PostgreSQL` {
  private static let page = "Documentation/PostgreSQL.md"

  @Test func `prints what its walk-through shows`() throws {
    let steps = Transcript(try Transcript.section("## A walk-through", of: Self.page)).steps
    #expect(steps.filter { $0.output != nil }.count >= 10, "the walk-through is found")
    let folder = try Folder()
    for step in steps {
      let (code, output) = try folder.shell(step.command)
      #expect(code == 0, "\(step.command)\n\(output)")
      guard let shown = step.output else { continue }
      #expect(
        masked(output, folder) == masked(shown, folder),
        "Paste into \(Self.page) what '\(step.command)' prints.")
    }
  }

  /// Without what differs from run to run, the blanks with which psql ends lines among it.
  private func masked(_ text: String, _ folder: Folder) -> String {
    let version = "PostgreSQL [0-9]+[.0-9]+"
    let plain = text.replacingOccurrences(
      of: version, with: "PostgreSQL N", options: .regularExpression)
    let lines = Transcript.masked(plain, in: folder.path)
      .replacingOccurrences(of: "(?m) +$", with: "", options: .regularExpression)
    return Transcript.trimmed(lines)
  }

  /// An empty one, in which the programs of PostgreSQL find the tests' server.
  private final class Folder {
    let path: String
    private let variables: [String: String]

    init() throws {
      let cluster = try #require(Cluster.shared)
      let url = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID())")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      path = url.resolvingSymlinksInPath().path
      let programs = URL(filePath: Child.migrate).deletingLastPathComponent().path
      let rest = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      variables = [
        "PATH": "\(programs):\(Cluster.programs ?? ""):\(rest)", "HOME": path,
        "PGHOST": cluster.folder, "PGUSER": "postgres", "DATABASE_URL": "postgres:///elements",
      ]
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Runs a command as a person in a terminal would, both streams in one.
    func shell(_ command: String) throws -> (code: Int32, output: String) {
      let output = path + "/.output"
      defer { unlink(output) }
      let child = try Child(
        ["/bin/sh", "-c", "exec 2>&1\n" + command], in: path, environment: variables,
        output: .file(output))
      return (child.wait(), try String(contentsOfFile: output, encoding: .utf8))
    }
  }
}
