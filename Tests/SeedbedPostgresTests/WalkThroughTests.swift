import Foundation
import Seedbed
import TestSupport
import Testing

@Suite(.enabled(if: Cluster.isInstalled)) struct `The page on PostgreSQL` {
  private static let page = "Documentation/PostgreSQL.md"

  @Test func `prints what its walk-through shows`() throws {
    let steps = Transcript(try Transcript.section("## A walk-through", of: Self.page)).steps
    #expect(steps.filter { $0.output != nil }.count >= 10, "the walk-through is found")
    let place = try Place()
    let variables = try variables(in: place)
    for step in steps {
      // As a person in a terminal would, both streams in one.
      let (code, output) = try Child.run(
        ["/bin/sh", "-c", step.command], in: place.path, environment: variables)
      #expect(code == 0, "\(step.command)\n\(output)")
      guard let shown = step.output else { continue }
      #expect(
        masked(output, place) == masked(shown, place),
        "Paste into \(Self.page) what '\(step.command)' prints.")
    }
  }

  /// Without what differs from run to run, the blanks with which psql ends lines among it.
  private func masked(_ text: String, _ place: Place) -> String {
    let version = "PostgreSQL [0-9]+[.0-9]+"
    let plain = text.replacingOccurrences(
      of: version, with: "PostgreSQL N", options: .regularExpression)
    let lines = Transcript.masked(plain, in: place.path)
      .replacingOccurrences(of: "(?m) +$", with: "", options: .regularExpression)
    return Transcript.trimmed(lines)
  }

  /// The programs of PostgreSQL find the tests' server.
  private func variables(in place: Place) throws -> [String: String] {
    let cluster = try #require(Cluster.shared)
    let programs = URL(filePath: Child.migrate).deletingLastPathComponent().path
    let rest = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return [
      "PATH": "\(programs):\(Cluster.programs ?? ""):\(rest)", "HOME": place.path,
      "PGHOST": cluster.folder, "PGUSER": "postgres", "DATABASE_URL": "postgres:///elements",
    ]
  }
}
