/// A JSON value, and where in its text it begins.
struct JSON: Sendable, Equatable {
  /// The first line and the first byte of a line are 1.
  struct Position: Sendable, Equatable {
    var line = 1
    var column = 1
  }

  indirect enum Value: Sendable, Equatable {
    case null
    case bool(Bool)
    /// As it is written: nothing is lost to a floating point number.
    case number(String)
    case string(String)
    case array([JSON])
    /// In the order of the text.
    case object([Member])
  }

  struct Member: Sendable, Equatable {
    var key: String
    var position: Position
    var value: JSON
  }

  var value: Value
  var position: Position

  /// The value of a key of an object; nil for other values.
  subscript(key: String) -> JSON? {
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

extension JSON.Member {
  init(key: String, position: JSON.Position, _ value: JSON.Value) {
    self.init(key: key, position: position, value: JSON(value: value, position: position))
  }
}

extension JSON {
  /// One line that says the same.
  var text: String {
    switch value {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let string): string.json
    case .array(let values): "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .object(let members):
      "{"
        + members.map { "\($0.key.json): \($0.value.text)" }.joined(separator: ", ")
        + "}"
    }
  }
}
