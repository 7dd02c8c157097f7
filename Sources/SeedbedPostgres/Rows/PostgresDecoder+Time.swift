import Seedbed
import SeedbedCells

/// Dates and times in the forms of ISO 8601 that PostgreSQL reads the same under every setting, and
/// `infinity`, which it writes.
extension FieldCheck {
  static let date = FieldCheck("date", expectation: "a date such as 2026-06-30, or infinity.") {
    _, field in
    if field.isInfinity { return true }
    var text = TimeText(field)
    return text.date() && text.isAtEnd
  }

  static func time(_ type: TypeName, hasZone: Bool) -> FieldCheck {
    let precision = type.arguments.first ?? 6
    return FieldCheck(
      type.text,
      expectation: "a time such as 12:30:00\(hasZone ? "+02:00" : "")\(digits(precision))."
    ) { _, field in
      var text = TimeText(field)
      return text.time(precision) && (!hasZone || text.zone()) && text.isAtEnd
    }
  }

  /// A date alone means midnight. Without a time zone in the type, the server would ignore one in
  /// the field. With a time zone in the type, it would add its own setting to a field without one.
  static func timestamp(_ type: TypeName, hasZone: Bool) -> FieldCheck {
    let precision = type.arguments.first ?? 6
    let zone = hasZone ? "Z or 2026-06-30 14:30:00+02:00" : " and no time zone"
    return FieldCheck(
      type.text,
      expectation: "a date and time such as 2026-06-30T12:30:00\(zone)\(digits(precision)), or "
        + "infinity."
    ) { _, field in
      if field.isInfinity { return true }
      var text = TimeText(field)
      guard text.date() else { return false }
      if text.isAtEnd { return !hasZone }
      guard text.take(UInt8(ascii: "T")) || text.take(UInt8(ascii: " ")) else { return false }
      return text.time(precision) && (!hasZone || text.zone()) && text.isAtEnd
    }
  }

  private static func digits(_ precision: Int) -> String {
    precision == 0
      ? ", without parts of a second"
      : ", with at most \(precision) \(precision == 1 ? "digit" : "digits") after the seconds"
  }
}

extension FieldCheck.Field {
  fileprivate var isInfinity: Bool {
    switch count {
    case 8: elementsEqual("infinity".utf8)
    case 9: elementsEqual("-infinity".utf8)
    default: false
    }
  }
}

private struct TimeText {
  private let text: FieldCheck.Field
  private var index = 0

  init(_ text: FieldCheck.Field) { self.text = text }

  var isAtEnd: Bool { index == text.count }

  mutating func take(_ byte: UInt8) -> Bool {
    guard index < text.count, text[index] == byte else { return false }
    index += 1
    return true
  }

  /// `YYYY-MM-DD`, a day that exists.
  mutating func date() -> Bool {
    guard let century = pair(), let rest = pair(), take(UInt8(ascii: "-")), let month = pair(),
      take(UInt8(ascii: "-")), let day = pair()
    else { return false }
    let year = century * 100 + rest
    guard year > 0, (1...12).contains(month), day > 0 else { return false }
    if day <= 28 { return true }
    switch month {
    case 2: return day == 29 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    case 4, 6, 9, 11: return day <= 30
    default: return day <= 31
    }
  }

  /// `HH:MM`, `HH:MM:SS` or `HH:MM:SS.FFF`. Zeros at the end of a fraction are no loss.
  mutating func time(_ precision: Int) -> Bool {
    guard let hour = pair(), hour < 24, take(UInt8(ascii: ":")), let minute = pair(), minute < 60
    else { return false }
    guard take(UInt8(ascii: ":")) else { return true }
    guard let second = pair(), second < 60 else { return false }
    guard take(UInt8(ascii: ".")) else { return true }
    let start = index
    var end = index
    while index < text.count, text[index].isDigit {
      if text[index] != UInt8(ascii: "0") { end = index + 1 }
      index += 1
    }
    return index > start && end - start <= precision
  }

  /// `Z`, `+02`, `+0200`, `+02:00`, or `+00:53:28`, as PostgreSQL writes old times.
  mutating func zone() -> Bool {
    if take(UInt8(ascii: "Z")) { return true }
    guard take(UInt8(ascii: "+")) || take(UInt8(ascii: "-")), let hours = pair(), hours < 16 else {
      return false
    }
    if isAtEnd { return true }
    let hasColon = take(UInt8(ascii: ":"))
    guard let minutes = pair(), minutes < 60 else { return false }
    guard hasColon, take(UInt8(ascii: ":")) else { return true }
    return pair().map { $0 < 60 } ?? false
  }

  /// Reads two digits.
  private mutating func pair() -> Int? {
    guard index + 1 < text.count, text[index].isDigit, text[index + 1].isDigit else { return nil }
    index += 2
    return Int(text[index - 2] & 15) * 10 + Int(text[index - 1] & 15)
  }
}
