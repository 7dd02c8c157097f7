extension String {
  /// At most so many characters, the cut marked with an ellipsis, fit for one line of a terminal:
  /// line breaks become spaces, and what a terminal would obey is not passed on.
  package func shortened(to limit: Int) -> String {
    if let text = shortenedPlainly(to: limit) { return text }
    // No more is looked at than is shown: a field may have 16 MiB.
    let head = prefix(limit + 1).map(\.harmless)
    return head.count <= limit ? head.joined() : head.prefix(limit - 1).joined() + "…"
  }

  /// The same without splitting into characters, which is slow and seldom needed; nil where it is.
  private func shortenedPlainly(to limit: Int) -> String? {
    let scalars = unicodeScalars
    var (end, cut, count) = (scalars.startIndex, scalars.startIndex, 0)
    while end < scalars.endIndex, count <= limit {
      guard scalars[end].isPlain else { return nil }
      if count == limit - 1 { cut = end }
      scalars.formIndex(after: &end)
      count += 1
    }
    return count <= limit ? self : String(self[..<cut]) + "…"
  }
}

extension Character {
  fileprivate var harmless: String {
    if isNewline { return " " }
    if unicodeScalars.allSatisfy({ $0.properties.generalCategory == .control }) {
      return "\u{FFFD}"
    }
    // Combining marks without end make one character, too.
    return String(String.UnicodeScalarView(unicodeScalars.prefix(16)))
  }
}

extension Unicode.Scalar {
  /// Of Latin, Greek, Cyrillic, Japanese or Chinese, and a character of its own beside any other
  /// of these.
  fileprivate var isPlain: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0xAC, 0xAE...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027,
      0x3041...0x3096, 0x30A0...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF:
      true
    default: false
    }
  }
}

extension [String] {
  /// `a`, `a and b`, `a, b and c`
  var inWords: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
