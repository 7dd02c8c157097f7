extension BadCase {
  /// Each sequence in each place that text can stand in.
  static let encoding: [BadCase] =
    invalid.flatMap { name, bytes, offset in
      // The column is that of the first byte of the sequence that is wrong.
      [
        in_("a plain field", name, "id,name\n1,ab", bytes, "c\n2,two\n", "csv 2:\(5 + offset)"),
        in_("quotes", name, "id,name\n1,\"ab", bytes, "c\"\n", "csv 2:\(6 + offset)"),
        in_("the header", name, "id,na", bytes, "me\n1,one\n", "csv 1:\(6 + offset)"),
        in_(
          "the last field, without a line end", name, "id,name\n1,", bytes, "",
          "csv 2:\(3 + offset)"),
      ]
    } + marks

  private static func in_(
    _ place: String, _ name: String, _ before: String, _ bytes: [UInt8], _ after: String,
    _ expected: String
  ) -> BadCase {
    .file(
      "items.csv", "\(name) in \(place)", Array(before.utf8) + bytes + Array(after.utf8), expected)
  }

  /// By its name: the bytes, and how many of them a valid sequence could begin with. A sequence is
  /// refused as a whole, at its first byte.
  private static let invalid: [(String, [UInt8], Int)] = [
    ("a lone continuation byte", [0x80], 0), ("the last continuation byte", [0xBF], 0),
    ("two continuation bytes", [0x82, 0xAC], 0), ("an overlong slash", [0xC0, 0xAF], 0),
    ("an overlong NUL", [0xC0, 0x80], 0), ("an overlong DEL", [0xC1, 0xBF], 0),
    ("an overlong slash of three bytes", [0xE0, 0x80, 0xAF], 0),
    ("an overlong letter of three bytes", [0xE0, 0x9F, 0xBF], 0),
    ("an overlong euro of four bytes", [0xF0, 0x82, 0x82, 0xAC], 0),
    ("the first surrogate", [0xED, 0xA0, 0x80], 0), ("the last surrogate", [0xED, 0xBF, 0xBF], 0),
    ("a pair of surrogates", [0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80], 0),
    ("the first scalar too large", [0xF4, 0x90, 0x80, 0x80], 0),
    ("a lead byte beyond Unicode", [0xF5, 0x80, 0x80, 0x80], 0),
    ("a sequence of five", [0xF8, 0x88, 0x80, 0x80, 0x80], 0),
    ("a sequence of six", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], 0),
    ("0xFE", [0xFE], 0), ("0xFF", [0xFF], 0), ("a lead of two alone", [0xC3], 0),
    ("a lead of three and one", [0xE2, 0x82], 0),
    ("a lead of four and two", [0xF0, 0x9F, 0x98], 0),
    ("a Latin-1 umlaut", [0xE4], 0), ("Windows-1252 quotes", [0x93, 0x94], 0),
    ("a good letter before a bad one", [0xC3, 0xA4, 0xA4], 2),
    ("a good emoji before half of one", [0xF0, 0x9F, 0x98, 0x80, 0xF0, 0x9F], 4),
  ]

  private static func wide(_ text: String, _ mark: [UInt8], isBig: Bool) -> [UInt8] {
    mark
      + text.utf16.flatMap { unit in
        let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isBig ? pair : pair.reversed()
      }
  }

  private static let text = "id,name\n1,one\n"

  private static let marks: [BadCase] = [
    .file("items.csv", "UTF-16, little", wide(text, [], isBig: false), "csv 1:1"),
    .file("items.csv", "UTF-16, big", wide(text, [], isBig: true), "csv 1:1"),
    .file(
      "items.csv", "UTF-16, little, with its mark", wide(text, [0xFF, 0xFE], isBig: false),
      "csv 1:1"),
    .file(
      "items.csv", "UTF-16, big, with its mark", wide(text, [0xFE, 0xFF], isBig: true), "csv 1:1"),
    .file("items.csv", "a byte order mark and nothing else", [0xEF, 0xBB, 0xBF], "csv 1:1"),
    .file("items.csv", "half a byte order mark", [0xEF, 0xBB] + Array(text.utf8), "csv 1:1"),
    // The second mark is a part of the first column's name.
    .file("items.csv", "two byte order marks", "\u{FEFF}\u{FEFF}" + text, "csv 1:1"),
    .file(
      "items.csv", "a byte order mark before a quoted name without an end", "\u{FEFF}\"id,name\n",
      "csv 1:1"),
  ]
}
