/// Keys and rows as the ledger's JSON: exact, and the same text for the same value.
///
/// Written in Swift, since SQLite's `json_object` stops at 63 pairs (SQLITE.md 40).
package enum RowJSON {
  package static func object(_ columns: [String], _ values: [Value]) -> String {
    var text = "{"
    for (index, pair) in zip(columns, values).enumerated() {
      if index > 0 { text += "," }
      text.append(json: pair.0)
      text += ":"
      append(pair.1, to: &text)
    }
    return text + "}"
  }

  static func array(_ texts: [String]) -> String {
    var text = "["
    for (index, string) in texts.enumerated() {
      if index > 0 { text += "," }
      text.append(json: string)
    }
    return text + "]"
  }

  /// A key in one spelling for all that its columns' collations take for the same.
  ///
  /// > NOCASE: the 26 upper case characters of ASCII are folded to their lower case equivalents.
  /// > RTRIM: trailing space characters are ignored. (Datatypes In SQLite)
  static func collatedKey(_ columns: [ColumnSchema], _ values: [Value]) -> String {
    object(columns.map(\.name), zip(columns, values).map { collated($1, $0.collation) })
  }

  static func collated(_ value: Value, _ collation: String) -> Value {
    guard case .text(var text) = value else { return value }
    switch collation.asciiLowercased() {
    case "nocase": text = text.asciiLowercased()
    case "rtrim": while text.utf8.last == UInt8(ascii: " ") { text.unicodeScalars.removeLast() }
    default: break
    }
    return .text(text)
  }

  private static func append(_ value: Value, to text: inout String) {
    switch value {
    case .null: text += "null"
    case .integer(let number): text += String(number)
    case .real(let number):
      // JSON has no infinity; a literal out of range reads back as one.
      text += number.isFinite ? number.description : number < 0 ? "-9e999" : "9e999"
    case .text(let string): text.append(json: string)
    case .invalidText(let bytes): text += "{\"text\":\"" + base64(bytes) + "\"}"
    case .blob(let bytes): text += "{\"base64\":\"" + base64(bytes) + "\"}"
    }
  }

  package static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = digits[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? digit : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
