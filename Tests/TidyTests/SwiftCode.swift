/// Blanks what is not code: comments, and the text of string literals, but not the code that is
/// interpolated into them. Every line keeps its number.
///
/// It knows no regex literals: one with a quote or a brace in it would lead it astray.
struct SwiftCode {
  private let source: [UInt8]
  private var code: [UInt8]
  /// What was blanked and has readers: the text of strings and of comments to the end of a line.
  private var prose: [UInt8]
  /// A full stop is put between a comment and a string.
  private var isComment: Bool?
  private var position = 0

  /// Several rules read each file.
  private static let parts = Memo<(code: String, prose: String)> { text in
    var blanker = SwiftCode(text)
    blanker.readCode(untilParenthesis: false)
    return (
      String(decoding: blanker.code, as: UTF8.self), String(decoding: blanker.prose, as: UTF8.self)
    )
  }

  /// The code alone.
  static func only(in text: String) -> String { parts[text].code }

  /// The text of strings and of comments alone.
  static func prose(in text: String) -> String { parts[text].prose }

  private init(_ text: String) {
    source = Array(text.utf8)
    code = source
    prose = source.map { $0 == UInt8(ascii: "\n") ? $0 : UInt8(ascii: " ") }
  }

  private func sees(_ text: String) -> Bool { source[position...].starts(with: text.utf8) }

  private mutating func blank(_ count: Int, isProse: Bool = false) {
    for index in position..<min(position + count, source.count)
    where source[index] != UInt8(ascii: "\n") {
      code[index] = UInt8(ascii: " ")
      if isProse { prose[index] = source[index] }
    }
    position = min(position + count, source.count)
  }

  private mutating func begin(isComment: Bool) {
    if self.isComment == !isComment { prose[position] = UInt8(ascii: ".") }
    self.isComment = isComment
  }

  /// The bytes before the next of `marks`, from here on.
  private func count(before marks: String) -> Int {
    let marks = Array(marks.utf8)
    return source[position...].prefix { !marks.contains($0) }.count
  }

  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while position < source.count {
      position += count(before: "/#\"`()")
      guard position < source.count else { return }
      let hashes = source[position...].prefix { $0 == UInt8(ascii: "#") }.count
      if sees("//") {
        begin(isComment: true)
        blank(sees("///") ? 3 : 2)
        blank(count(before: "\n"), isProse: true)
      } else if sees("/*") {
        blankBlockComment()
      } else if source[(position + hashes)...].first == UInt8(ascii: "\"") {
        blankString(hashes)
      } else if sees("`") {
        blankRawIdentifier()
      } else {
        if sees("(") { depth += 1 }
        if sees(")") { depth -= 1 }
        position += 1
        if untilParenthesis, depth < 0 { return }
      }
    }
  }

  private mutating func blankBlockComment() {
    var depth = 0
    repeat {
      if sees("/*") { depth += 1 }
      if sees("*/") { depth -= 1 }
      blank(sees("/*") || sees("*/") ? 2 : 1)
    } while depth > 0 && position < source.count
  }

  /// Words in a name such as `a row that is public` are no keywords.
  private mutating func blankRawIdentifier() {
    position += 1
    blank(count(before: "`"))
    position += 1
  }

  private mutating func blankString(_ hashCount: Int) {
    let hashes = String(repeating: "#", count: hashCount)
    let quotes = source[(position + hashCount)...].starts(with: "\"\"\"".utf8) ? "\"\"\"" : "\""
    begin(isComment: false)
    blank(hashCount + quotes.utf8.count)
    while position < source.count {
      blank(count(before: "\"\\"), isProse: true)
      if sees(quotes + hashes) { return blank(quotes.utf8.count + hashCount) }
      if sees("\\\(hashes)(") {
        blank(hashCount + 2)
        readCode(untilParenthesis: true)
      } else {
        let isEscape = sees("\\\(hashes)")
        blank(isEscape ? hashCount + 2 : 1, isProse: !isEscape)
      }
    }
  }
}
