/// A JSON value, and where in its text it begins.
package struct ParsedJSON: Sendable, Equatable {
  package indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As it is written: nothing is lost to a floating point number.
    case number(String)
    case string(String)
    case array([ParsedJSON])
    /// In the order of the text.
    case object([Member])
  }

  package struct Member: Sendable, Equatable {
    package var key: String
    var place: SeedbedError.Place
    package var value: ParsedJSON
  }

  package var value: Value
  package var place: SeedbedError.Place

  /// The value of a key of an object; nil for other values.
  package subscript(key: String) -> ParsedJSON? {
    guard case .object(let members) = value else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// What it is, as errors say it: `a number`.
  var kind: String {
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
