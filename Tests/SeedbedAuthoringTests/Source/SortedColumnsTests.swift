import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct SortedColumnsTests {
  struct Case: CustomTestStringConvertible {
    var name: String
    var old: [Int?]
    var new: [Int?]
    var isRefused: Bool

    var testDescription: String { name }
  }

  private static let mixed: [Int?] = [7, 3, 9, 1, 12, 5, 8, 2, 11, 4, 10, 6]
  private static let sorted: [Int?] = Array(1...12)

  static let cases = [
    Case(name: "a column that was sorted", old: mixed, new: sorted, isRefused: true),
    Case(
      name: "values that come several times", old: [2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1],
      new: [1, 1, 2, 1, 2, 2, 3, 2, 3, 3, 1, 3], isRefused: true),
    Case(
      name: "a value that came for a NULL", old: [nil] + mixed.dropFirst(),
      new: Array(sorted.dropFirst()) + [1],
      isRefused: false),
    Case(
      name: "NULL that was sorted, too", old: [nil] + mixed.dropFirst(),
      new: [1, 2, 3, 4, 5, 6, nil, 8, 9, 10, 11, 12], isRefused: true),
    Case(
      name: "NULL that became 0", old: Array(repeating: nil, count: 12),
      new: Array(repeating: 0, count: 12), isRefused: false),
    Case(name: "ranks that moved by one", old: sorted, new: Array(2...13), isRefused: false),
    Case(
      name: "rows that changed places among others", old: sorted,
      new: [2, 1, 4, 3, 6, 5, 8, 7, 9, 10, 11, 12], isRefused: false),
    Case(name: "a few rows", old: [1, 2, 3, 4], new: [4, 3, 2, 1], isRefused: false),
    Case(
      name: "one new value among those that were sorted", old: mixed,
      new: Array(sorted.dropLast()) + [99], isRefused: false),
  ]

  private static func bench(_ old: [Int?], now: String) throws -> Workbench {
    try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id TEXT PRIMARY KEY, rank INTEGER);",
      "0001_t/t.csv": "id,rank\n" + rows(old), "data/t.csv": "id,rank\n" + now,
    ])
  }

  private static func rows(_ ranks: [Int?]) -> String {
    ranks.enumerated().map { "r\(10 + $0),\($1.map(String.init) ?? "")\n" }.joined()
  }

  @Test(arguments: cases)
  func `refused until it is accepted is`(_ example: Case) throws {
    let bench = try Self.bench(example.old, now: Self.rows(example.new))
    let failure = bench.failure { try bench.make() }
    #expect(failure.contains("as if that column had been sorted alone") == example.isRefused)
    if !example.isRefused {
      #expect(failure == "nothing")
    } else {
      #expect(try bench.names.allSatisfy { !$0.hasPrefix("0002") })
      #expect(try bench.make { $0.acceptsSpreadsheets = true }.folders == ["0002_next"])
    }
  }

  @Test func `it says how many rows, and shows three, beside others that come and go`() throws {
    let bench = try Self.bench([1] + Self.mixed, now: "new,500\n" + Self.rows([1] + Self.sorted))
    #expect(
      bench.failure { try bench.make() }
        == "data/t.csv:4: In the column 'rank' 12 of 13 rows change, and its values are the same "
        + "as before, only in other rows, as if that column had been sorted alone: id='r11': 7 "
        + "became 1; id='r12': 3 became 2; id='r13': 9 became 3. If it is intended, pass --accept.")
  }
}
