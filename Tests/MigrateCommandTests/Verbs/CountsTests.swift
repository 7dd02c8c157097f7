import Foundation
import Testing

@testable import MigrateCommand

/// What devices send to the author, and the page of what thousands sent.
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
    ["report", "a.html", "--counts", "sent", "--database", "app.sqlite"],
    ["report", "a.html", "--counts", "sent", "--plan"],
    ["report", "a.html", "b.json", "--counts", "sent"],
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

  @Test func `a folder without such files is refused`() throws {
    let sandbox = try Self.sent(["empty/readme.txt": ""])
    let outcome = try Program.run(["report", "a.html", "--counts", "empty"], in: sandbox)
    #expect(outcome.code == 64 && outcome.errors.contains("There is no file in 'empty'"))
  }

  @Test func `numbers of strangers are not added up beyond what a browser counts to`() throws {
    let line =
      #"{"version":20261127103000,"table":"t","kind":"edited","count":9007199254740991,"open":1}"#
    let sent = { (lines: String) in
      #"{"day":"2026-11-27","current":1,"state":"pending","conflicts":["# + lines + "]}"
    }
    let sandbox = try Sandbox().write([
      "sent/1.json": sent(line), "sent/2.json": sent(line),
      "sent/3.json": sent("\(line),\(line)"),
    ])
    let outcome = try Program.run(["report", "a.html", "--counts", "sent"], in: sandbox)
    #expect(outcome.code == 0 && outcome.errors.contains("1 of 3 files"), "\(outcome)")
    let page = try sandbox.text("a.html")
    #expect(page.contains(#""devices":2,"count":9007199254740991,"open":2"#))
  }

  @Test func `files that cannot be used are named, and counted`() throws {
    let sandbox = try Self.sent([
      "sent/x.json": "{}", "sent/y.json": "[", "sent/z.json": #"{"day":1,"current":-1}"#,
      "sent/e.json": "",
    ])
    // Nobody writes to this pipe.
    #expect(mkfifo("\(sandbox.path)/sent/p.json", 0o600) == 0)
    let outcome = try Program.run(["report", "a.html", "--counts", "sent"], in: sandbox)
    #expect(outcome.code == 0 && outcome.errors.contains("5 of 8 files cannot be used"))
    let page = try sandbox.text("a.html")
    #expect(page.contains("x.json:1:1: This is not what"))
    #expect(page.contains(#""refusedCount":5"#) && page.contains(#""files":3"#))
    #expect(page.contains("e.json:1:1: The file is empty. Write at least {}"))
    #expect(page.contains("p.json: This is no ordinary file."))
    for name in ["old", "1", "2"] { try sandbox.remove("sent/\(name).json") }
    let none = try Program.run(["report", "b.html", "--counts", "sent"], in: sandbox)
    #expect(none.code == 64 && !sandbox.exists("b.html"), "\(none)")
  }
}
