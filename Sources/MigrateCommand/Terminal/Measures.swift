internal import Seedbed

/// Numbers with their units, for a person.
enum Measures {
  /// `1,234,567`
  static func grouped(_ number: some BinaryInteger) -> String {
    if (-999...999).contains(number) { return String(number) }
    var digits = Array(String(number).utf8)
    let first = number < 0 ? 1 : 0
    var position = digits.count - 3
    while position > first {
      digits.insert(UInt8(ascii: ","), at: position)
      position -= 3
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// `1 migration`, `2 migrations`
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `612 bytes`, `4.1 kB`, `1.2 MB`: thousands, as disks are sold.
  static func bytes(_ number: Int64) -> String {
    if number < 1000 { return number == 1 ? "1 byte" : "\(number) bytes" }
    let (unit, name) = unit(of: number)
    return "\(tenths(number, of: unit)) \(name)"
  }

  /// `21.6 of 48.0 MB`: both in the unit of the second.
  static func bytes(_ number: Int64, of total: Int64) -> String {
    if total < 1000 { return "\(number) of \(bytes(total))" }
    let (unit, name) = unit(of: total)
    return "\(tenths(number, of: unit)) of \(tenths(total, of: unit)) \(name)"
  }

  /// `12 ms`, `1.2 s`, `2 min 05 s`
  static func duration(_ duration: Duration) -> String {
    let ms = duration.milliseconds
    if ms < 1000 { return "\(ms) ms" }
    if ms < 59_950 { return "\(tenths(Int64(ms), of: 1000)) s" }
    let seconds = (ms + 500) / 1000
    return "\(seconds / 60) min \(seconds % 60 < 10 ? "0" : "")\(seconds % 60) s"
  }

  /// `5` or `0.5`, without the `.0` that Swift prints.
  static func seconds(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : String(number)
  }

  private static func unit(of number: Int64) -> (Int64, String) {
    // From 999,950 on, one decimal would read `1000.0`.
    if number < 999_950 { return (1000, "kB") }
    if number < 999_950_000 { return (1_000_000, "MB") }
    return (1_000_000_000, "GB")
  }

  /// One decimal, rounded half up.
  private static func tenths(_ number: Int64, of unit: Int64) -> String {
    let tenths = (number + unit / 20) / (unit / 10)
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension Migrator.Timestamp {
  /// Without the fraction of a second: `2026-09-01T08:12:44Z`.
  var toTheSecond: String {
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return text }
    return String(text[..<point]) + "Z"
  }
}
