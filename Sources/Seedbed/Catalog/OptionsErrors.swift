// Errors of catalog.json and migration.json: first what is not JSON, then what is not an option.

extension SeedbedError {
  static func json(_ message: String, _ place: Place) -> SeedbedError {
    SeedbedError(.catalog, message, at: place)
  }

  static func jsonUnexpected(
    _ found: String, expected: String, hint: String?, _ place: Place
  ) -> SeedbedError {
    let advice = hint.map { " " + $0 } ?? ""
    return json("Found '\(found.shortened(to: 40))', expected \(expected).\(advice)", place)
  }

  static func jsonEnds(expected: String, _ place: Place) -> SeedbedError {
    json("The file ends here, expected \(expected).", place)
  }

  static func jsonTrailingComma(_ end: Unicode.Scalar, _ place: Place) -> SeedbedError {
    json("Found a comma before '\(end)'. JSON has none after the last element: take it out.", place)
  }

  static func jsonKeyTwice(_ key: String, firstLine: Int, _ place: Place) -> SeedbedError {
    json(
      "The key '\(key.shortened(to: 40))' stands here a second time, first in line \(firstLine). "
        + "Keep one of them.", place)
  }

  static func jsonDepth(_ limit: Int, _ place: Place) -> SeedbedError {
    json("More than \(limit) brackets are open here. No option is nested so deeply.", place)
  }

  static func jsonNumber(_ found: String, _ place: Place) -> SeedbedError {
    json(
      "'\(found.shortened(to: 40))' is not a number as JSON writes it: digits without leading "
        + "zeros, a fraction, an exponent. Put text in double quotes.", place)
  }

  static func jsonControlCharacter(_ byte: UInt8, _ place: Place) -> SeedbedError {
    let digits = String(byte, radix: 16, uppercase: true)
    let code = String(repeating: "0", count: 4 - digits.utf8.count) + digits
    return json("Found a control character in a string. Write it as \\u\(code).", place)
  }

  // MARK: options

  static func optionUnknown(_ key: String, nearest: String?, known: [String], _ place: Place)
    -> SeedbedError
  {
    let advice =
      nearest.map { "Did you mean '\($0)'?" } ?? "Options here are \(known.inWords)."
    return json("'\(key.shortened(to: 40))' is not an option. \(advice)", place)
  }

  static func optionOfMigration(_ key: String, _ place: Place) -> SeedbedError {
    json(
      "'\(key)' belongs to one migration, not to the whole catalog. Move it to the migration's "
        + "migration.json.", place)
  }

  static func optionMisplaced(_ key: String, _ place: Place) -> SeedbedError {
    json(
      "'\(key)' is an option of a table. Put it under \"tables\", below the table's name.", place)
  }

  static func optionType(
    _ key: String, isElement: Bool, found: String, expected: String, _ place: Place
  ) -> SeedbedError {
    let subject = (isElement ? "An element of " : "") + "'\(key.shortened(to: 40))'"
    return json("\(subject) is \(found), expected \(expected).", place)
  }

  static func optionValue(
    _ found: String, of key: String, known: [String], nearest: String?, _ place: Place
  ) -> SeedbedError {
    let advice =
      nearest.map { "Did you mean '\($0)'?" } ?? "Possible are \(known.inWords)."
    let key = key.shortened(to: 40)
    return json("'\(found.shortened(to: 40))' is not a value of '\(key)'. \(advice)", place)
  }

  static func optionNameEmpty(_ key: String, _ place: Place) -> SeedbedError {
    json("'\(key)' holds an empty name. Write the name as the schema has it.", place)
  }

  static func allowedWithoutReason(_ code: String, _ place: Place) -> SeedbedError {
    json(
      "'allow' has no reason for '\(code.shortened(to: 40))'. Say why it is well as it is.", place)
  }

  static func optionNameTwice(_ name: String, of key: String, _ place: Place) -> SeedbedError {
    json(
      "'\(key)' holds '\(name.shortened(to: 40))' twice; names differ by more than the case of "
        + "their letters. Keep one of them.", place)
  }

  static func optionListEmpty(_ key: String, _ place: Place) -> SeedbedError {
    json("'\(key)' is empty. Name at least one column, or leave it out.", place)
  }

  static func optionNumber(
    _ found: String, of key: String, highest: Int64, _ place: Place
  ) -> SeedbedError {
    json(
      "'\(found.shortened(to: 40))' is not a value of '\(key)'. Possible are whole numbers from 1 "
        + "to \(highest), without a fraction or an exponent.", place)
  }
}

/// What is not JSON, in words.
enum JSONWords {
  static let empty = "The file is empty. Write {} for no options, or remove the file."
  static let byteOrderMark =
    "The file begins with a byte order mark, which JSON forbids. Save it without one."
  static let utf16 = "This looks like UTF-16. Save the file as UTF-8."
  static let encoding = "This string is not UTF-8. Save the file as UTF-8."
  static let unterminated =
    "The string that opens here is not closed in its line. A line break in it is \\n."
  static let escape =
    "This is no escape that JSON knows. They are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with "
    + "four hexadecimal digits; a backslash itself is \\\\."
  static let surrogate =
    "This escape is half of a surrogate pair. Write both halves, or the character itself."
}
