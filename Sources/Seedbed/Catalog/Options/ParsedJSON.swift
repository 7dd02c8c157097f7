/// A JSON value with its place in the text.
package struct ParsedJSON: Sendable, Equatable {
  package indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// The number as it is written, so that no digit is lost.
    case number(String)
    case string(String)
    case array([ParsedJSON])
    /// The members in the order of the text.
    case object([Member])
  }

  package struct Member: Sendable, Equatable {
    package var key: String
    var place: SeedbedError.Place
    package var value: ParsedJSON
  }

  package var value: Value
  package var place: SeedbedError.Place

  /// The value of a key in an object; nil for other values.
  package subscript(key: String) -> ParsedJSON? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key.isSameText(as: key) }?.value
  }

  /// The kind of value, for errors: `a number`.
  package var kind: String {
    switch value {
    case .null: "null"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
