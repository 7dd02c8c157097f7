/// Reads numbers as CSV writes them. SQLite before 3.47 misreads some decimals, such as 8.43920e-3.
package enum NumberText {
  private static let minus = UInt8(ascii: "-")
  private static let zero = UInt8(ascii: "0")

  /// `-?(0|[1-9][0-9]*)` within Int64; nil for anything else.
  @inline(__always)
  package static func integer(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int64? {
    let count = text.count
    guard count > 0, count <= 20 else { return nil }
    var index = 0
    let isNegative = text[0] == minus
    if isNegative { index = 1 }
    guard index < count else { return nil }
    // `-0` fits the rule, and is 0.
    if text[index] == zero { return index + 1 == count ? 0 : nil }
    var magnitude: UInt64 = 0
    // 18 digits cannot overflow. `Int64` checks the few longer ones, but would accept a plus sign.
    guard count - index <= 18 else {
      return text[index] &- zero <= 9 ? longInteger(text) : nil
    }
    while index < count {
      let digit = text[index] &- zero
      guard digit <= 9 else { return nil }
      magnitude = magnitude &* 10 &+ UInt64(digit)
      index += 1
    }
    return isNegative ? -Int64(magnitude) : Int64(magnitude)
  }

  /// Numbers of 19 digits and more. Inlined, it makes the loop of `integer` a tenth slower.
  private static func longInteger(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int64? {
    Int64(String(decoding: text, as: UTF8.self))
  }

  /// Reads `0` or `1`.
  static func boolean(_ text: UnsafeMutableBufferPointer<UInt8>) -> Int64? {
    guard text.count == 1, text[0] & ~1 == zero else { return nil }
    return Int64(text[0] - zero)
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The parts of `-?digits(.digits)?([eE][+-]?digits)?`; digits may be missing on one side of
  /// the point.
  package struct Decimal {
    var isNegative = false
    /// The digits without leading zeros, as a number; exact while `digitCount` is at most 19.
    var mantissa: UInt64 = 0
    /// The number of significant digits, including zeros at the end.
    var digitCount = 0
    /// The power of ten to multiply the mantissa by.
    package var exponent = 0
    package var hasLeadingZeros = false
  }

  package static func decimal(_ text: UnsafeMutableBufferPointer<UInt8>) -> Decimal? {
    var decimal = Decimal()
    var index = 0
    let count = text.count
    if index < count, text[index] == minus {
      decimal.isNegative = true
      index += 1
    }
    let firstDigit = index
    var digits = 0
    var isAfterPoint = false
    while index < count {
      let byte = text[index]
      if byte == UInt8(ascii: "."), !isAfterPoint {
        isAfterPoint = true
      } else {
        let digit = byte &- zero
        guard digit <= 9 else { break }
        digits += 1
        if decimal.digitCount > 0 || digit > 0 {
          if decimal.digitCount < 19 { decimal.mantissa = decimal.mantissa &* 10 &+ UInt64(digit) }
          decimal.digitCount += 1
        }
        if isAfterPoint { decimal.exponent -= 1 }
      }
      index += 1
    }
    guard digits > 0 else { return nil }
    decimal.hasLeadingZeros =
      text[firstDigit] == zero && firstDigit + 1 < count
      && text[firstDigit + 1] &- zero <= 9
    guard index < count else { return decimal }
    return exponent(text, from: index, decimal)
  }

  private static func exponent(
    _ text: UnsafeMutableBufferPointer<UInt8>, from start: Int, _ decimal: Decimal
  ) -> Decimal? {
    var decimal = decimal
    var index = start
    guard text[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    index += 1
    var isNegative = false
    if index < text.count, text[index] == minus || text[index] == UInt8(ascii: "+") {
      isNegative = text[index] == minus
      index += 1
    }
    guard index < text.count else { return nil }
    var value = 0
    while index < text.count {
      let digit = text[index] &- zero
      guard digit <= 9 else { return nil }
      // Larger than the number of digits in any record, and within the 32 bits of a watch.
      value = value < 1 << 27 ? value * 10 + Int(digit) : 1 << 30
      index += 1
    }
    decimal.exponent += isNegative ? -value : value
    return decimal
  }

  /// A finite decimal or exponent number, correctly rounded; nil for anything else, for a number
  /// that is too large, and for one that would round to zero.
  @inline(__always)
  package static func real(_ text: UnsafeMutableBufferPointer<UInt8>) -> Double? {
    guard let decimal = decimal(text) else { return nil }
    // Both parts are exact in a Double, so one rounding gives the right result (Clinger).
    if decimal.mantissa <= UInt64(1) << 53, decimal.digitCount <= 19, abs(decimal.exponent) <= 22 {
      let mantissa = Double(decimal.mantissa)
      let scaled =
        decimal.exponent < 0
        ? mantissa / powers[-decimal.exponent] : mantissa * powers[decimal.exponent]
      return decimal.isNegative ? -scaled : scaled
    }
    if decimal.digitCount <= 19, (-19..<0).contains(decimal.exponent) {
      return quotient(decimal.mantissa, tenTo: -decimal.exponent, isNegative: decimal.isNegative)
    }
    return slowReal(text, decimal)
  }

  /// `mantissa / 10^power`, rounded once. Used for the many decimals with more digits than a Double
  /// has, such as `8.541694000000001`, to avoid a String. `mantissa` is not 0.
  private static func quotient(_ mantissa: UInt64, tenTo power: Int, isNegative: Bool) -> Double {
    let divisor = wholePowers[power]
    let shift = divisor.leadingZeroBitCount
    // Shift both until their highest bits are set, and halve the dividend so that the quotient fits
    // 64 bits.
    let raised = mantissa.leadingZeroBitCount
    let dividend = (mantissa << UInt64(raised)) >> 1
    let low = (mantissa << UInt64(raised)) << 63
    let (quotient, remainder) = (divisor << UInt64(shift)).dividingFullWidth((dividend, low))
    // A remainder decides between half and more than half. The quotient has 63 or 64 bits, so this
    // lowest bit is always rounded away. `scale` is a power of two.
    let exact = quotient | (remainder == 0 ? 0 : 1)
    let scale = Double(bitPattern: UInt64(1023 - 63 + shift - raised) << 52)
    let value = Double(exact) * scale
    return isNegative ? -value : value
  }

  private static let wholePowers: [UInt64] = (0...19).map { power in
    (0..<power).reduce(1) { product, _ in product * 10 }
  }

  private static func slowReal(
    _ text: UnsafeMutableBufferPointer<UInt8>, _ decimal: Decimal
  ) -> Double? {
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value == 0 && decimal.digitCount > 0 ? nil : value
  }

  /// The significant digits of a number, without zeros on either side: `-1.50e3` is `15`.
  package static func significantDigits(_ text: some Sequence<UInt8>) -> [UInt8] {
    var digits: [UInt8] = []
    for byte in text {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      guard byte &- zero <= 9 else { continue }
      if byte != zero || !digits.isEmpty { digits.append(byte) }
    }
    while digits.last == zero { digits.removeLast() }
    return digits
  }
}
