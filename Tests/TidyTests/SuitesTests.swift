import Foundation
import Testing
import TestSupport

/// `Scripts/checks/suites` compares what each process costs with the table in Tests/Times.md.
@Suite struct `The table of what the tests cost` {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var taken: [String: Double]
    var slow: [String] = []
  }

  private static let table = """
    | process | tests | CPU seconds | why |
    |---|---|---|---|
    | A | 9 | 100 | it is long |
    | B | 9 | 60 | |
    | C | 9 | 50 | |
    | D | 9 | 40 | |
    | E:OneTests,TwoTests | 9 | 2 | |

    """

  static let cases = [
    Case(
      testDescription: "as the table says",
      taken: ["A": 100, "B": 60, "C": 50, "D": 40, "E:OneTests,TwoTests": 2]),
    Case(
      testDescription: "one is slower",
      taken: ["A": 100, "B": 95, "C": 50, "D": 40, "E:OneTests,TwoTests": 2], slow: ["B"]),
    Case(
      testDescription: "the longest one is slower",
      taken: ["A": 400, "B": 60, "C": 50, "D": 40, "E:OneTests,TwoTests": 2], slow: ["A"]),
    Case(
      testDescription: "two are slower, on a machine that is twice as slow",
      taken: ["A": 200, "B": 200, "C": 100, "D": 130, "E:OneTests,TwoTests": 4],
      slow: ["B", "D"]),
    Case(
      testDescription: "one is slower, on a machine that is twice as fast",
      taken: ["A": 50, "B": 60, "C": 25, "D": 20, "E:OneTests,TwoTests": 1], slow: ["B"]),
    Case(
      testDescription: "a short one is a few seconds slower",
      taken: ["A": 100, "B": 60, "C": 50, "D": 40, "E:OneTests,TwoTests": 6]),
    Case(
      testDescription: "a short one is much slower",
      taken: ["A": 100, "B": 60, "C": 50, "D": 40, "E:OneTests,TwoTests": 8],
      slow: ["E:OneTests,TwoTests"]),
    Case(testDescription: "one alone is slower", taken: ["B": 95], slow: ["B"]),
    Case(testDescription: "one alone is not", taken: ["B": 85]),
    Case(testDescription: "the table knows it not", taken: ["F": 500, "A": 100]),
  ]

  @Test(arguments: cases)
  func `names each process that became slower, and no other`(_ each: Case) throws {
    let place = try Place()
    try place.write("Times.md", Self.table)
    let taken = try String(decoding: JSONEncoder().encode(each.taken), as: UTF8.self)
    let said = try python(
      "for line in suites.slower(json.loads(sys.argv[2]), suites.table('Times.md')): print(line)",
      taken, in: place.url)
    let names = said.split(separator: "\n").map { $0.prefix { $0 != " " } }
    #expect(names.map(String.init).sorted() == each.slow, "\(said)")
  }

  @Test func `takes what was measured, and leaves the reasons`() throws {
    let place = try Place()
    try place.write("Times.md", Self.table)
    _ = try python(
      """
      group = suites.Group('A')
      group.count, group.cpu, group.code, group.failures = 7, 70.6, 0, {}
      suites.record('Times.md', [group])
      """, in: place.url)
    let text = try place.text("Times.md")
    let expected = Self.table.replacingOccurrences(
      of: "| A | 9 | 100 | it is long |", with: "| A | 7 | 71 | it is long |")
    #expect(text == expected)
  }

  @Test func `fails where a suite is named that no target has`() throws {
    let place = try Place()
    try place.write("log", "◇ Suite OneTests started.\nTest run with 2 tests passed after 1")
    let said = try python(
      """
      for names in ['OneTests', 'OneTests,TwoTests', '-TwoTests']:
        group = suites.Group('A:' + names)
        group.log, group.code = 'log', 0
        group.read()
        print(group.has_failed, group.missing)
      """, in: place.url)
    #expect(said == "False []\nTrue ['TwoTests']\nFalse []\n")
  }

  @Test func `has a row for each process of a run`() throws {
    let script = try Project.text("Scripts/test")
    let list = try #require(script.firstMatch(of: /\neverything="([^"]*)"/)?.1)
    let said = try python("print('\\n'.join(suites.table('Tests/Times.md')))", in: Project.root)
    let rows = Set(said.split(separator: "\n"))
    #expect(Set(list.split(whereSeparator: \.isWhitespace)).subtracting(rows) == [])
  }

  private func python(_ code: String, _ operand: String = "", in folder: URL) throws -> String {
    let loading = """
      import importlib.machinery, importlib.util, json, sys
      sys.dont_write_bytecode = True
      loader = importlib.machinery.SourceFileLoader("suites", sys.argv[1])
      suites = importlib.util.module_from_spec(importlib.util.spec_from_loader("suites", loader))
      loader.exec_module(suites)

      """
    let script = Project.root.appending(path: "Scripts/checks/suites").path
    let ended = try Shell.run(["python3", "-c", loading + code, script, operand], in: folder)
    #expect(ended.status == 0, "\(ended.output)")
    return ended.output
  }
}
