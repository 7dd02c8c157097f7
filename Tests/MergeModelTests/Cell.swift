/// One value as SQLite holds it, for the model alone: it shares nothing with the engine.
enum Cell: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// By type and bytes; two REALs also where 15 significant digits agree.
  func isSame(as other: Cell) -> Bool {
    if case .real(let mine) = self, case .real(let theirs) = other {
      return mine == theirs || Cell.digits(mine) == Cell.digits(theirs)
    }
    if case .text(let mine) = self, case .text(let theirs) = other {
      return mine.utf8.elementsEqual(theirs.utf8)
    }
    return self == other
  }

  private static func digits(_ number: Double) -> String {
    // The random histories hold reals of few digits; named cases try the borders.
    var scaled = number
    var power = 0
    guard scaled != 0, scaled.isFinite else { return "\(number)" }
    while abs(scaled) >= 1e15 {
      scaled /= 10
      power += 1
    }
    while abs(scaled) < 1e14 {
      scaled *= 10
      power -= 1
    }
    return "\(scaled.rounded())e\(power)"
  }

  /// What a column's collation takes for the same: for keys, UNIQUE and foreign keys.
  func folded(ignoringCase: Bool) -> Cell {
    switch self {
    case .text(let text) where ignoringCase:
      // NOCASE folds the 26 letters of ASCII only.
      return .text(
        String(
          decoding: text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self))
    case .real(let number):
      return Int64(exactly: number).map { .integer($0) } ?? self
    default: return self
    }
  }

  var isNull: Bool { self == .null }

  // MARK: as text

  var sql: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text):
      "'"
        + text.split(
          separator: "'", omittingEmptySubsequences: false
        ).joined(separator: "''") + "'"
    case .blob(let bytes): "x'" + bytes.map(Cell.hex).joined() + "'"
    }
  }

  /// As a field; BLOB columns are declared as hex.
  var csv: String {
    switch self {
    case .null: ""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .blob(let bytes): bytes.isEmpty ? "\"\"" : bytes.map(Cell.hex).joined()
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }
}

extension Cell: CustomStringConvertible {
  var description: String { sql }
}

extension Cell: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(stringLiteral value: String) { self = .text(value) }
}
