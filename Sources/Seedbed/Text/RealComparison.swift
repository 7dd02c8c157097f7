/// When two reals count as the same value.
enum RealComparison {
  /// True where they agree in 15 significant digits: what a text with 15 digits loses on the way
  /// through another program is not an edit.
  static func isSame(_ first: Double, _ second: Double) -> Bool {
    if first == second { return true }
    guard first.isFinite, second.isFinite, first.sign == second.sign,
      abs(first - second) <= max(abs(first), abs(second)) * 1e-14
    else { return false }
    return digits(first) == digits(second)
  }

  /// The first 15 significant digits, rounded, and the power of ten of the first.
  private static func digits(_ value: Double) -> Rounded {
    // The shortest text that reads back as the value: at most 17 digits and an exponent.
    var digits: [UInt8] = []
    var exponent = 0
    var isAfterPoint = false
    let text = Array(abs(value).description.utf8)
    var index = 0
    while index < text.count, text[index] | 0x20 != UInt8(ascii: "e") {
      defer { index += 1 }
      if text[index] == UInt8(ascii: ".") {
        isAfterPoint = true
        continue
      }
      let digit = text[index] - UInt8(ascii: "0")
      if digits.isEmpty, digit == 0 {
        if isAfterPoint { exponent -= 1 }
        continue
      }
      digits.append(digit)
      if !isAfterPoint { exponent += 1 }
    }
    if index < text.count {
      exponent += Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
    }
    return Rounded(digits, exponent)
  }

  private struct Rounded: Equatable {
    var number: Int64 = 0
    var exponent: Int

    init(_ digits: [UInt8], _ exponent: Int) {
      self.exponent = exponent
      for index in 0..<15 {
        number = number * 10 + (index < digits.count ? Int64(digits[index]) : 0)
      }
      if digits.count > 15, digits[15] >= 5 { number += 1 }
      if number == 1_000_000_000_000_000 {
        number = 100_000_000_000_000
        self.exponent += 1
      }
    }
  }
}
