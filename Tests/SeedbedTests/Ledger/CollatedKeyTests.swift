import Testing

@testable import Seedbed

/// A key in the ledger is one text for all spellings that its column takes for the same.
struct CollatedKeyTests {
  @Test(arguments: [
    ("BINARY", "Ab ", "Ab "), ("NOCASE", "Ab É ", "ab É "), ("rtrim", "Ab  ", "Ab"),
    ("RTRIM", " Ab", " Ab"), ("RTRIM", "  ", ""), ("rtrim", "", ""), ("rtrim", "a\t", "a\t"),
  ])
  func `under a collation`(_ collation: String, _ text: String, _ noted: String) {
    #expect(RowJSON.collated(.text(text), collation) == .text(noted))
    #expect(RowJSON.collated(.integer(7), collation) == .integer(7))
  }
}
