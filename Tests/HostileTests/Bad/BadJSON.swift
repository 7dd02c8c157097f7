import TestSupport

extension BadCase {
  /// What is not JSON, as catalog.json; every other one as migration.json.
  static let json: [BadCase] = texts.enumerated().map { index, test in
    let (name, text, place) = test
    let file = index % 2 == 0 ? "catalog.json" : "0001_case/migration.json"
    var bundle = Bundle(["0001_case/items.csv": "id,name\n1,one\n"])
    bundle.files[file] = text
    return BadCase(
      name: "JSON: \(name)", bundle: bundle, expected: "catalog \(file):\(place)",
      isBeforeTheRun: true)
  }

  private static func text(_ name: String, _ text: String, _ place: String)
    -> (String, [UInt8], String)
  {
    (name, Array(text.utf8), place)
  }

  private static let texts = shapes + numbers + strings + bytes

  private static let shapes = [
    text("nothing", "", "1:1"), text("blanks", " \n\t\n ", "3:2"),
    text("an open brace", "{", "1:2"),
    text("an open brace on a second line", "{\n", "2:1"), text("a brace too many", "{}}", "1:3"),
    text("two objects", "{} {}", "1:4"), text("an object and a comma", "{},", "1:3"),
    text("a comma before the brace", #"{"verify": "fail",}"#, "1:18"),
    text("a comma on a line of its own", "{\"verify\": \"fail\"\n,\n}", "2:1"),
    text("a comma alone", "{,}", "1:2"), text("two commas", #"{"verify": "fail",,}"#, "1:19"),
    text("no comma", #"{"verify": "fail" "tables": {}}"#, "1:19"),
    text("no colon", #"{"verify" "fail"}"#, "1:11"), text("no value", #"{"verify":}"#, "1:11"),
    text("two colons", #"{"verify":: "fail"}"#, "1:11"),
    text("an equals sign", #"{"verify" = "fail"}"#, "1:11"),
    text("a key without quotes", #"{verify: "fail"}"#, "1:2"),
    text("a key in single quotes", "{'verify': \"fail\"}", "1:2"),
    text("a value without quotes", #"{"verify": fail}"#, "1:12"),
    text("a value in single quotes", #"{"verify": 'fail'}"#, "1:12"),
    text("a key that is a number", #"{1: "fail"}"#, "1:2"),
    text("a key twice", #"{"verify": "fail", "verify": "warn"}"#, "1:20"),
    text(
      "a key twice, once escaped", "{\"verify\": \"fail\",\n \"verif\\u0079\": \"warn\"}", "2:2"),
    text("a line comment", "{\n  // none\n}", "2:3"),
    text("a block comment", "/* none */ {}", "1:1"),
    text("a hash comment", "# none\n{}", "1:1"), text("True", #"{"verify": True}"#, "1:12"),
    text("None", #"{"verify": None}"#, "1:12"), text("undefined", #"{"a": undefined}"#, "1:7"),
    text("an array not closed", #"{"tables": ["#, "1:13"),
    text("brackets exchanged", #"{"tables": [}"#, "1:13"),
    text("brackets of two kinds", #"{"tables": {]}"#, "1:13"),
    text("65 brackets", #"{"tables": "# + String(repeating: "[", count: 64), "1:75"),
    text("a hundred thousand brackets", String(repeating: "[", count: 100_000), "1:65"),
    text("a thousand objects", String(repeating: #"{"a":"#, count: 1000), "1:321"),
    text("YAML", "verify: fail\n", "1:1"), text("TOML", "[tables]\n", "1:2"),
    text("XML", "<plist/>", "1:1"), text("a number with an exponent and no digit", "1e", "1:1"),
  ]

  private static let numbers = [
    "01", "-", "-01", "1.", ".5", "+1", "1e", "1e+", "0x10", "1_000", "1.2.3", "--1", "1-", "NaN",
    "Infinity", "1,5",
  ].map { number in
    // A comma ends the number, and then a key is missing.
    text("the number \(number)", #"{"a": \#(number)}"#, number == "1,5" ? "1:9" : place(number))
  }

  private static func place(_ number: String) -> String { number == "1-" ? "1:8" : "1:7" }

  private static let strings = [
    text("a string not closed", #"{"verify": "fail}"#, "1:12"),
    text("a string over two lines", "{\"verify\": \"fa\nil\"}", "1:12"),
    text("a string with a carriage return", "{\"verify\": \"fa\ril\"}", "1:12"),
    text("a tab in a string", "{\"verify\": \"fa\til\"}", "1:15"),
    text("a NUL in a string", "{\"verify\": \"fa\0il\"}", "1:15"),
    text("an escape of x", #"{"verify": "\x66ail"}"#, "1:13"),
    text("an escape of a single quote", #"{"verify": "\'fail"}"#, "1:13"),
    text("an escape of a zero", #"{"verify": "\0"}"#, "1:13"),
    text("an escape of three digits", #"{"verify": "\u066"}"#, "1:13"),
    text("an escape with a letter", #"{"verify": "\u00g6"}"#, "1:13"),
    text("an escape in braces", #"{"verify": "\u{66}"}"#, "1:13"),
    text("an escape cut off", #"{"verify": "\u00"#, "1:13"),
    text("a backslash at the end", "{\"verify\": \"\\", "1:13"),
    text("a high surrogate alone", #"{"verify": "\ud83d"}"#, "1:13"),
    text("a low surrogate alone", #"{"verify": "\ude00"}"#, "1:13"),
    text("two high surrogates", #"{"verify": "\ud83d\ud83d"}"#, "1:13"),
    text("surrogates the wrong way round", #"{"verify": "\ude00\ud83d"}"#, "1:13"),
    text(
      "full-width digits in an escape", "{\"verify\": \"\\u\u{FF10}\u{FF10}\u{FF16}\u{FF16}\"}",
      "1:13"),
  ]

  private static func latin(_ name: String, _ bytes: [UInt8]) -> (String, [UInt8], String) {
    (name, Array(#"{"verify": ""#.utf8) + bytes + Array(#""}"#.utf8), "1:12")
  }

  private static let bytes: [(String, [UInt8], String)] = [
    ("a byte order mark", [0xEF, 0xBB, 0xBF] + Array("{}".utf8), "1:1"),
    ("UTF-16, little", [0x7B, 0, 0x7D, 0], "1:1"), ("UTF-16, big", [0, 0x7B, 0, 0x7D], "1:1"),
    ("UTF-16, marked", [0xFF, 0xFE, 0x7B, 0], "1:1"), ("UTF-32", [0, 0, 0, 0x7B], "1:1"),
    ("a NUL behind the end", Array("{    }".utf8) + [0], "1:7"),
    ("0xFF for a value", Array(#"{"verify": "#.utf8) + [0xFF, 0x7D], "1:12"),
    latin("Latin-1", [0xE4]), latin("an overlong slash", [0xC0, 0xAF]),
    latin("a surrogate in UTF-8", [0xED, 0xA0, 0x80]), latin("half a character", [0xE2, 0x82]),
    ("a no-break space", Array("{\u{A0}}".utf8), "1:2"),
    ("a form feed", Array("{\u{C}}".utf8), "1:2"),
    ("gzip", Gzip("{}").bytes, "1:1"),
  ]
}
