import Foundation
import Seedbed
import Testing

@testable import MigrateCommand

struct JSONTests {
  typealias Case = Named<JSON, String>

  static let cases: [Case] = [
    Case("null", .null, "null"), Case("true", .bool(true), "true"),
    Case("the largest number", .number(.max), "9223372036854775807"),
    Case("a string", .string("a"), #""a""#), Case("quotes", .string(#"a"b\c"#), #""a\"b\\c""#),
    Case("line ends", .string("a\r\n\tb"), #""a\r\n\tb""#),
    Case("a control character", .string("\u{1}\u{1F}\u{0}"), #""\u0001\u001f\u0000""#),
    Case("letters beyond ASCII", .string("Größe 元素 🧪"), #""Größe 元素 🧪""#),
    Case("raw text", .raw(#"{"a":1}"#), #"{"a":1}"#),
    Case("no raw text", .raw(optional: nil), "null"),
    Case("an empty array", .array([]), "[]"),
    Case("an array", .array([.number(1), .null]), "[1,null]"),
    Case("an empty object", .object([]), "{}"),
    Case(
      "an object in its order", .object([("b", .number(1)), ("a", .bool(false))]),
      #"{"b":1,"a":false}"#),
    Case("a key to escape", .object([("a\"", .null)]), #"{"a\"":null}"#),
  ]

  @Test(arguments: cases) func `a value is written`(_ c: Case) throws {
    #expect(c.given.text == c.expected)
    _ = try JSONSerialization.jsonObject(with: Data(c.expected.utf8), options: .fragmentsAllowed)
  }
}
