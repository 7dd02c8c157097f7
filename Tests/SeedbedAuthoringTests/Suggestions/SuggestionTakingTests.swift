import Foundation
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Suggestions on their way into the source CSV.
struct SuggestionTakingTests {
  private static let source = """
    id,name,size,b,stamp\r
    1,one,1.50,00ff,x\r
    2,"two",,,x\r
    3,"th\nree",3,,"x"\r

    """

  private static func bench() throws -> Workbench {
    let bench = try Workbench(SuggestionFileTests.files)
    try bench.write(["0001_t/t.csv": source, "data/t.csv": source])
    return bench
  }

  private static func line(_ id: Int, _ column: String, _ base: String, _ mine: String) -> String {
    #"{"kind":"edit","table":"t","key":{"id":\#(id)},"column":"\#(column)","base":\#(base),"#
      + #""mine":\#(mine),"version":1}"# + "\n"
  }

  private static func take(
    _ lines: String, in bench: Workbench, allowsDeletes: Bool = false
  ) throws -> [SuggestionReview.Entry] {
    let review = try SuggestionFileTests.review([lines], in: bench)
    #expect(review.refused == [])
    let list = try review.list()
    let release = bench.release { $0.allowsDeletes = allowsDeletes }
    return try review.take(list.map { String($0.id.prefix(8)) }, of: list, as: release).entries
  }

  @Test func `only the bytes of the fields change`() throws {
    let bench = try Self.bench()
    let taken = try Self.take(
      Self.line(1, "name", #""one""#, #""u, \"no\"""#) + Self.line(2, "name", #""two""#, #""due""#)
        + Self.line(3, "size", "3.0", "null") + Self.line(1, "b", #"{"base64":"AP8="}"#, "null"),
      in: bench)
    #expect(taken.count == 4)
    #expect(
      try bench.text("data/t.csv") == """
        id,name,size,b,stamp\r
        1,"u, ""no""\",1.50,,x\r
        2,"due",,,x\r
        3,"th\nree",,,"x"\r

        """)
    // And the next release brings them.
    let made = try bench.make("june")
    #expect(made.tables.map(\.updated) == [3])
  }

  @Test func `a deletion removes the line, and an addition comes last`() throws {
    let bench = try Self.bench()
    let taken = try Self.take(
      #"{"kind":"deletion","table":"t","key":{"id":2},"version":1}"# + "\n"
        + #"{"kind":"addition","table":"t","key":{"id":9},"row":{"id":9,"name":"n"},"version":1}"#,
      in: bench, allowsDeletes: true)
    #expect(taken.count == 2)
    #expect(
      try bench.text("data/t.csv") == """
        id,name,size,b,stamp\r
        1,one,1.50,00ff,x\r
        3,"th\nree",3,,"x"\r
        9,n,,,\r

        """)
  }

  @Test func `a last line without an end stays so, unless a row follows`() throws {
    let bench = try Workbench(SuggestionFileTests.files)
    let text = "id,name,size,b,stamp\n1,one,1.5,00ff,x\n2,two,,,x\n3,three,3,,x"
    try bench.write(["data/t.csv": text])
    _ = try Self.take(Self.line(1, "name", #""one""#, #""uno""#), in: bench)
    #expect(try bench.text("data/t.csv") == text.replacing("one,", with: "uno,"))
    _ = try Self.take(
      #"{"kind":"addition","table":"t","key":{"id":9},"row":{"id":9,"name":"n"},"version":1}"#,
      in: bench)
    #expect(
      try bench.text("data/t.csv") == text.replacing("one,", with: "uno,") + "\n9,n,,,\n")
  }

  @Test func `what the source has already is not written again`() throws {
    let bench = try Self.bench()
    let taken = try Self.take(Self.line(1, "name", #""un""#, #""one""#), in: bench)
    #expect(taken.isEmpty)
    #expect(try bench.text("data/t.csv") == Self.source)
  }

  private struct Refusal: Sendable, CustomTestStringConvertible {
    let lines: String
    let message: String
    var testDescription: String { message }
  }

  private static let refusals = [
    Refusal(
      lines: line(1, "name", #""one""#, #""a""#) + line(1, "name", #""one""#, #""b""#),
      message: "are about the same value"),
    Refusal(
      lines: line(1, "name", #""one""#, #""a""#)
        + #"{"kind":"deletion","table":"t","key":{"id":1},"version":1}"#,
      message: "are about the same row"),
    Refusal(lines: line(7, "name", #""x""#, #""y""#), message: "no longer has"),
    Refusal(
      lines:
        #"{"kind":"addition","table":"t","key":{"id":1},"row":{"id":1,"name":"n"},"version":1}"#,
      message: "whose key another row has"),
    // The table refuses NULL, as `make` finds.
    Refusal(lines: line(1, "name", #""one""#, "null"), message: "NOT NULL"),
    // Nor does it retire a third of the rows unasked.
    Refusal(
      lines: #"{"kind":"deletion","table":"t","key":{"id":2},"version":1}"#,
      message: "more than 5 %"),
    Refusal(
      lines: #"{"kind":"edit","table":"u","key":{"name":"ant"},"column":"n","base":1,"mine":2,"#
        + #""version":1}"#,
      message: "has no source CSV"),
  ]

  @Test(arguments: refusals) private func `it is not taken:`(_ refusal: Refusal) throws {
    let bench = try Self.bench()
    let names = try bench.names
    let error = #expect(throws: SeedbedError.self) { try Self.take(refusal.lines, in: bench) }
    #expect(error?.description.contains(refusal.message) == true, "\(error as Any)")
    #expect(try bench.text("data/t.csv") == Self.source)
    #expect(try bench.names.filter { !$0.hasPrefix("in") } == names)
  }

  @Test func `an ID must be that of one that is listed`() throws {
    let bench = try Self.bench()
    let lines = (1...40).map { Self.line(1, "name", #""one""#, "\"n\($0)\"") }.joined()
    let review = try SuggestionFileTests.review([lines], in: bench)
    let list = try review.list()
    func refused(_ id: String) -> String? {
      #expect(throws: SeedbedError.self) {
        try review.take([id], of: list, as: bench.release())
      }?.message
    }
    #expect(refused("xyz")?.contains("No suggestion that is listed here has the ID 'xyz'") == true)
    #expect(refused("")?.contains("has the ID ''") == true)
    // 40 IDs have 16 first digits.
    let first = Dictionary(grouping: list) { $0.id.prefix(1) }.first { $0.value.count > 1 }
    #expect(refused(String(first?.key ?? ""))?.contains("Give more of it") == true)
    #expect(try bench.text("data/t.csv") == Self.source)
  }

  @Test func `a suggestion about an older value can be taken, too`() throws {
    let bench = try Self.bench()
    let taken = try Self.take(Self.line(2, "name", #""zwei""#, #""due""#), in: bench)
    #expect(taken.map(\.state) == [.outdated])
    #expect(try bench.text("data/t.csv").contains("\n2,\"due\",,,x\r"))
  }
}
