import Seedbed

extension FieldCheck {
  /// Exact: what numeric(10,2) would round is refused. It stays text.
  static func numeric(_ type: TypeName) -> FieldCheck {
    guard let precision = type.arguments.first else {
      // > up to 131072 digits before the decimal point; up to 16383 digits after it (Numeric Types)
      return FieldCheck(
        type.text, expectation: "a decimal number such as 12.50, without leading zeros."
      ) { _, field in NumericText(field).map { $0.fits(whole: 131_072, scale: 16_383) } ?? false }
    }
    let scale = type.arguments.dropFirst().first ?? 0
    return FieldCheck(
      type.text,
      expectation: "a decimal number that \(type.text) holds without rounding, without leading "
        + "zeros."
    ) { _, field in
      NumericText(field).map { $0.fits(whole: precision - scale, scale: scale) } ?? false
    }
  }
}

/// Where the digits of `-?digits(.digits)?([eE][+-]?digits)?` are; digits may be missing on one
/// side of the point.
private struct NumericText {
  /// The powers of ten of the first and the last digit that is not 0; nil for zero.
  private var powers: (first: Int, last: Int)?

  init?(_ field: FieldCheck.Field) {
    guard let decimal = NumberText.decimal(field), !decimal.hasLeadingZeros else { return nil }
    // The first digit's place, counted from the first byte, and the last one's.
    var (first, last, place): (Int?, Int, Int) = (nil, 0, 0)
    for byte in field {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      guard byte.isDigit else { continue }
      if byte != UInt8(ascii: "0") { (first, last) = (first ?? place, place) }
      place += 1
    }
    // The exponent is that of the last digit that is written.
    powers = first.map { first in
      (decimal.exponent + place - 1 - first, decimal.exponent + place - 1 - last)
    }
  }

  /// Whether there are at most so many digits before the point and after it.
  func fits(whole: Int, scale: Int) -> Bool {
    guard let powers else { return true }
    return powers.first < whole && powers.last >= -scale
  }
}
