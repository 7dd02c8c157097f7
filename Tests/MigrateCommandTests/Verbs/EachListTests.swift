import Foundation
import Testing

@testable import MigrateCommand

/// Which databases `--each` is about, and what its documents call them.
struct EachListTests {
  /// `a` is at 1 of 2 and `b` at 2, `empty` has no byte, and `old/c` is at 1, too.
  private func tenants() throws -> Sandbox {
    let sandbox = try Sandbox.atOne(Sandbox.more)
    for folder in ["tenants", "tenants/old"] {
      try FileManager.default.createDirectory(
        atPath: "\(sandbox.path)/\(folder)", withIntermediateDirectories: true)
    }
    for name in ["a", "b", "old/c"] {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/tenants/\(name).sqlite")
    }
    try sandbox.run(["up", "--no-backup", "--database", "tenants/b.sqlite"])
    return try sandbox.write(["tenants/empty.sqlite": ""])
  }

  /// What is left out, the head of what is printed, and what is said of it.
  typealias Case = Named<(each: String, except: String), (head: String, note: String)>

  static let cases: [Case] = [
    Case(
      "by a name", ("tenants/", "empty.sqlite"),
      ("2 databases: 1 pending, 1 up to date", "'--except' leaves out 1 database.")),
    Case(
      "by a path", ("tenants", "tenants/[be]*.sqlite"),
      ("1 database: 1 pending", "'--except' leaves out 2 databases.")),
    Case(
      "in another folder", ("tenants/*/*.sqlite", "c.*"),
      ("0 databases", "'--except' leaves out 1 database.")),
    Case(
      "by a path that is not in the list", ("tenants/[ab].sqlite", "other/a.sqlite"),
      (
        "2 databases: 1 pending, 1 up to date",
        "'--except' leaves out none: no database matches 'other/a.sqlite'."
      )),
  ]

  @Test(arguments: cases) func `a pattern leaves out`(_ c: Case) throws {
    let outcome = try Program.run(
      ["status", "--each", c.given.each, "--except", c.given.except], in: try tenants())
    #expect(outcome.output.hasPrefix(c.expected.head + "\n"), "\(outcome)")
    #expect(outcome.errors == c.expected.note + "\n" && outcome.code == 0)
  }

  /// A slip of the shell in an empty folder makes a file called `*.sqlite`.
  @Test(arguments: ["tenants/*.sqlite", "./tenants/*.sqlite"])
  func `a file called like the pattern is one of those that match`(_ pattern: String) throws {
    let sandbox = try tenants()
    try sandbox.remove("tenants/empty.sqlite")
    for name in ["*.sqlite", "[b].sqlite"] {
      try FileManager.default.copyItem(
        atPath: "\(sandbox.path)/app.sqlite", toPath: "\(sandbox.path)/tenants/\(name)")
    }
    let all = try Program.run(["status", "--each", pattern], in: sandbox)
    #expect(all.output.hasPrefix("4 databases: 3 pending, 1 up to date\n"), "\(all)")
    // This pattern matches another file than the one called so.
    let one = try Program.run(["status", "--each", "tenants/[b].sqlite"], in: sandbox)
    #expect(one.output.hasPrefix("1 database: 1 pending\n"), "\(one)")
  }

  @Test func `an empty file is not filled, and the message says how to go on`() throws {
    let sandbox = try tenants()
    let words =
      "tenants/empty.sqlite: This file is empty, and '--each' creates no database in it. Leave it "
      + "out with --except empty.sqlite, or create it: migrate up --database "
      + "tenants/empty.sqlite.\n"
    let up = try Program.run(["up", "--each", "tenants/", "--keep-going"], in: sandbox)
    #expect(up.errors == words && up.code == 2)
    #expect(
      up.output.hasPrefix("3 databases: 1 brought up to date, 1 had nothing pending, 1 failed\n"))
    let status = try Program.run(["status", "--each", "tenants/"], in: sandbox)
    #expect(status.errors == words && status.code == 2)
    #expect(status.output == "3 databases: 2 up to date, 1 failed\n")
    #expect(try sandbox.text("tenants/empty.sqlite").isEmpty)
    let alone = try Program.run(
      ["up", "--must-exist", "--database", "tenants/empty.sqlite"], in: sandbox)
    #expect(alone.code == 2 && alone.errors.contains("the file is empty. "))
    try sandbox.run(["up", "--database", "tenants/empty.sqlite"])
  }

  @Test(arguments: ["up", "plan", "rehearse"])
  func `a broken catalog.json is one error`(_ verb: String) throws {
    let sandbox = try tenants().write(["Migrations/catalog.json": #"{"tables": {}}"#])
    try sandbox.run(["lock"])
    try sandbox.write(["Migrations/catalog.json": #"{"tables": []}"#])
    let outcome = try Program.run([verb, "--each", "tenants/[ab].sqlite"], in: sandbox)
    #expect(outcome.code == 2 && outcome.output.isEmpty)
    #expect(outcome.errors.hasPrefix("Migrations/catalog.json"), "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1)
  }

  @Test func `counts and entries spell a state in one way, and the verb is named`() throws {
    let sandbox = try tenants()
    let lines = [
      ("status", ["upToDate": 1, "pending": 1, "failed": 1]),
      ("conflicts", ["withoutConflicts": 2, "failed": 1]),
      ("verify", ["withoutFindings": 2, "failed": 1]),
    ]
    for (verb, counts) in lines {
      let outcome = try Program.run([verb, "--each", "tenants/", "--json"], in: sandbox)
      let document = try #require(
        try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
      #expect(document["counts"] as? [String: Int] == counts)
      #expect(document["verb"] as? String == verb)
      let states = (document["each"] as? [[String: Any]] ?? []).compactMap {
        $0["state"] as? String
      }
      #expect(Set(states).isSubset(of: counts.keys))
    }
    for verb in ["plan", "up"] {
      let outcome = try Program.run([verb, "--each", "tenants/b.sqlite", "--json"], in: sandbox)
      #expect(outcome.output.hasSuffix(#","failures":[],"verb":"\#(verb)"}"# + "\n"))
    }
  }
}
