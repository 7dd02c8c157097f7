/// The messages about invalid JSON.
enum JSONWords {
  static let empty = "The file is empty. Write at least {}, or remove the file."
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
