import Foundation
import Testing

@testable import MigrateCommand

/// `migrate up` as a process.
struct UpCommandTests {
  @Test(arguments: [2, 8]) func `of several that race each migration is applied once`(
    _ count: Int
  ) throws {
    let sandbox = try Sandbox.withElements(Sandbox.more)
    let racers = try (0..<count).map { _ in
      try Program.start(["up", "--lock-timeout", "20"], in: sandbox)
    }
    let outcomes = racers.map { $0.wait() }
    for outcome in outcomes {
      #expect(outcome.code == 0 && outcome.output.hasSuffix("Database is at 2.\n"), "\(outcome)")
    }
    let lines = outcomes.flatMap { $0.output.split(separator: "\n") }
    #expect(lines.count { $0.hasPrefix("0001 ") } == 1)
    #expect(lines.count { $0.hasPrefix("0002 ") } == 1)
    #expect(try sandbox.sql("SELECT count(*) FROM elements") == ["5"])
    #expect(try sandbox.sql("PRAGMA integrity_check") == ["ok"])
  }
}
