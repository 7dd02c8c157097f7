extension String {
  /// At most so many characters, the cut marked with an ellipsis, fit for one line of a terminal:
  /// line breaks become spaces, and what a terminal would obey is not passed on.
  package func shortened(to limit: Int) -> String {
    // No more is looked at than is shown: a field may have 16 MiB.
    let head = prefix(limit + 1).map(\.harmless)
    return head.count <= limit ? head.joined() : head.prefix(limit - 1).joined() + "…"
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
