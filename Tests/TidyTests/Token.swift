/// A word or a single mark of Swift code.
struct Token: Equatable {
  let text: String
  let line: Int
  /// Whether it follows the token before it without a space.
  let isAttached: Bool

  /// The words and marks of a Swift file, without its comments and strings.
  static func all(in text: String) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    var isAttached = false
    var rest = SwiftCode.only(in: text)[...]
    while let first = rest.first {
      let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      let length = max(1, word.count)
      if first.isWhitespace {
        isAttached = false
        if first.isNewline { line += 1 }
      } else {
        tokens.append(Token(text: String(rest.prefix(length)), line: line, isAttached: isAttached))
        isAttached = true
      }
      rest = rest.dropFirst(length)
    }
    return tokens
  }
}

extension [Token] {
  /// The lines where some tokens follow each other without a space between them.
  func lines(of texts: [String]) -> [Int] {
    indices.dropLast(Swift.max(0, texts.count - 1)).filter { start in
      let window = self[start..<(start + texts.count)]
      return window.map(\.text) == texts && window.dropFirst().allSatisfy(\.isAttached)
    }.map { self[$0].line }
  }
}
