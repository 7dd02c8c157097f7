import CSeedbedSQLite

/// One value of SQLite's five storage classes.
package enum Value: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Text of a user's row whose bytes are not UTF-8: kept as they are.
  case invalidText([UInt8])
  case blob([UInt8])
}

// No nil literal: an optional Value must never turn into NULL unseen.
extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  package init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
  package init(_ number: Int) { self = .integer(Int64(number)) }

  package var integer: Int64? {
    if case .integer(let number) = self { return number }
    return nil
  }

  package var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  package var isNull: Bool { self == .null }
}
