import CSeedbedSQLite
import Seedbed

extension Script {
  /// The statements as text, without the text between them.
  ///
  /// No schema is needed: SQLite itself finds the end of a statement, even of a trigger with
  /// several.
  func statements() -> [String] {
    statementRanges().map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// The ranges of their bytes, without the semicolons.
  func statementRanges() -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = skipBlanks(from: 0)
    while start < bytes.count {
      let end = self.end(ofStatementAt: start)
      found.append(start..<end)
      start = skipBlanks(from: end)
    }
    return found
  }

  /// The position of the statement's semicolon, or of the end of the text.
  private func end(ofStatementAt start: Int) -> Int {
    for index in start..<bytes.count where bytes[index] == UInt8(ascii: ";") {
      if sqlite3_complete(String(decoding: bytes[start...index], as: UTF8.self)) == 1 {
        return index
      }
    }
    return bytes.count
  }
}
