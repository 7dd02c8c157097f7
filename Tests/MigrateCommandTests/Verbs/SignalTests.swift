import CSeedbedSQLite
import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// A signal to a verb over many databases.
struct SignalTests {
  typealias Case = (line: [String], done: String)

  /// What each says of the first database, which is free. The second one is none, which is said at
  /// once, and the third one is locked.
  static let cases: [Case] = [
    (["status"], "1 pending"), (["verify"], "1 without findings"),
    (["conflicts"], "1 without conflicts"), (["conflicts", "--prune"], "1 without conflicts"),
    (["rehearse", "--points", "3"], "1 recovered"), (["plan"], "1 would change"),
    (["up", "--keep-going"], "1 brought up to date"),
  ]

  /// Three; whoever wants to read or write the last one has to wait.
  private func tenants() throws -> (Sandbox, lock: OpaquePointer) {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    guard try Program.run(["lock", "--quiet"], in: sandbox).code == 0 else {
      throw Sandbox.Failure(description: "no lock")
    }
    let folder = "\(sandbox.path)/tenants"
    try sandbox.write(["tenants/b.sqlite": String(repeating: "x", count: 600)])
    for name in ["a", "c"] {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/app.sqlite", toPath: "\(folder)/\(name).sqlite")
    }
    var handle: OpaquePointer?
    guard sqlite3_open("\(folder)/c.sqlite", &handle) == SQLITE_OK, let handle,
      sqlite3_exec(handle, "BEGIN EXCLUSIVE", nil, nil, nil) == SQLITE_OK
    else { throw Sandbox.Failure(description: "cannot lock") }
    return (sandbox, handle)
  }

  @Test(arguments: cases, [SIGINT, SIGTERM])
  func `it ends promptly, and says what was done`(_ c: Case, _ signal: Int32) throws {
    let (sandbox, lock) = try tenants()
    defer { sqlite3_close(lock) }
    let running = try Program.start(
      c.line + ["--each", "tenants/", "--lock-timeout", "600"]
        + (c.line[0] == "rehearse" ? [] : ["--jobs", "1"]), in: sandbox)
    #expect(running.waits(for: "tenants/b.sqlite: This file is encrypted"))
    // By then it waits for the lock.
    usleep(200_000)
    #expect(running.child.code == nil)
    running.send(signal)
    let outcome = try #require(running.waitBriefly())
    #expect(outcome.code == 130, "\(outcome)")
    #expect(outcome.errors.contains("Interrupted. "), "\(outcome)")
    let head = outcome.output.prefix { $0 != "\n" }
    #expect(head.hasPrefix("3 databases: ") && head.contains(c.done), "\(outcome)")
    #expect(head.contains("1 left as they were"), "\(outcome)")
    #expect(c.line[0] == "plan" || head.contains("1 failed"), "\(outcome)")
  }

  @Test func `among the canaries, too`() throws {
    let (sandbox, lock) = try tenants()
    defer { sqlite3_close(lock) }
    let running = try Program.start(
      ["up", "--each", "tenants/c*", "--canary", "1", "--lock-timeout", "600"], in: sandbox)
    usleep(500_000)
    #expect(running.child.code == nil)
    running.send(SIGTERM)
    #expect(running.waitBriefly()?.code == 130)
  }

  @Test func `the document says it as well`() throws {
    let (sandbox, lock) = try tenants()
    defer { sqlite3_close(lock) }
    let running = try Program.start(
      [
        "status", "--each", "tenants/", "--jobs", "1", "--lock-timeout", "600", "--json",
      ], in: sandbox)
    #expect(running.waits(for: "tenants/b.sqlite: This file is encrypted"))
    running.send(SIGINT)
    let outcome = try #require(running.waitBriefly())
    let document =
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    #expect((document?["each"] as? [Any])?.count == 2 && outcome.code == 130, "\(outcome)")
    #expect((document?["counts"] as? [String: Int])?["left"] == 1)
  }
}
