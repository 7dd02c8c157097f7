import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// What a person decides after a release, by the command.
struct ResolveCommandTests {
  /// A database on which the user's name of 1 won over release 2.
  private static func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox().write([
      "Migrations/0001_t/up.sql":
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, weight REAL);",
      "Migrations/0001_t/t.csv": "id,name,weight\n1,one,1.5\n2,two,2.5\n",
      "Migrations/0002_t/t.update.csv":
        "id,name,was:name,weight,was:weight\n1,uno,one,1.5,1.5\n2,due,two,3.5,2.5\n",
    ])
    _ = try Program.run(["up", "--to", "1", "--quiet"], in: sandbox)
    try sandbox.sql("UPDATE t SET name = 'mine' WHERE id = 1")
    try sandbox.sql("UPDATE t SET weight = 9 WHERE id = 2")
    _ = try Program.run(["up", "--quiet"], in: sandbox)
    return sandbox
  }

  private func names(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.sql("SELECT name || ' ' || weight FROM t")
  }

  @Test func `one conflict, to and fro`() throws {
    let sandbox = try Self.sandbox()
    let settled = try Program.run(["resolve", "1", "--seed"], in: sandbox)
    #expect(settled.code == 0 && settled.output == "Settled 1 conflict.\n", "\(settled)")
    #expect(try names(sandbox) == ["uno 1.5", "due 9.0"])
    let listed = try Program.run(["conflicts"], in: sandbox).masked(sandbox).output
    #expect(listed.contains("\n   settled ") && listed.contains(": the seed's\n"), "\(listed)")
    let json = try Program.run(["conflicts", "--json"], in: sandbox).output
    #expect(json.contains(#""settled":"seed","settledAt":"20"#))
    #expect(json.contains(#""settled":null,"settledAt":null"#))
    let back = try Program.run(["resolve", "1", "--mine", "--json"], in: sandbox)
    #expect(
      back.output
        == #"{"schema":1,"settled":[1],"changedSince":[],"refused":[],"touchedTables":["t"]}"#
        + "\n")
    #expect(try names(sandbox) == ["mine 1.5", "due 9.0"])
  }

  @Test func `all about one column`() throws {
    let sandbox = try Self.sandbox()
    let where_ = ["resolve", "--all", "--where", "T.Weight", "--seed"]
    #expect(try Program.run(where_, in: sandbox).output == "Settled 1 conflict.\n")
    #expect(try names(sandbox) == ["mine 1.5", "due 3.5"])
    #expect(
      try Program.run(["resolve", "--all", "--seed"], in: sandbox).output
        == "Settled 1 conflict.\n")
    #expect(try names(sandbox) == ["uno 1.5", "due 3.5"])
    #expect(
      try Program.run(["resolve", "--all", "--mine"], in: sandbox).output
        == "Settled 0 conflicts.\n")
  }

  @Test func `a row that changed since is reported, and the others are settled`() throws {
    let sandbox = try Self.sandbox()
    try sandbox.sql("UPDATE t SET name = 'My own' WHERE id = 1")
    let found = try Program.run(["resolve", "1", "2", "--seed"], in: sandbox)
    #expect(
      found.output == """
        Conflict 1 (t {"id":1}) is not settled: the row changed since, name is "My own" now.
        Settled 1 conflict.

        """)
    #expect(found.code == 3)
    #expect(try names(sandbox) == ["My own 1.5", "due 3.5"])
  }

  static let wrong: [([String], String)] = [
    (["1"], "Give either '--mine' or '--seed': whose values the rows get."),
    (["1", "--mine", "--seed"], "Give either '--mine' or '--seed': whose values the rows get."),
    (["--mine"], "Give the numbers of conflicts, or '--all', alone or with '--where'. "),
    (["1", "--all", "--mine"], "Give the numbers of conflicts, or '--all', "),
    (["1", "--where", "t", "--mine"], "Give the numbers of conflicts, or '--all', "),
    (["x", "--mine"], "'x' is not the number of a conflict."),
    (
      ["7", "--mine"],
      "There is no conflict 7. 'migrate conflicts' lists them. Nothing was changed."
    ),
  ]

  @Test(arguments: wrong)
  func `a wrong line changes nothing`(_ line: [String], _ words: String) throws {
    let sandbox = try Self.sandbox()
    let found = try Program.run(["resolve"] + line, in: sandbox)
    #expect(found.code == 64 && found.errors.hasPrefix(words), "\(found)")
    #expect(try names(sandbox) == ["mine 1.5", "due 9.0"])
  }

  @Test func `pin, list and unpin`() throws {
    let sandbox = try Self.sandbox()
    #expect(try Program.run(["pin"], in: sandbox).output == "Nothing is pinned.\n")
    #expect(
      try Program.run(["pin", "t", "1", "2"], in: sandbox).output
        == "Pinned t id=1.\nPinned t id=2.\n")
    let json = try Program.run(["pin", "--json"], in: sandbox).output
    #expect(
      json == #"{"schema":1,"pinned":[{"table":"t","key":{"id":1}},{"table":"t","key":{"id":2}}]}"#
        + "\n")
    let refused = try Program.run(["resolve", "1", "--seed"], in: sandbox)
    #expect(refused.output.contains("is pinned. Unpin it first: migrate unpin t 1."))
    #expect(try Program.run(["unpin", "t", "1"], in: sandbox).output == "Unpinned t id=1.\n")
    let twice = try Program.run(["unpin", "t", "1"], in: sandbox)
    #expect(twice.code == 64 && twice.errors.hasPrefix("The row '1' of 't' is not pinned."))
    let wrong = try Program.run(["pin", "t", "9"], in: sandbox)
    #expect(wrong.code == 64 && wrong.errors.hasPrefix("The catalog has no row '9' of 't'"))
    #expect(try Program.run(["pin", "t"], in: sandbox).errors.hasPrefix("Give the key of the row"))
  }

  /// The log is read and printed in parts.
  @Test func `a long log is printed whole`() throws {
    let numbers = 1...2100
    let sandbox = try Sandbox().write([
      "Migrations/0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);",
      "Migrations/0001_t/t.csv": "id,a\n" + numbers.map { "\($0),1\n" }.joined(),
      "Migrations/0002_t/t.update.csv": "id,a,was:a\n" + numbers.map { "\($0),2,1\n" }.joined(),
    ])
    _ = try Program.run(["up", "--to", "1", "--quiet"], in: sandbox)
    try sandbox.sql("UPDATE t SET a = 3")
    _ = try Program.run(["up", "--quiet", "--no-backup"], in: sandbox)
    let lines = try Program.run(["conflicts"], in: sandbox).output.split(separator: "\n")
    #expect(lines.count == 4 * 2100 + 1 && lines.last == "2,100 conflicts")
    #expect(lines[0].hasPrefix("   1  edited: t id=1 ") && lines[4].hasPrefix("   2  edited: "))
    func documents(_ words: String...) throws -> [Int] {
      let text = try Program.run(["conflicts", "--json"] + words, in: sandbox).output
      #expect(text.hasPrefix(#"{"schema":1,"conflicts":["#) && text.hasSuffix("]}\n"))
      let document = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      let list = try #require(document?["conflicts"] as? [[String: Any]])
      return list.compactMap { $0["id"] as? Int }
    }
    #expect(try documents() == Array(numbers))
    let some = ["resolve", "--seed"] + (1001...2000).map(String.init)
    #expect(try Program.run(some, in: sandbox).code == 0)
    #expect(try documents("--open") == Array(1...1000) + Array(2001...2100))
    #expect(try Program.run(["resolve", "--all", "--mine"], in: sandbox).code == 0)
    #expect(try documents("--open") == [])
    #expect(try Program.run(["conflicts", "--open"], in: sandbox).output == "No conflicts.\n")
    #expect(
      try sandbox.sql("SELECT a || ' ' || count(*) FROM t GROUP BY a") == ["2 1000", "3 1100"])
  }
}
