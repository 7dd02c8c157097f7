import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct SpreadsheetGuardTests {
  struct Case: CustomTestStringConvertible {
    var old: Value
    var new: Value
    var habit: SpreadsheetGuard.Habit?

    init(_ old: Value, _ new: Value, _ habit: SpreadsheetGuard.Habit?) {
      (self.old, self.new, self.habit) = (old, new, habit)
    }

    var testDescription: String { "\(old) → \(new)" }
  }

  private static let cases: [Case] = [
    Case("", .null, .emptyText), Case("x", .null, nil), Case(.null, "", nil),
    Case("007", "7", .leadingZeros), Case("000", "0", .leadingZeros), Case("00", "00 ", nil),
    Case("070", "70", .leadingZeros), Case("7", "07", nil), Case("007", "8", nil),
    Case("0x7", "7", nil),
    Case("1234567890123456", "1.23457E+15", .exponent),
    Case("1234567890123456", "1,23457E+15", .exponent), Case("1.2E+15", "1.2E+16", nil),
    Case("1234", "9.9E+15", nil), Case("12E5", "1.2E+06", .exponent), Case("E+1", "E+15", nil),
    Case("2021-03-04", "3/4/2021", .date), Case("2021-03-04", "04.03.2021", .date),
    Case("2021-03-04", "2021/3/4", .date), Case("2021-03-04", "2021-03-05", nil),
    Case("2021-03-04 10:00", "3/4/2021 10:00", .date), Case("2021-03-04", "later", nil),
    Case("MARCH1", "1-Mar", .date), Case("SEPT2", "2-Sep", .date), Case("3-4", "4-Mar", .date),
    Case("1.2.3", "1.2.4", nil), Case("a/b", "a/c", nil), Case("3/4/2021", "3/5/2021", nil),
    Case("true", "TRUE", .boolean), Case("False", "FALSE", .boolean), Case("1", "TRUE", .boolean),
    Case("yes", "TRUE", nil), Case("TRUE", "FALSE", nil), Case(1, "TRUE", .boolean),
    Case(7, 8, nil), Case("one", "two", nil),
    Case("Łódź", "Å\u{81}Ã³dÅº", .encoding), Case("Łódź", "Å\u{FFFD}Ã³dÅº", .encoding),
    Case("Zürich", "ZÃ¼rich", .encoding), Case("€ 5", "â‚¬ 5", .encoding),
    Case("東京", "??", .encoding), Case("Łódź", "?ód?", .encoding), Case("Łódź", "Lodz", nil),
    Case("東京", "Tokyo", nil), Case("ZÃ¼rich", "Zürich", nil), Case("one", "???", nil),
  ]

  @Test(arguments: cases)
  func `a change is known for what it is`(_ c: Case) {
    #expect(SpreadsheetGuard.habit(from: c.old, to: c.new) == c.habit)
  }

  @Test func `JSON lines tell an empty text from NULL, and no spreadsheet writes them`() throws {
    let bench = try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.jsonl"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT);",
      "0001_t/t.csv": "id,code\n1,x\n2,\"\"\n",
      "data/t.jsonl": #"{"id": 1, "code": "x"}"# + "\n" + #"{"id": 2, "code": null}"#,
    ])
    #expect(try bench.make().tables.map(\.updated) == [1])
  }

  private static func bench(_ rows: String, now: String) throws -> Workbench {
    try Workbench([
      "catalog.json": #"{"tables": {"t": {"source": "data/t.csv"}}}"#,
      "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT);",
      "0001_t/t.csv": "id,code\n" + rows, "data/t.csv": "id,code\n" + now,
    ])
  }

  @Test func `it is refused with examples until it is accepted`() throws {
    let bench = try Self.bench("1,007\n2,010\n3,x\n", now: "1,7\n2,10\n3,x\n")
    #expect(
      bench.failure { try bench.make() }
        == "data/t.csv:2: In the column 'code' leading zeros are gone, as if codes were numbers. "
        + "This looks like the work of a spreadsheet, in 2 rows: id=1: '007' became '7'; id=2: "
        + "'010' became '10'. If it is intended, pass --accept.")
    #expect(try bench.names.allSatisfy { !$0.hasPrefix("0002") })
    #expect(try bench.make { $0.acceptsSpreadsheets = true }.tables[0].updated == 2)
  }

  @Test func `empty texts count only where all of them are gone`() throws {
    let all = try Self.bench("1,\"\"\n2,\"\"\n3,x\n", now: "1,\n2,\n3,x\n")
    #expect(all.failure { try all.make() }.contains("in 2 rows: id=1: '' became NULL"))
    let some = try Self.bench("1,\"\"\n2,\"\"\n3,x\n", now: "1,\n2,\"\"\n3,x\n")
    #expect(try some.make().tables[0].updated == 1)
  }
}
