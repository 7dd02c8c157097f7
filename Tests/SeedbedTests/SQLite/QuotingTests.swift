import Testing

@testable import Seedbed

struct QuotingTests {
  /// For Swift the quote and a mark behind it are one character, for SQLite they are not.
  @Test func `a quote with a combining mark behind it is doubled`() throws {
    let name = "a\"\u{301}b"
    #expect(Array(name.quoted.unicodeScalars) == Array("\"a\"\"\u{301}b\"".unicodeScalars))
    let connection = try Connection("", .memory, setup: nil)
    try connection.execute("CREATE TABLE \(name.quoted) (x)")
    #expect(try connection.rows("SELECT name FROM sqlite_schema") == [[.text(name)]])
    let text = "it'\u{301}s"
    #expect(try connection.value("SELECT \(text.quotedLiteral)") == .text(text))
  }
}
