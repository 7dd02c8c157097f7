import Foundation
import Seedbed
import TestSupport
import Testing

/// `migrate`, which knows no server, and the program that it runs for one.
@Suite(.enabled(if: Cluster.isInstalled)) struct `The program for servers` {
  private static func run(
    _ program: String, _ words: String..., environment: [String: String] = [:]
  ) throws -> (code: Int32, output: String) {
    let variables = environment.map { "\($0)=\($1)" }
    return try Child.run(
      ["/usr/bin/env"] + variables + [Child.built(program)] + words,
      in: Checkout.root.path)
  }

  @Test func `is run in place of the command`() throws {
    try withDatabase { uri in
      let there = try Self.run("migrate", "status", "--exit-code", "--database", uri)
      #expect(there.code == 1 && there.output.hasSuffix("4 pending\n"), "\(there)")
      let url = ["DATABASE_URL": uri]
      let here = try Self.run("migrate", "status", "--exit-code", environment: url)
      #expect(here == there)
    }
  }

  @Test func `refuses a command of another version`() throws {
    try withDatabase { uri in
      let refused = try Self.run(
        "migrate-postgresql", "status", "--database", uri,
        environment: ["SEEDBED_CALLERS_VERSION": "0.0.9"])
      #expect(refused.code == 2)
      #expect(refused.output.contains("and the command that runs it 0.0.9. Install the same"))
      #expect(try Self.run("migrate-postgresql", "status", "--database", uri).code == 0)
    }
  }
}
