/// A word or a single mark of Swift code.
struct Token: Equatable {
  let text: String
  let line: Int
  /// Whether it follows the token before it without a space.
  let isAttached: Bool

  /// The words and marks of a Swift file, without its comments and strings.
  static func all(in text: String) -> [Token] { tokens[text] }

  /// Several rules read each file.
  private static let tokens = Memo { text in
    var tokens: [Token] = []
    var line = 1
    var isAttached = false
    // Bytes, since a debug build takes long over characters.
    var rest = Array(SwiftCode.only(in: text).utf8)[...]
    while let first = rest.first {
      let word = rest.prefix { isPartOfWord($0) }
      if first == UInt8(ascii: " ") || first == UInt8(ascii: "\n") {
        isAttached = false
        if first == UInt8(ascii: "\n") { line += 1 }
      } else {
        let bytes = word.isEmpty ? rest.prefix(1) : word
        tokens.append(
          Token(text: String(decoding: bytes, as: UTF8.self), line: line, isAttached: isAttached))
        isAttached = true
      }
      rest = rest.dropFirst(Swift.max(1, word.count))
    }
    return tokens
  }

  /// Whether it is of a letter, a digit or an underscore; those beyond ASCII are letters in code.
  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
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
