import Testing

@testable import Seedbed

struct JSONParserTests {
  private func parse(_ text: String) throws -> ParsedJSON {
    try JSONParser.parse(Array(text.utf8), file: "x.json")
  }

  private func string(_ text: String) throws -> String? {
    guard case .string(let string) = try parse(text).value else { return nil }
    return string
  }

  @Test func `values and their places`() throws {
    let json = try parse("{\n  \"a\": [1, true],\r\n\t\"b\": {\"c\": null}\n}\n")
    let place = { SeedbedError.Place("x.json", line: $0, column: $1) }
    #expect(json.place == place(1, 1))
    guard case .object(let members) = json.value else {
      Issue.record("no object")
      return
    }
    #expect(members.map(\.key) == ["a", "b"])
    #expect(members.map(\.place) == [place(2, 3), place(3, 2)])
    #expect(
      json["a"]
        == ParsedJSON(
          value: .array([
            ParsedJSON(value: .number("1"), place: place(2, 9)),
            ParsedJSON(value: .bool(true), place: place(2, 12)),
          ]), place: place(2, 8)))
    #expect(json["b"]?["c"]?.value == .null)
    #expect(json["c"] == nil)
  }

  @Test(arguments: ["0", "-0", "12", "-7", "1.5", "0.25", "1e9", "1E+9", "2.5e-3", "-0.0"])
  func `a number stays as it is written`(_ text: String) throws {
    #expect(try parse(" \(text) ").value == .number(text))
  }

  @Test(arguments: [
    (#""""#, ""),
    (#""é 🧪""#, "é 🧪"),
    (#""\" \\ \/ \b \f \n \r \t""#, "\" \\ / \u{8} \u{C} \n \r \t"),
    (#""\u0041\u00e9\u20AC""#, "Aé€"),
    (#""\ud83e\uddea""#, "🧪"),
    (#""\u0000""#, "\u{0}"),
  ])
  func `a string`(_ text: String, _ expected: String) throws {
    #expect(try string(text) == expected)
  }

  @Test func `64 brackets may be open`() throws {
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try parse(deep).kind == "an array")
  }

  @Test(arguments: [
    ("", "x.json:1:1: The file is empty. Write at least {}, or remove the file."),
    (" \n ", "x.json:2:2: The file is empty. Write at least {}, or remove the file."),
    (
      "\u{FEFF}{}",
      "x.json:1:1: The file begins with a byte order mark, which JSON forbids. Save it without one."
    ),
    (
      "{\"a\": 1,}",
      "x.json:1:8: Found a comma before '}'. JSON has none after the last element: remove it."
    ),
    (
      "[1,\n]",
      "x.json:1:3: Found a comma before ']'. JSON has none after the last element: remove it."
    ),
    (
      "{\n  // why\n}",
      "x.json:2:3: Found '/', expected a key in double quotes. JSON has no comments: remove it."
    ),
    (
      "{} # end",
      "x.json:1:4: Found '#', expected the end of the file. JSON has no comments: remove it."
    ),
    (
      "{'a': 1}",
      "x.json:1:2: Found ''', expected a key in double quotes. JSON has double quotes "
        + "only."
    ),
    (
      "{key: 1}",
      "x.json:1:2: Found 'key', expected a key in double quotes. Put text in double "
        + "quotes."
    ),
    ("{\"a\": on}", "x.json:1:7: Found 'on', expected a value. Put text in double quotes."),
    ("[True]", "x.json:1:2: Found 'True', expected a value. JSON writes true, false and null."),
    ("[None]", "x.json:1:2: Found 'None', expected a value. JSON writes true, false and null."),
    ("{\"a\" 1}", "x.json:1:6: Found '1', expected ':' after the key."),
    ("{\"a\": 1 \"b\": 2}", "x.json:1:9: Found '\"', expected ',' or '}'."),
    ("[1 2]", "x.json:1:4: Found '2', expected ',' or ']'."),
    ("[1", "x.json:1:3: The file ends here, expected ',' or ']'."),
    ("{\"a\":", "x.json:1:6: The file ends here, expected a value."),
    ("{\"a\"", "x.json:1:5: The file ends here, expected ':' after the key."),
    ("{", "x.json:1:2: The file ends here, expected a key in double quotes."),
    ("{} {}", "x.json:1:4: Found '{', expected the end of the file."),
    ("[é]", "x.json:1:2: Found 'é', expected a value."),
    (
      "{\"a\": 1, \"b\": 2,\n \"a\": 3}",
      "x.json:2:2: The key 'a' is repeated here; it is first in line 1. Keep one of them."
    ),
    (
      "01",
      "x.json:1:1: '01' is not a number as JSON writes it: digits without leading zeros, a "
        + "fraction, an exponent. Put text in double quotes."
    ),
  ])
  func `refused is`(_ text: String, _ error: String) {
    #expect(failureText { _ = try parse(text) } == error)
  }

  @Test(arguments: [
    "-", "+1", ".5", "1.", "1e", "1e+", "1.2.3", "0x10", "1_000", "2026-01-01", "٣",
  ])
  func `not a number`(_ text: String) {
    #expect(throws: SeedbedError.self) { try parse(text) }
  }

  @Test(arguments: [
    (
      "\"abc",
      "x.json:1:1: The string that opens here is not closed in its line. A line break in it "
        + "is \\n."
    ),
    (
      "[\"a\nb\"]",
      "x.json:1:2: The string that opens here is not closed in its line. A line break "
        + "in it is \\n."
    ),
    ("\"a\tb\"", "x.json:1:3: Found a control character in a string. Write it as \\u0009."),
    (
      "\"\\x41\"",
      "x.json:1:2: This is not a JSON escape. The escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t "
        + "and \\u with four hexadecimal digits; a backslash itself is \\\\."
    ),
    (
      "\"ab\\ud83e\"",
      "x.json:1:4: This escape is half of a surrogate pair. Write both halves, or "
        + "the character itself."
    ),
  ])
  func `refused in a string is`(_ text: String, _ error: String) {
    #expect(failureText { _ = try parse(text) } == error)
  }

  @Test(arguments: [
    #""\u12""#, #""\u12g4""#, #""\ud83e\u0041""#, #""\uddea""#, #""\ud83ex""#, #""\"#, #""\u"#,
  ])
  func `not an escape`(_ text: String) {
    #expect(throws: SeedbedError.self) { try parse(text) }
  }

  @Test func `65 brackets may not be open`() {
    #expect(
      failureText { _ = try parse(String(repeating: "[", count: 100_000)) }
        == "x.json:1:65: More than 64 brackets are open here. No option is nested that deeply.")
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], "x.json:1:1: This string is not UTF-8. Save the file as UTF-8."),
      ([0x22, 0xC3, 0x22], "x.json:1:1: This string is not UTF-8. Save the file as UTF-8."),
      (
        [0x22, 0xED, 0xA0, 0x80, 0x22],
        "x.json:1:1: This string is not UTF-8. Save the file as UTF-8."
      ),
      ([0xFF, 0xFE, 0x7B, 0x00], "x.json:1:1: This looks like UTF-16. Save the file as UTF-8."),
      ([0x00, 0x7B, 0x00, 0x7D], "x.json:1:1: This looks like UTF-16. Save the file as UTF-8."),
      ([0x5B, 0x80, 0x5D], "x.json:1:2: Found '0x80', expected a value."),
    ] as [([UInt8], String)])
  func `bytes that are not UTF-8`(_ bytes: [UInt8], _ error: String) {
    #expect(failureText { _ = try JSONParser.parse(bytes, file: "x.json") } == error)
  }
}
