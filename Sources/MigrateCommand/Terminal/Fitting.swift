/// Fits lines to a screen.
extension Sink {
  /// The width of a line; nil if there is no screen, and lines stay whole.
  var width: Int? { isTerminal ? columns() : nil }

  /// The same text, broken at spaces if it is too long for the screen.
  func fitted(_ text: String) -> String { width.map { text.broken(at: $0) } ?? text }
}

extension String {
  /// Continues a line that is too long on the next ones, indented by two columns.
  ///
  /// Words stay whole, so that a path or a command can still be copied. A word that is wider than
  /// the screen gets a line of its own, which the terminal wraps.
  func broken(at columns: Int) -> String {
    // No character is wider in columns than in bytes.
    if utf8.count <= columns { return self }
    return split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.brokenLine(at: columns) }.joined(separator: "\n")
  }
}

extension Substring {
  fileprivate func brokenLine(at columns: Int) -> String {
    if shownWidth <= columns { return String(self) }
    let margin = prefix { $0 == " " }.count
    var lines: [String] = []
    var (line, width, gap) = ("", 0, 0)
    for word in split(separator: " ", omittingEmptySubsequences: false) {
      let wordWidth = word.shownWidth
      if word.isEmpty || width == 0 || width + gap + wordWidth <= columns {
        // Two spaces in a row enclose an empty word.
        if !word.isEmpty {
          line += String(repeating: " ", count: gap) + word
          width += gap + wordWidth
          gap = 0
        }
      } else {
        lines.append(line)
        let indent = margin + 2 + wordWidth <= columns ? margin + 2 : 0
        line = String(repeating: " ", count: indent) + word
        (width, gap) = (indent + wordWidth, 0)
      }
      gap += 1
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The width without the sequences for colours.
  private var shownWidth: Int {
    guard utf8.contains(0x1B) else { return displayWidth }
    var (text, isSequence) = ("", false)
    for character in self {
      if character == "\u{1B}" { isSequence = true } else if !isSequence { text.append(character) }
      if isSequence, character.isLetter { isSequence = false }
    }
    return text.displayWidth
  }
}
