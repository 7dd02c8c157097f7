import Seedbed

/// Recognises what spreadsheet programs do to data, by comparing old and new values.
struct SpreadsheetGuard {
  /// The possible damage to a value.
  enum Habit: String, CaseIterable {
    case emptyText, leadingZeros, exponent, date, boolean, encoding

    var sentence: String {
      switch self {
      case .emptyText:
        "every empty text (\"\") became an empty field, which is NULL: a spreadsheet cannot tell "
          + "the two apart"
      case .leadingZeros: "leading zeros are gone, as if codes were numbers"
      case .exponent: "long numbers were written with an exponent, which loses their last digits"
      case .date: "dates were rewritten in a local format, or text became a date"
      case .boolean: "words became TRUE and FALSE"
      case .encoding:
        "letters were read in another encoding than UTF-8, or became question marks"
      }
    }
  }

  /// The place of the damage.
  struct Finding {
    var habit: Habit
    var field: Int
    var count = 0
    /// The first three examples.
    var examples: [(row: Int64, old: String, new: String)] = []
  }

  private(set) var findings: [Finding] = []

  mutating func look(_ field: Int, row: Int64, from old: Value, to new: Value) {
    guard let habit = Self.habit(from: old, to: new) else { return }
    let place = findings.firstIndex { $0.habit == habit && $0.field == field }
    if place == nil { findings.append(Finding(habit: habit, field: field)) }
    let index = place ?? findings.count - 1
    findings[index].count += 1
    if findings[index].examples.count < 3 {
      findings[index].examples.append((row, old.display, new.display))
    }
  }

  // MARK: one value

  static func habit(from old: Value, to new: Value) -> Habit? {
    if old == .text(""), new == .null { return .emptyText }
    guard case .text(let new) = new else { return nil }
    let old: String? =
      switch old {
      case .text(let text): text
      case .integer(let number): String(number)
      case .real(let number): number.description
      default: nil
      }
    guard let old, !old.isEmpty, !new.isEmpty else { return nil }
    if hasLostZeros(old, new) { return .leadingZeros }
    if isExponent(new), !isExponent(old), isSameNumber(old, new) { return .exponent }
    if isBoolean(new), !isBoolean(old), ["0", "1", "true", "false"].contains(old.lowercased()) {
      return .boolean
    }
    if isRewrittenDate(old, new) { return .date }
    return isOtherEncoding(old, new) ? .encoding : nil
  }

  private static func hasLostZeros(_ old: String, _ new: String) -> Bool {
    guard old.utf8.first == UInt8(ascii: "0"), old.utf8.allSatisfy(isDigit),
      new.utf8.allSatisfy(isDigit), new.utf8.count < old.utf8.count
    else { return false }
    let rest = old.drop { $0 == "0" }
    return new == (rest.isEmpty ? "0" : rest)
  }

  /// Spreadsheets write large numbers like `1.2E+15`.
  private static func isExponent(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "E"), omittingEmptySubsequences: false)
    guard parts.count == 2, let sign = parts[1].first,
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), parts[1].count > 1
    else { return false }
    let isMantissa = parts[0].allSatisfy {
      isDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "-")
    }
    return isMantissa && !parts[0].isEmpty && parts[1].dropFirst().allSatisfy(isDigit)
  }

  /// Compares as many digits as the shorter one has.
  private static func isSameNumber(_ old: String, _ new: String) -> Bool {
    let dotted = String(new.map { $0 == "," ? "." : $0 })
    guard let first = Double(old), let second = Double(dotted) else { return false }
    return abs(first - second) <= max(abs(first), abs(second)) * 0.1
  }

  private static func isBoolean(_ text: String) -> Bool { text == "TRUE" || text == "FALSE" }

  /// `2021-03-04` that became `04.03.2021`, and `MARCH1` or `1-2` that became `1-Mar`.
  private static func isRewrittenDate(_ old: String, _ new: String) -> Bool {
    guard isLocalDate(new), !isLocalDate(old) else { return false }
    return isISODate(old) || hasMonth(new)
  }

  private static func isISODate(_ text: String) -> Bool {
    let day = Array(text.utf8.prefix(10))
    guard day.count == 10, day[4] == UInt8(ascii: "-"), day[7] == UInt8(ascii: "-") else {
      return false
    }
    return day.enumerated().allSatisfy { $0 == 4 || $0 == 7 || isDigit($1) }
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mai",
    "okt",
    "dez", "mrz", "mär",
  ]

  private static func hasMonth(_ text: String) -> Bool {
    parts(text).contains { months.contains($0.lowercased()) }
  }

  private static func parts(_ text: String) -> [Substring] {
    let day = text.split(separator: " ").first ?? ""
    return day.split { "/.- ".contains($0) }
  }

  /// Two or three short numbers or a month's name, in any country's order.
  private static func isLocalDate(_ text: String) -> Bool {
    if isISODate(text) { return false }
    let parts = parts(text)
    guard (2...3).contains(parts.count), text.utf8.count <= 20 else { return false }
    let numbers = parts.filter { $0.utf8.allSatisfy(isDigit) && [1, 2, 4].contains($0.utf8.count) }
    let hasMonth = hasMonth(text)
    return hasMonth
      ? numbers.count == parts.count - 1
      : parts.count == 3 && numbers.count == 3
  }

  // MARK: encodings

  /// `Łódź` that became `ÅÃ³dÅº`, its bytes read as Windows-1252, or `?ód?`, written in that
  /// encoding.
  private static func isOtherEncoding(_ old: String, _ new: String) -> Bool {
    if old.utf8.allSatisfy({ $0 < 0x80 }) { return false }
    let read = old.utf8.map { windows1252[Int($0)] }
    if isSame(read, Array(new.unicodeScalars), lost: "\u{FFFD}") { return true }
    let written = old.unicodeScalars.map { windows1252.contains($0) ? $0 : "?" }
    let isLossy = !written.elementsEqual(old.unicodeScalars)
    return isLossy && isSame(written, Array(new.unicodeScalars), lost: "?")
  }

  /// - Parameter lost: the character that replaces letters outside the encoding.
  private static func isSame(
    _ one: [Unicode.Scalar], _ other: [Unicode.Scalar], lost: Unicode.Scalar
  ) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { $0 == $1 || $1 == lost }
  }

  /// The letters of its bytes. The five unused ones are control characters.
  private static let windows1252: [Unicode.Scalar] = {
    let special: [Unicode.Scalar] = [
      "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž",
      "\u{8F}", "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}",
      "ž", "Ÿ",
    ]
    return (UInt8.min...UInt8.max).map { byte in
      (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
  }()

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension SpreadsheetGuard {
  /// - Throws: for the first kind of damage in a table's changes.
  static func refuse(_ difference: TableDifference) throws {
    var found = SpreadsheetGuard()
    var sorted = SortedColumns()
    let source = difference.source
    let fields = difference.changedFields.sorted()
    // No spreadsheet writes JSON lines or a database.
    if fields.isEmpty || !source.files.contains(where: \.isCSV) { return }
    let old = try difference.connection.prepare(
      RowSelection(source.fields, of: difference.target).sql)
    let new = try difference.connection.prepare(source.selection)
    for change in difference.updates {
      old.bind(change.key)
      new.bind([.integer(change.row)])
      guard try old.step(), try new.step() else { continue }
      for field in fields where !old.isSame(field, as: new, field) {
        let (before, after) = (old[field], new[field])
        found.look(field, row: change.row, from: before, to: after)
        sorted.look(field, row: change.row, from: before, to: after)
      }
    }
    for finding in found.findings where try finding.isSerious(in: difference) {
      throw try SeedbedError.spreadsheet(finding, source)
    }
    try sorted.refuse(difference)
  }
}

extension SpreadsheetGuard.Finding {
  /// If a text was emptied on purpose, other values of its kind usually stay.
  fileprivate func isSerious(in difference: TableDifference) throws -> Bool {
    guard habit == .emptyText else { return true }
    let left = try difference.connection.value(
      "SELECT 1 FROM \(difference.source.sql) WHERE c\(field) = '' LIMIT 1")
    return left == nil
  }

  /// Whether it cannot be on purpose.
  fileprivate func isRefusedAnyway(in source: SourceTable) -> Bool {
    let field = source.fields[field]
    return habit == .emptyText && field.reference == nil && field.column.isNotNull
      && source.target.mayTakeEmptyText(field.column)
  }
}

extension SeedbedError {
  fileprivate static func spreadsheet(
    _ finding: SpreadsheetGuard.Finding, _ source: SourceTable
  ) throws -> SeedbedError {
    let examples = try finding.examples.map { example in
      "\(try source.keyText(of: example.row)): \(example.old) became \(example.new)"
    }
    let rows = finding.count == 1 ? "1 row" : "\(finding.count) rows"
    return SeedbedError(
      .csv,
      "In the column '\(source.fields[finding.field].header)' \(finding.habit.sentence). This "
        + "looks like the work of a spreadsheet, in \(rows): \(examples.joined(separator: "; ")). "
        + (finding.isRefusedAnyway(in: source)
          ? "The column may not be NULL: give the table the option \"empty\": \"text\", and an "
            + "empty field of it is the empty text."
          : "If it is intended, pass --accept."),
      at: try finding.examples.first.map { try source.place(of: $0.row) })
  }
}
