/// Real numbers as people write them.
enum DecimalText {
  /// The shortest text that reads back as the value. It has an exponent only if that makes it
  /// shorter: `0.000002`, but `1e+300`.
  static func text(_ value: Double) -> String {
    let shortest = value.description
    guard let mark = shortest.utf8.firstIndex(of: UInt8(ascii: "e")),
      let exponent = Int(shortest[shortest.utf8.index(after: mark)...]), abs(exponent) <= 20
    else { return shortest }
    let mantissa = shortest[..<mark]
    let sign = mantissa.hasPrefix("-") ? "-" : ""
    let digits = mantissa.utf8.filter { (0x30...0x39).contains($0) }
    let text = String(decoding: digits, as: UTF8.self)
    // One digit is before the point.
    if exponent < 0 { return sign + "0." + zeros(-exponent - 1) + text }
    let whole = text.utf8.count - 1
    return sign + text + zeros(exponent - whole) + ".0"
  }

  private static func zeros(_ count: Int) -> String {
    String(repeating: "0", count: max(0, count))
  }
}
