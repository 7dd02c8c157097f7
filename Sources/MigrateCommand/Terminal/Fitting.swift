/// Lines as a screen shows them.
extension Sink {
  /// How wide a line may be; nil if there is no screen, and each line stays whole.
  var width: Int? { isTerminal ? columns() : nil }

  /// The same text, broken at spaces if it is too long for the screen.
  func fitted(_ text: String) -> String { width.map { text.broken(at: $0) } ?? text }
}

extension String {
  /// A line that is wider continues on the next ones, two columns deeper.
  ///
  /// Words stay whole, so that a path or a command can still be copied: one that is wider than the
  /// screen has a line of its own, which the terminal wraps.
  func broken(at columns: Int) -> String {
    // No character takes more columns than bytes.
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
        // Two spaces in a row have an empty word between them.
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

  /// Without the sequences that paint it.
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
