import Foundation
import TestSupport
import Testing

@testable import MigrateCommand

/// What a person decides after a release, by the command.
struct ResolveCommandTests {
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
