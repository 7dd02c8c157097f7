import TestSupport
import Testing

/// `--expect`: a deployment that must not stay below a version without a word.
struct ExpectTests {
  private static let app = " --migrations App"
  private static let download = "\(app) --downloaded june.seedbed --signed-by \(Sandbox.publicKey)"
  /// Another vector of RFC 8032.
  private static let wrong =
    "\(app) --downloaded june.seedbed"
    + " --signed-by ed25519:PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw="

  private func run(_ line: String, in sandbox: Sandbox) throws -> Outcome {
    try Program.run(line.split(separator: " ").map(String.init), in: sandbox)
  }

  @Test func `a download that was passed over fails the deployment`() throws {
    let sandbox = try Sandbox.withDownload()
    let up = try run("up --expect 2" + Self.wrong, in: sandbox)
    #expect(up.code == 3)
    #expect(up.errors.contains("Version 2 was expected, and the database is at 1, the last one"))
    #expect(up.errors.contains("passed over: no key that is trusted here has signed it."), "\(up)")
    // The app's own release is whole, so it stays.
    #expect(try sandbox.do("status" + Self.app).hasPrefix("app.sqlite is at 1 of 1\n"))
    let status = try run("status --expect 2" + Self.wrong, in: sandbox)
    #expect(status.code == 3 && status.output.contains("\nVersion 2 was expected.\n"), "\(status)")

    try sandbox.do("up --expect 2" + Self.download)
    for version in [1, 2] {
      let status = try sandbox.do("status --expect \(version)" + Self.download)
      #expect(!status.contains("expected"))
    }
  }

  @Test func `a catalog that ends below it says so, also where nothing is pending`() throws {
    let sandbox = try Sandbox.withDownload()
    try sandbox.do("up" + Self.app)
    let up = try run("up --expect 2" + Self.app, in: sandbox)
    #expect(up.code == 3 && up.errors.contains("Give 'up' a catalog or a download that has it."))
    let early = try run("up --to 1 --expect 2 --database b.sqlite" + Self.download, in: sandbox)
    #expect(early.code == 64 && early.errors.contains("'--to 1' stops before version 2, which"))
    #expect(!sandbox.exists("b.sqlite"))
  }

  @Test func `a canary that stays below it stops the rest`() throws {
    let sandbox = try Sandbox.withDownload()
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
      try sandbox.do("up --database \(name).sqlite" + Self.app)
    }
    // All have what the catalog has, and the first one shows that it is not enough.
    let up = try run(
      "up --each *.sqlite --canary 1 --keep-going --expect 2" + Self.wrong, in: sandbox)
    #expect(up.code == 3)
    #expect(up.output.hasPrefix("8 databases: 1 failed, 7 left as they were\n"), "\(up)")
    let status = try run("status --each *.sqlite --expect 2" + Self.wrong, in: sandbox)
    #expect(status.code == 3)
    #expect(status.output.hasPrefix("8 databases: 8 below version 2\n"), "\(status)")
    #expect(status.output.contains("a.sqlite  is at 1 of 1, below version 2\n"), "\(status)")
    try sandbox.do("up --each *.sqlite --expect 2" + Self.download)
    try sandbox.do("status --each *.sqlite --expect 2" + Self.download)
  }

  @Test func `a database that is to be recovered has no version yet`() throws {
    let sandbox = try Sandbox.atOne().withHotJournal()
    let status = try run("status --expect 2", in: sandbox)
    #expect(status.code == 4, "\(status)")
    let each = try run("status --each *.sqlite --expect 2", in: sandbox)
    #expect(each.code == 4 && each.output.contains("app.sqlite  is to be recovered\n"), "\(each)")
  }
}
