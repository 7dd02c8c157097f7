extension GoodCase {
  static let values = integers + reals + others + blobs

  /// What becomes of one field: its type, and its value as SQL writes it.
  private static func value(
    _ column: String, _ field: String, _ expected: String, options: String = "{}"
  ) -> GoodCase {
    GoodCase(
      "\(column): \(field.debugDescription)",
      Bundle([
        "0001_case/items.csv": "id,name,\(column)\n1,n,\(field)\n", "catalog.json": options,
      ]), "SELECT typeof(\(column)), quote(\(column)) FROM items WHERE id = 1", expected)
  }

  private static let integers =
    [
      "0", "1", "-1", "10", "2147483648", "-2147483649", "9223372036854775807",
      "-9223372036854775808",
    ].map { value("count", $0, "integer|\($0)") } + [
      value("count", "\"5\"", "integer|5"), value("count", "", "null|NULL"),
    ]

  private static let reals = [
    value("price", "0", "real|0.0"), value("price", "-1", "real|-1.0"),
    value("price", "1.5", "real|1.5"), value("price", "-0.25", "real|-0.25"),
    value("price", "1e3", "real|1000.0"), value("price", "1E-2", "real|0.01"),
    value("price", "1.25e+2", "real|125.0"), value("price", "\"2.5\"", "real|2.5"),
    value("price", "1234567890123", "real|1234567890123.0"),
    value("price", "0.1", "real|0.1"), value("price", "", "null|NULL"),
  ]

  private static let others = [
    value("flag", "0", "integer|0"), value("flag", "1", "integer|1"),
    value("flag", "", "null|NULL"),
    value("amount", "12", "integer|12"), value("amount", "1.5", "real|1.5"),
    value("amount", "-0.5", "real|-0.5"), value("amount", "", "null|NULL"),
    value("made", "2021-05-04", "text|'2021-05-04'"), value("made", "soon", "text|'soon'"),
    value("made", "20210504", "integer|20210504"), value("made", "1.5", "real|1.5"),
    value("made", "\"\"", "text|''"), value("made", "1-2", "text|'1-2'"),
    value("made", "0x10", "text|'0x10'"), value("made", "٣", "text|'٣'"),
    value("note", "1", "text|'1'"), value("note", "1.50", "text|'1.50'"),
    value("note", "it's", "text|'it''s'"), value("code", "007", "text|'007'"),
  ]

  private static let base64 = #"{"tables": {"items": {"blobs": {"data": "base64"}}}}"#
  private static let hex = #"{"tables": {"items": {"blobs": {"DATA": "hex"}}}}"#

  private static let blobs = [
    value("data", "YQ==", "blob|X'61'", options: base64),
    value("data", "YWI=", "blob|X'6162'", options: base64),
    value("data", "YWJj", "blob|X'616263'", options: base64),
    value("data", "+/+/", "blob|X'FBFFBF'", options: base64),
    value("data", "AAAA", "blob|X'000000'", options: base64),
    value("data", "\"\"", "blob|X''", options: base64),
    value("data", "", "null|NULL", options: base64),
    value("data", "61", "blob|X'61'", options: hex),
    value("data", "ABcd", "blob|X'ABCD'", options: hex),
    value("data", "00ff", "blob|X'00FF'", options: hex),
    value("data", "\"\"", "blob|X''", options: hex),
  ].enumerated().map { index, test in
    var test = test
    test.name += index < 7 ? " as base64" : " as hex"
    return test
  }
}
