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
    json("Found a comma before '\(end)'. JSON has none after the last element: remove it.", place)
  }

  static func jsonKeyTwice(_ key: String, firstLine: Int, _ place: Place) -> SeedbedError {
    json(
      "The key '\(key.shortened(to: 40))' is repeated here; it is first in line \(firstLine). Keep "
        + "one of them.", place)
  }

  static func jsonDepth(_ limit: Int, _ place: Place) -> SeedbedError {
    json("More than \(limit) brackets are open here. No option is nested that deeply.", place)
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
    "This is not a JSON escape. The escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with "
    + "four hexadecimal digits; a backslash itself is \\\\."
  static let surrogate =
    "This escape is half of a surrogate pair. Write both halves, or the character itself."
}

/// What is JSON and not an option.
extension OptionsReader {
  func place(_ position: ParsedJSON.Position) -> SeedbedError.Place {
    SeedbedError.Place(file, at: position)
  }

  func error(_ message: String, _ position: ParsedJSON.Position) -> SeedbedError {
    SeedbedError.json(message, place(position))
  }

  func unknown(_ member: ParsedJSON.Member, known: [String], near: [String]) -> SeedbedError {
    let advice =
      Nearest.word(to: member.key, among: near).map { "Did you mean '\($0)'?" }
      ?? "Options here are \(known.inWords)."
    return error("'\(member.key.shortened(to: 40))' is not an option. \(advice)", member.position)
  }

  func ofMigration(_ member: ParsedJSON.Member) -> SeedbedError {
    error(
      "'\(member.key)' belongs to one migration, not to the whole catalog. Move it to the "
        + "migration's migration.json.", member.position)
  }

  func ofCatalog(_ member: ParsedJSON.Member) -> SeedbedError {
    error(
      "'\(member.key)' is for the whole catalog, not for one migration. Move it to catalog.json.",
      member.position)
  }

  func misplaced(_ member: ParsedJSON.Member) -> SeedbedError {
    error(
      "'\(member.key)' is an option of a table. Put it under \"tables\", below the table's name.",
      member.position)
  }

  func type(
    _ key: String, _ found: ParsedJSON, _ expected: String, isElement: Bool = false
  ) -> SeedbedError {
    let subject = (isElement ? "An element of " : "") + "'\(key.shortened(to: 40))'"
    return error("\(subject) is \(found.kind), expected \(expected).", found.position)
  }

  func value(
    _ member: ParsedJSON.Member, _ found: String, _ known: [String]
  ) -> SeedbedError {
    let advice =
      Nearest.word(to: found, among: known).map { "Did you mean '\($0)'?" }
      ?? "Use \(known.joined(separator: " or "))."
    return value(member, found, advice)
  }

  func number(_ member: ParsedJSON.Member, _ found: String, highest: Int64) -> SeedbedError {
    value(
      member, found,
      "Use a whole number from 1 to \(highest), without a fraction or an exponent.")
  }

  private func value(
    _ member: ParsedJSON.Member, _ found: String, _ advice: String
  ) -> SeedbedError {
    let (found, key) = (found.shortened(to: 40), member.key.shortened(to: 40))
    return error("'\(found)' is not a value of '\(key)'. \(advice)", member.value.position)
  }

  func nameTwice(
    _ name: String, of key: String, _ position: ParsedJSON.Position
  ) -> SeedbedError {
    error(
      "'\(key)' holds '\(name.shortened(to: 40))' twice; names that differ only in case "
        + "are the same. Keep one of them.", position)
  }

  func listEmpty(_ member: ParsedJSON.Member) -> SeedbedError {
    error(
      "'\(member.key)' is empty. Name at least one column, or leave it out.",
      member.value.position)
  }
}
