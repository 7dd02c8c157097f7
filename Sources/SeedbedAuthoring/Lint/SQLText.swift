import Seedbed

/// The text of a SQL file, and on which lines its parts are.
struct SQLText {
  let tokens: [StatementTokens.Token]
  /// Where each line begins, in bytes.
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    tokens = Array(StatementTokens(text))
    starts = [0] + text.utf8.enumerated().compactMap { $1 == 0x0A ? $0 + 1 : nil }
  }

  init(_ sql: String) { self.init(Array(sql.utf8)) }

  /// Of the first thing that is no comment.
  var firstLine: Int { code.first.map { line(at: $0.offset) } ?? 1 }

  var code: [StatementTokens.Token] { tokens.filter { $0.kind != .comment } }

  func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a word stands outside all parentheses.
  func hasOuter(_ word: String) -> Bool {
    var depth = 0
    for token in code {
      if token.isSign("(") { depth += 1 }
      if token.isSign(")") { depth -= 1 }
      if depth == 0, token.isWord(word) { return true }
    }
    return false
  }

  /// Whether a table's name stands anywhere in it.
  func names(_ table: String) -> Bool {
    let folded = table.asciiLowercased()
    return code.contains { token in
      if token.kind == .quoted(UInt8(ascii: "'")) { return false }
      return token.text.asciiLowercased() == folded
    }
  }
}

/// `ALTER TABLE t …`, as far as it concerns what users have.
enum AlterStatement: Equatable {
  case rename(table: String, to: String)
  case add(table: String, column: String)
  case drop(table: String, column: String)

  init?(_ text: SQLText) {
    var code = text.code[...]
    guard code.popFirst()?.isWord("ALTER") == true, code.popFirst()?.isWord("TABLE") == true,
      var table = code.popFirst()
    else { return nil }
    if code.first?.isSign(".") == true {
      guard let name = code.dropFirst().first else { return nil }
      table = name
      code = code.dropFirst(2)
    }
    guard let verb = code.popFirst() else { return nil }
    if code.first?.isWord("COLUMN") == true, code.count > 1 { code = code.dropFirst() }
    guard let next = code.first else { return nil }
    if verb.isWord("RENAME"), next.isWord("TO"), let name = code.dropFirst().first {
      self = .rename(table: table.text, to: name.text)
    } else if verb.isWord("ADD") {
      self = .add(table: table.text, column: next.text)
    } else if verb.isWord("DROP") {
      self = .drop(table: table.text, column: next.text)
    } else {
      return nil
    }
  }
}
