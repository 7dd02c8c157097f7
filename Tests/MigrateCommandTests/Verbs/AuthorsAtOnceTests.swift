import Foundation
import Testing

@testable import MigrateCommand

/// Several processes that write in one catalog.
struct AuthorsAtOnceTests {
  private static let busy =
    "Another command is writing in 'Migrations'. Nothing was changed: try again when it has "
    + "ended.\n"

  private static func bench() throws -> Sandbox {
    let sandbox = try Sandbox().write([
      "Migrations/0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);",
      "Migrations/0001_t/t.csv": "id,n\n1,a\n",
    ])
    #expect(try Program.run(["lock"], in: sandbox).code == 0)
    return sandbox
  }

  /// Whoever has the turn publishes its own rows, and the others nothing.
  @Test func `of several at once each writes all of its own, or says who is in its way`() throws {
    let sandbox = try Self.bench()
    for author in 1...3 {
      let rows = (10...400).map { "\($0),r\(author)\n" }.joined()
      try sandbox.write(["s\(author).csv": "id,n\n1,a\n" + rows])
    }
    for round in 1...6 {
      let verbs: [[String]] =
        (1...3).map { ["make", "m\($0)", "t=s\($0).csv"] } + [
          ["new", "n"], ["new", "o"], ["lock"],
        ]
      let running = try verbs.map { try Program.start($0, in: sandbox) }
      var done = 0
      for (verb, outcome) in zip(verbs, running.map { $0.wait() }) {
        let said = outcome.errors.replacingOccurrences(of: sandbox.path + "/", with: "")
        switch outcome.code {
        case 0: done += 1
        case 4: #expect(said == Self.busy, "\(verb)")
        default: Issue.record("round \(round), \(verb): \(outcome)")
        }
      }
      #expect(done > 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/Migrations")
      let folders = names.filter { $0.first?.isNumber == true }
      #expect(Set(folders.map { $0.prefix(4) }).count == folders.count, "\(folders)")
      #expect(!names.contains { $0.hasSuffix(".partial") })
      // 'new' makes folders that no lock has yet.
      #expect(try Program.run(["lock"], in: sandbox).code == 0)
      let up = try Program.run(["up", "--database", "r\(round).sqlite"], in: sandbox)
      #expect(up.code == 0, "\(up)")
      let values = try sandbox.sql(
        "SELECT count(DISTINCT n) FROM t WHERE id >= 10", database: "r\(round).sqlite")
      #expect(values == ["1"] || values == ["0"], "rows of two authors: \(values)")
    }
  }

  @Test func `if one is killed, the next one goes on, and nothing is left behind`() throws {
    let sandbox = try Self.bench()
    let rows = (10...30_000).map { "\($0),r\n" }.joined()
    try sandbox.write(["s.csv": "id,n\n1,a\n" + rows])
    let first = try Program.start(["make", "m", "t=s.csv"], in: sandbox)
    #expect(first.waits { sandbox.exists("Migrations/.migrate.partial") })
    let second = try Program.run(["new", "n"], in: sandbox)
    // On a fast machine the first one may have ended.
    if second.code != 0 { #expect(second.code == 4, "\(second)") }
    first.send(SIGKILL)
    _ = first.wait()
    let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.path + "/Migrations")
    if !names.contains(where: { $0.hasSuffix("_m") }) {
      #expect(try Program.run(["make", "m", "t=s.csv"], in: sandbox).code == 0)
    }
    #expect(!sandbox.exists("Migrations/.migrate.partial"))
    #expect(try Program.run(["lock", "--check"], in: sandbox).code == 0)
  }

  @Test(arguments: [["lock"], ["make", "x", "t=s.csv"], ["snapshot"], ["revert", "1"], ["build"]])
  func `a lock that a newer Seedbed wrote is not overwritten`(_ verb: [String]) throws {
    let sandbox = try Self.bench()
    try sandbox.write(["s.csv": "id,n\n1,a\n2,b\n"])
    let lock = try sandbox.text("Migrations/seedbed.lock")
    try sandbox.write([
      "Migrations/seedbed.lock": "seedbed.lock 999:" + lock.dropFirst("seedbed.lock 1:".count)
    ])
    let before = try sandbox.contents()
    let outcome = try Program.run(verb, in: sandbox)
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.contains(
        "The lock has the format 999, which a newer Seedbed wrote; this one reads format 2. Use "
          + "the newer one."), "\(outcome)")
    #expect(try sandbox.contents() == before)
  }

  @Test(arguments: ["make", "new", "lock", "revert", "snapshot", "build"])
  func `the help has the codes of a full disk and of a busy catalog`(_ verb: String) throws {
    let help = try Program.run(["help", verb], in: Sandbox()).output
    #expect(help.contains("  4 ") && help.contains("  6 "), "\(help)")
  }
}
