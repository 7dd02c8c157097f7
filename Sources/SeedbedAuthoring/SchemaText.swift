import Seedbed

/// A schema as other programs print it: between BEGIN and COMMIT, and with SQLite's own tables,
/// which cannot be created. Statements that are not about the schema are left out.
enum SchemaText {
  /// The text without these statements. Each other statement stays on its line.
  static func passingOverOthers(_ text: String) -> String {
    let script = Script(name: "", bytes: Array(text.utf8))
    var bytes = script.bytes
    for range in script.statementRanges().reversed() where !isOfSchema(bytes[range]) {
      let isEnded = range.upperBound < bytes.count
      let breaks = bytes[range].filter { $0 == UInt8(ascii: "\n") }
      bytes.replaceSubrange(range.lowerBound..<range.upperBound + (isEnded ? 1 : 0), with: breaks)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isOfSchema(_ statement: ArraySlice<UInt8>) -> Bool {
    let words = StatementTokens.firstWords(3, of: String(decoding: statement, as: UTF8.self))
    switch words.first {
    case "BEGIN", "COMMIT", "END": return false
    case "CREATE": return words.count < 3 || words[1] != "TABLE" || !words[2].hasPrefix("SQLITE_")
    default: return true
    }
  }
}
