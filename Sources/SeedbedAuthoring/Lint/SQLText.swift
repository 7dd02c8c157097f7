import Seedbed

/// The text of an SQL file, with the lines of its parts.
struct SQLText {
  let tokens: [SQLToken]
  /// The offset of each line in bytes.
  private let starts: [Int]

  init(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    tokens = Array(SQLTokens(text))
    starts = [0] + text.utf8.enumerated().compactMap { $1 == 0x0A ? $0 + 1 : nil }
  }

  init(_ sql: String) { self.init(Array(sql.utf8)) }

  /// The line of the first text that is not a comment.
  var firstLine: Int { code.first.map { line(at: $0.range.lowerBound) } ?? 1 }

  var code: [SQLToken] { tokens.filter { $0.kind != .comment } }

  func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether it contains a table's name anywhere.
  func names(_ table: String) -> Bool {
    code.contains { token in
      token.kind != SQLToken.string && token.text.isSameName(as: table)
    }
  }
}
