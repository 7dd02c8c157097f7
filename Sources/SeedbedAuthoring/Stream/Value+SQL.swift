import Seedbed

extension Value {
  /// The literal that SQLite reads as exactly this value.
  var sqlLiteral: String {
    switch self {
    case .null: "NULL"
    // The smallest number has no literal: SQLite reads its digits first, and then the sign.
    case .integer(.min): "(-9223372036854775807 - 1)"
    case .integer(let number): String(number)
    case .real(let number): Self.exact(number)
    case .text(let text):
      // No literal can contain it, and bytes would be other characters in a UTF-16 database.
      text.unicodeScalars.contains("\0")
        ? "("
          + text.unicodeScalars.split(separator: "\0", omittingEmptySubsequences: false)
          .map { "'" + String($0).doubling("'") + "'" }.joined(separator: " || char(0) || ") + ")"
        : "'" + text.doubling("'") + "'"
    case .invalidText(let bytes): "CAST(\(Self.hex(bytes)) AS TEXT)"
    case .blob(let bytes): Self.hex(bytes)
    }
  }

  /// The same in one line, with nothing in it on which a terminal acts.
  var sqlLine: String {
    guard case .text(let text) = self, text.unicodeScalars.contains(where: \.isInvisible) else {
      return sqlLiteral
    }
    var parts = ["''"]
    var run = ""
    for scalar in text.unicodeScalars {
      if scalar.isInvisible {
        if !run.isEmpty { parts.append("'" + run.doubling("'") + "'") }
        run = ""
        parts.append("char(\(scalar.value))")
      } else {
        run.unicodeScalars.append(scalar)
      }
    }
    if !run.isEmpty { parts.append("'" + run.doubling("'") + "'") }
    return "(" + parts.joined(separator: " || ") + ")"
  }

  /// A sum of whole numbers and powers of two, which every version of SQLite reads in the same way.
  /// Before 3.47, it misreads some decimals.
  private static func exact(_ number: Double) -> String {
    if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
    if number.rounded() == number, abs(number) < 0x1p53 { return number.description }
    var digits = Int64((number.significand * 0x1p52).rounded())
    var exponent = Int(number.exponent) - 52
    while digits % 2 == 0 { (digits, exponent) = (digits / 2, exponent + 1) }
    var text = (number < 0 ? "-" : "") + "\(digits).0"
    while exponent != 0 {
      let step = min(32, abs(exponent))
      text += (exponent < 0 ? " / " : " * ") + "\(Int64(1) << step).0"
      exponent += exponent < 0 ? step : -step
    }
    return "(\(text))"
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
  }
}

extension Unicode.Scalar {
  fileprivate var isInvisible: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
