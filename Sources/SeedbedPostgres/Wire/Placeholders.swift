import Seedbed

/// Converts placeholders: SQL here has `?` or `?1` for values, and PostgreSQL has `$1`.
enum Placeholders {
  /// The same statement with `$1`, `$2` …. Text in quotes or comments stays as it is. As in SQLite,
  /// a `?` without a number gets the number after the highest so far.
  static func numbered(_ sql: String) -> String {
    let bytes = Array(sql.utf8)
    var output: [UInt8] = []
    var (copied, highest) = (0, 0)
    for token in SQLTokens(sql, .postgresql) where token.isSign("?") {
      let digits = bytes[token.range.upperBound...].prefix { (0x30...0x39).contains($0) }
      let number = Int(String(decoding: digits, as: UTF8.self)) ?? highest + 1
      highest = max(highest, number)
      output += bytes[copied..<token.range.lowerBound]
      output += "$\(number)".utf8
      copied = digits.endIndex
    }
    return String(decoding: output + bytes[copied...], as: UTF8.self)
  }
}
