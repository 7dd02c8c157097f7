extension Migrator.Row {
  /// Reads a row, or some of its columns, from the ledger's JSON.
  ///
  /// - Parameter place: its place in the ledger, for errors: `conflict 7`.
  package init(logged text: String, _ place: String) throws {
    let json = try JSONParser.parse(Array(text.utf8), file: place)
    guard case .object(let members) = json.value else {
      throw SeedbedError(.corrupt, "The ledger's \(place) is not a JSON object.")
    }
    self.init(members.map(\.key), try members.map { try Self.value($0.value, place) })
  }

  /// NULL if there is no such column.
  func values(of columns: [ColumnSchema]) -> [Value] { columns.map { self[$0.name] ?? .null } }

  /// Whether it is a key with these columns.
  func hasColumns(_ key: [ColumnSchema]) -> Bool {
    columns.count == key.count && key.allSatisfy { columns.contains($0.name) }
  }

  /// Whether it has these columns with these values.
  func has(_ part: Migrator.Row) -> Bool { part.columns.allSatisfy { self[$0] == part[$0] } }

  /// Takes over the values of the columns that both have.
  mutating func take(_ part: Migrator.Row) {
    self = Migrator.Row(columns, zip(columns, values).map { part[$0] ?? $1 })
  }

  private static func value(_ json: ParsedJSON, _ place: String) throws -> Value {
    switch json.value {
    case .null: return .null
    case .string(let text): return .text(text)
    case .number(let text):
      if let integer = Int64(text) { return .integer(integer) }
      if let real = Double(text) { return .real(real) }
    case .object(let members):
      if let blob = bytes(members, "base64") { return .blob(blob) }
      if let text = bytes(members, "text") { return .invalidText(text) }
    case .bool, .array: break
    }
    throw SeedbedError(.corrupt, "The ledger's \(place) holds a value that no column can have.")
  }

  private static func bytes(_ members: [ParsedJSON.Member], _ name: String) -> [UInt8]? {
    guard members.count == 1, members[0].key == name,
      case .string(let text) = members[0].value.value
    else { return nil }
    return [UInt8](base64: text)
  }
}
