extension String {
  /// At most `limit` characters, for one line of a terminal. An ellipsis marks the cut, line breaks
  /// become spaces, and control characters are replaced.
  package func shortened(to limit: Int) -> String {
    // Printable ASCII, nearly all text, needs no splitting into characters, which is slow.
    let start = utf8.prefix(limit + 1)
    if start.allSatisfy({ (0x20...0x7E).contains($0) }) {
      if start.count <= limit { return self }
      return String(decoding: start.prefix(limit - 1), as: UTF8.self) + "…"
    }
    // A field may have 16 MiB: read no more of it than is shown.
    let first = prefix(limit + 1).map(\.harmless)
    return first.count <= limit ? first.joined() : first.prefix(limit - 1).joined() + "…"
  }
}

extension Character {
  fileprivate var harmless: String {
    if isNewline { return " " }
    if unicodeScalars.allSatisfy({ $0.properties.generalCategory == .control }) {
      return "\u{FFFD}"
    }
    // A character may have any number of combining marks.
    return String(String.UnicodeScalarView(unicodeScalars.prefix(16)))
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`
  package var inWords: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
