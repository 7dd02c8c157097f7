/// A JSON value that keeps the order of its keys.
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case number(Int64)
  case string(String)
  /// JSON text, embedded as it is.
  case raw(String)
  case array([JSON])
  case object([(key: String, value: JSON)])

  /// One line, without spaces.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  package func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let value): text += String(value)
    case .string(let value): text.append(json: value)
    case .raw(let json): text += json
    case .array(let values):
      text += "["
      for (position, value) in values.enumerated() {
        if position > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (position, member) in members.enumerated() {
        if position > 0 { text += "," }
        text.append(json: member.key)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }
}

extension JSON {
  /// Null if there is no text.
  package static func optional(_ string: String?) -> JSON { string.map { .string($0) } ?? .null }

  package static func optional(_ number: Int?) -> JSON {
    number.map { .number(Int64($0)) } ?? .null
  }

  package static func raw(optional json: String?) -> JSON { json.map { .raw($0) } ?? .null }

  /// A document: an object that says by which rules it is written.
  package static func document(_ members: [(key: String, value: JSON)]) -> JSON {
    .object([("schema", .number(1))] + members)
  }
}
