import Testing

@testable import Seedbed

/// What tables and columns are called after a few statements.
struct FollowedTablesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// The tables before and after each statement: `t:5(id,a)` has the number 5.
    let steps: [String]
    /// By the old name, the new one and the columns that have new names; `-` for one that is gone.
    let expected: [String]
    var testDescription: String { name }

    init(_ name: String, _ steps: [String], _ expected: [String]) {
      (self.name, self.steps, self.expected) = (name, steps, expected)
    }
  }

  static let cases = [
    Case("nothing happens", ["t:5(id,a)", "t:5(id,a)"], ["t = t"]),
    Case("a table is renamed", ["t:5(id)", "u:5(id)"], ["t = u"]),
    Case(
      "two exchange their names, over a third",
      ["t:5(id) u:6(id)", "x:5(id) u:6(id)", "x:5(id) t:6(id)", "u:5(id) t:6(id)"],
      ["t = u", "u = t"]),
    Case(
      "two exchange their names in one statement", ["t:5(id) u:6(id)", "u:5(id) t:6(id)"],
      ["t = u", "u = t"]),
    Case(
      "the next table gets the root page of one that was dropped", ["t:5(id)", "", "u:5(id)"],
      ["t -"]),
    Case(
      "a table moves to the root page of one that was dropped",
      ["t:5(id) u:9(id)", "u:5(id)"], ["t -", "u = u"]),
    Case(
      "one is made again under its name",
      ["t:5(id,a) n:7(id,b)", "n:7(id,b)", "t:7(id,b)"], ["n = t", "t = t a>-"]),
    Case(
      "one is made again, and renamed after that",
      ["t:5(id)", "t:5(id) n:7(id)", "n:7(id)", "t:7(id)", "u:7(id)"], ["t = u"]),
    Case(
      "one is made again at its own root page, with columns in another order",
      ["t:5(id,a)", "", "n:5(a,id)", "t:5(a,id)"], ["t = t"]),
    Case("in other letters", ["t:5(id)", "T:5(id)"], ["t = T"]),
    Case("made again in other letters", ["t:5(id)", "", "T:7(id)"], ["t = T"]),
    Case(
      "made again with columns in other letters", ["t:5(id,a)", "", "t:7(A,ID)"],
      ["t = t a>A id>ID"]),
    Case(
      "a column is renamed, and renamed again",
      ["t:5(id,a)", "t:5(id,b)", "t:5(nr,b)", "t:5(nr,c)"], ["t = t a>c id>nr"]),
    Case(
      "two columns exchange their names",
      ["t:5(id,a)", "t:5(x,a)", "t:5(x,id)", "t:5(a,id)"], ["t = t a>id id>a"]),
    Case(
      "the next column gets the place of one that was dropped",
      ["t:5(id,a,b)", "t:5(id,b)", "t:5(id,b,c)"], ["t = t a>-"]),
    Case(
      "a table and its column have new names", ["t:5(id)", "u:5(id)", "u:5(nr)"],
      ["t = u id>nr"]),
  ]

  @Test(arguments: cases) func `are found again`(_ named: Case) {
    var tables = FollowedTables(Self.layouts(named.steps[0]))
    for step in named.steps.dropFirst() { tables.follow(Self.layouts(step)) }
    let found = tables.tables.map { table in
      let columns = table.old.columns.map { ($0.name, table.columns[$0.name] ?? "-") }
        .filter { $0 != $1 }.map { " \($0)>\($1)" }.sorted().joined()
      return table.isThere
        ? "\(table.old.name) = \(table.now.name)\(columns)" : "\(table.old.name) -"
    }
    #expect(found.sorted() == named.expected)
  }

  private static func layouts(_ text: String) -> [TableLayout] {
    text.split(separator: " ").map { table in
      let parts = table.split { ":()".contains($0) }.map(String.init)
      let columns = parts[2].split(separator: ",").enumerated().map { number, name in
        TableLayout.Column(Int64(number), String(name), isInPrimaryKey: number == 0)
      }
      return TableLayout(name: parts[0], number: Int64(parts[1]) ?? 0, columns: columns)
    }
  }
}
