extension Migrator {
  /// One value of SQLite's five storage classes.
  public enum Value: Sendable, Hashable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating point number.
    case real(Double)
    /// A text.
    case text(String)
    /// A text whose bytes are not UTF-8, kept as they are.
    case invalidText([UInt8])
    /// Bytes.
    case blob([UInt8])
  }

  /// A key, or some columns of a row, in their order.
  public struct Row: Sendable, Hashable {
    /// The columns' names.
    public let columns: [String]
    /// Their values.
    public let values: [Migrator.Value]

    package init(_ columns: [String], _ values: [Value]) {
      self.columns = columns
      self.values = values
    }

    /// A key without names: its values are in the order of the table's key.
    package init(positional values: [Value]) { self.init([], values) }

    var isPositional: Bool { columns.isEmpty }

    /// The value of a column; nil if the row does not have it.
    public subscript(column: String) -> Migrator.Value? {
      columns.firstIndex { $0.isSameName(as: column) }.map { values[$0] }
    }

    /// A JSON object that is exact, and the same text for the same values.
    @inline(never) package var json: String {
      // Written in Swift, since SQLite's `json_object` stops at 63 pairs.
      let members = zip(columns, values).map { $0.json + ":" + $1.json }
      return "{" + members.joined(separator: ",") + "}"
    }
  }
}

/// Values of rows keep this type from SQLite to the app.
package typealias Value = Migrator.Value

extension Migrator.Value {
  /// Whether two values have the same bytes. Two spellings of a text that Unicode treats as the
  /// same are two values.
  public static func == (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.invalidText(let one), .invalidText(let other)), (.blob(let one), .blob(let other)):
      one == other
    default: false
    }
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .invalidText(let bytes), .blob(let bytes): hasher.combine(bytes)
    }
  }
}

extension Migrator.Row {
  /// Whether two rows have the same values under the same names, as SQLite compares names.
  public static func == (one: Self, other: Self) -> Bool {
    one.columns.hasSameNames(as: other.columns) && one.values == other.values
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    for column in columns { hasher.combine(Name(column)) }
    hasher.combine(values)
  }
}

// No nil literal: an optional Value must never become NULL unnoticed.
extension Migrator.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral {
  /// A text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// A whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Migrator.Row: ExpressibleByDictionaryLiteral {
  /// A key: `["number": 113]`.
  public init(dictionaryLiteral values: (String, Migrator.Value)...) {
    self.init(values.map(\.0), values.map(\.1))
  }
}

extension Migrator.Value: CustomStringConvertible {
  /// The value for a person: a text as it is, `NULL`, `3 bytes`.
  public var description: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): String(number)
    case .real(let number): String(number)
    case .text(let text): text
    case .invalidText(let bytes): String(decoding: bytes, as: UTF8.self)
    case .blob(let bytes): bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    }
  }
}

extension Value {
  package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
  init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
  init(_ number: Int) { self = .integer(Int64(number)) }

  package var integer: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }

  package var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  package var isNull: Bool { self == .null }

  /// The value in JSON.
  package var json: String {
    switch self {
    case .null: "null"
    case .integer(let number): String(number)
    // JSON has no infinity; a literal out of range reads back as one.
    case .real(let number): number.isFinite ? "\(number)" : number < 0 ? "-9e999" : "9e999"
    case .text(let text): text.json
    case .invalidText(let bytes): "{\"text\":\"\(String.base64(bytes))\"}"
    case .blob(let bytes): "{\"base64\":\"\(String.base64(bytes))\"}"
    }
  }
}
