import Foundation
import Testing

@testable import MigrateCommand

/// What devices send to the author.
struct CountsTests {
  static let edited = [
    "Migrations/0002_more/elements.update.csv": "number,name,was:name\n1,Hydrogenium,Hydrogen\n"
  ]

  /// The documents of three devices: one edited a row, one is old, one has a release only.
  static func sent(_ more: [String: String] = [:]) throws -> Sandbox {
    let sandbox = try Sandbox.atOne(edited)
    let old = try Program.run(["status", "--json", "--counts"], in: sandbox).output
    try sandbox.sql("UPDATE elements SET name = 'Mine' WHERE number = 1")
    try sandbox.run(["up", "--no-backup"])
    let mine = try Program.run(["status", "--json", "--counts"], in: sandbox).output
    try sandbox.write(["sent/old.json": old, "sent/1.json": mine, "sent/2.json": mine])
    return try sandbox.write(more)
  }

  @Test func `a device prints numbers only`() throws {
    let output = try Program.run(["status", "--json", "--counts"], in: Self.sent()).output
    let day = try #require(output.firstMatch(of: /"day":"([^"]*)"/)?.1)
    #expect(
      output == """
        {"schema":1,"day":"\(day)","current":2,"target":2,"state":"upToDate","lastRun":"applied",\
        "lastRunDay":"\(day)","conflicts":[{"version":2,"table":"elements","column":"name",\
        "kind":"edited","count":1,"open":1}]}

        """)
  }

  @Test(arguments: [
    ["status", "--counts"], ["status", "--counts", "--json", "--each", "."],
    ["report", "a.html", "--counts"],
  ])
  func `what does not go together is refused`(_ words: [String]) throws {
    let sandbox = try Self.sent()
    let outcome = try Program.run(words, in: sandbox)
    #expect(outcome.code == 64 && !sandbox.exists("a.html"), "\(outcome)")
  }

  @Test func `options of status still count`() throws {
    let sandbox = try Self.sent()
    let words = ["status", "--json", "--counts", "--expect", "3"]
    #expect(try Program.run(words, in: sandbox).code == 3)
  }
}
