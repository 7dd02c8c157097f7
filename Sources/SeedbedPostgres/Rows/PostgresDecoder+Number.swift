import Seedbed
import SeedbedCells

extension FieldCheck {
  /// Exact: a number that numeric(10,2) would round is refused. The value stays text.
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

/// The positions of the digits in `-?digits(.digits)?([eE][+-]?digits)?`. Digits may be missing on
/// one side of the point.
private struct NumericText {
  /// The powers of ten of the first and the last digit other than 0; nil for zero.
  private var powers: (first: Int, last: Int)?

  init?(_ field: FieldCheck.Field) {
    guard let decimal = NumberText.decimal(field), !decimal.hasLeadingZeros else { return nil }
    // The positions of the first and the last such digit, counted from the first byte.
    var (first, last, place): (Int?, Int, Int) = (nil, 0, 0)
    for byte in field {
      if byte | 0x20 == UInt8(ascii: "e") { break }
      guard byte.isDigit else { continue }
      if byte != UInt8(ascii: "0") { (first, last) = (first ?? place, place) }
      place += 1
    }
    // The exponent belongs to the last digit written.
    powers = first.map { first in
      (decimal.exponent + place - 1 - first, decimal.exponent + place - 1 - last)
    }
  }

  /// Whether there are at most this many digits before and after the point.
  func fits(whole: Int, scale: Int) -> Bool {
    guard let powers else { return true }
    return powers.first < whole && powers.last >= -scale
  }
}
