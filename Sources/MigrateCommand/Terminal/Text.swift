/// Text as a terminal shows it.
extension StringProtocol {
  /// The number of columns that it takes: two for wide characters, none for combining ones.
  var displayWidth: Int {
    if isPlain { return utf8.count }
    // Splitting text into characters and reading their properties is slow, and rarely needed.
    if unicodeScalars.allSatisfy({ $0.isNarrow }) { return unicodeScalars.count }
    return reduce(0) { $0 + $1.displayWidth }
  }

  /// Printable ASCII only, with one column per byte and nothing to escape. Nearly all text is.
  var isPlain: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F } }

  func padded(to width: Int) -> String {
    String(self) + String(repeating: " ", count: Swift.max(0, width - displayWidth))
  }

  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - displayWidth)) + String(self)
  }

  /// At most `width` columns. A cut is shown as `…`.
  func cut(to width: Int) -> String {
    if displayWidth <= width { return String(self) }
    var kept = ""
    var used = 0
    for character in self {
      used += character.displayWidth
      if used > width - 1 { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// Control characters as `\u{…}`: a name must not move the cursor.
  var printable: String {
    if isPlain || !unicodeScalars.contains(where: \.isControl) { return String(self) }
    return unicodeScalars.map { scalar in
      scalar.isControl
        ? "\\u{" + String(scalar.value, radix: 16) + "}" : String(scalar)
    }.joined()
  }

  /// Without spaces at its end.
  var trimmed: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
    return String(self[..<end])
  }
}

extension Character {
  /// The sum of its scalars' widths, unless it is one emoji: a family, a flag, or a symbol with a
  /// variation selector 16.
  var displayWidth: Int {
    let isEmoji = unicodeScalars.first?.properties.isEmojiPresentation ?? false
    if isEmoji || unicodeScalars.contains("\u{FE0F}") { return 2 }
    return unicodeScalars.reduce(0) { $0 + $1.displayWidth }
  }
}

extension Unicode.Scalar {
  /// The codes C0, DEL and C1.
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }

  /// Latin, Greek and Cyrillic letters, common punctuation and arrows. They take one column,
  /// whatever follows.
  var isNarrow: Bool {
    switch value {
    case 0x20...0x7E, 0xA0...0x2FF, 0x370...0x482, 0x48A...0x52F, 0x2010...0x2027, 0x2190...0x21FF:
      true
    default: false
    }
  }

  var displayWidth: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator:
      return value == 0xAD ? 1 : 0
    default:
      // The vowels and finals of Hangul join the consonant before them.
      if (0x1160...0x11FF).contains(value) { return 0 }
      return isWide || properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// East Asian Wide and Fullwidth characters, by their blocks (Unicode Standard Annex #11).
  private var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FB,
      0x1F200...0x1F2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD:
      true
    default: false
    }
  }
}
