import Seedbed

extension ParsedJSON {
  /// The value on one line.
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
