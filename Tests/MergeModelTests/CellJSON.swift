/// Reads the JSON objects of the ledger, so that columns may stand in any order.
struct CellJSON {
  private var bytes: ArraySlice<UInt8>

  static func columns(_ text: String?) -> [String: Cell]? {
    guard let text else { return nil }
    var reader = CellJSON(bytes: Array(text.utf8)[...])
    return reader.object()
  }

  private mutating func object() -> [String: Cell] {
    var columns: [String: Cell] = [:]
    expect("{")
    while bytes.first != UInt8(ascii: "}") {
      if !columns.isEmpty { expect(",") }
      let name = string()
      expect(":")
      columns[name] = value()
    }
    bytes.removeFirst()
    return columns
  }

  private mutating func value() -> Cell {
    switch bytes.first {
    case UInt8(ascii: "\""): return .text(string())
    case UInt8(ascii: "n"):
      bytes.removeFirst(4)
      return .null
    case UInt8(ascii: "{"):
      guard case .text(let encoded)? = object()["base64"] else { return .text("?") }
      return .blob(Self.decoded(encoded))
    default:
      let literal = bytes.prefix { !",}".utf8.contains($0) }
      bytes.removeFirst(literal.count)
      let text = String(decoding: literal, as: UTF8.self)
      return Int64(text).map { .integer($0) } ?? .real(Double(text) ?? .nan)
    }
  }

  private mutating func string() -> String {
    expect("\"")
    var text: [UInt8] = []
    while let byte = bytes.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\") else {
        text.append(byte)
        continue
      }
      switch bytes.popFirst() {
      case UInt8(ascii: "n"): text.append(10)
      case UInt8(ascii: "r"): text.append(13)
      case UInt8(ascii: "t"): text.append(9)
      case UInt8(ascii: "u"):
        text.append(UInt8(String(decoding: bytes.prefix(4), as: UTF8.self), radix: 16) ?? 0)
        bytes.removeFirst(4)
      case let escaped?: text.append(escaped)
      case nil: break
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func expect(_ character: Character) {
    precondition(bytes.popFirst() == character.asciiValue, "not the ledger's JSON")
  }

  static func decoded(_ base64: String) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var bits = 0
    var count = 0
    var bytes: [UInt8] = []
    for digit in base64.utf8 {
      guard let value = digits.firstIndex(of: digit) else { continue }
      bits = bits << 6 | value
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
      }
    }
    return bytes
  }
}
