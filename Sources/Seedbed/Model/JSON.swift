/// A JSON value that keeps the order of its keys.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  /// JSON text, embedded without a change.
  case raw(String)
  case array([JSON])
  case object([(key: String, value: JSON)])

  /// One line, without spaces.
  package var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): String(value)
    case .string(let value): value.json
    case .raw(let json): json
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { $0.key.json + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }
}

extension JSON {
  package static func count(_ count: Int) -> JSON { .number(Int64(count)) }

  /// The text, or null if there is none.
  package static func optional(_ string: String?) -> JSON { string.map { .string($0) } ?? .null }

  package static func optional(_ number: (some BinaryInteger)?) -> JSON {
    number.map { .number(Int64($0)) } ?? .null
  }

  package static func raw(optional json: String?) -> JSON { json.map { .raw($0) } ?? .null }

  /// A document: an object with the version of its format.
  package static func document(_ members: [(key: String, value: JSON)]) -> JSON {
    .object([("schema", .number(1))] + members)
  }
}
