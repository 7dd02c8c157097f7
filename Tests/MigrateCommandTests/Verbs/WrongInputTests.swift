import Foundation
import Testing

/// What a person may get wrong: one clear sentence, and nothing is written.
struct WrongInputTests {
  private static let number = "Leave out the number, which Seedbed chooses: 'more'."

  private static let lines: [([String], Int32, String)] = [
    (["make", "0002_more", "t=a.csv", "--create"], 64, number),
    (["new", "0002_more"], 64, number),
    (["new", ""], 64, "The name of the migration is empty."),
    (["make", "x", "t=a.csv", "T=a.csv", "--create"], 64, "The table 't' is given twice. Once "),
    (["make", "x", "t=twice.csv", "--create"], 2, "twice.csv:1: No column of 't' identifies its "),
    (["up", "--migrations", "a.csv"], 2, "'a.csv' is a file. Name the folder of all migrations "),
    (["export", "elements", "--out", "none/a.csv"], 2, "There is no folder '"),
    (["export", "elements", "--out", "link"], 2, "'"),
  ]

  @Test(arguments: lines)
  func `a wrong line`(_ line: [String], _ code: Int32, _ words: String) throws {
    let sandbox = try Sandbox.withElements(["a.csv": "id\n1\n", "twice.csv": "name\na\na\n"])
    try FileManager.default.createSymbolicLink(
      atPath: sandbox.path + "/link", withDestinationPath: "a.csv")
    let before = try sandbox.contents()
    let found = try Program.run(line, in: sandbox)
    #expect(found.code == code && found.errors.hasPrefix(words), "\(found)")
    #expect(try sandbox.contents() == before)
  }

  @Test func `one column that is there twice needs no key but a correction`() throws {
    let sandbox = try Sandbox.withElements([
      "one.csv": "name\na\na\n", "two.csv": "first,last\na,x\na,y\nb,x\n",
    ])
    let one = try Program.run(["make", "x", "t=one.csv", "--create"], in: sandbox)
    #expect(one.errors.hasSuffix("an empty field. Remove the rows that are there twice.\n"))
    let two = try Program.run(["make", "x", "t=two.csv", "--create"], in: sandbox)
    #expect(two.errors.hasSuffix(#"such as {"tables": {"t": {"key": ["first", "last"]}}}."# + "\n"))
  }

  @Test func `a year may begin a name`() throws {
    let sandbox = try Sandbox.withElements()
    #expect(try Program.run(["new", "2026_edition"], in: sandbox).code == 0)
    #expect(sandbox.exists("Migrations/0002_2026_edition"))
  }
}
