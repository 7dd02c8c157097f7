extension OptionsReader {
  private static let ofOwner = ["table", "key", "column"]

  /// Reads `{"table": "organizations", "key": "id", "column": "organization_id"}`. A table whose
  /// rows belong to the owner of their parents has no column.
  func owner(_ member: ParsedJSON.Member) throws -> OwnerOption {
    let example = #"{"table": "organizations", "key": "id", "column": "organization_id"}"#
    var parts: [String: Located<String>] = [:]
    for part in try object(member, "an object like \(example)") {
      if !Self.ofOwner.contains(part.key) { throw unknown(part, Self.ofOwner, near: Self.ofOwner) }
      parts[part.key] = Located(value: try string(part), place: part.value.place)
    }
    guard let table = parts["table"], let key = parts["key"] else {
      throw SeedbedError.catalog(
        "'per' lacks the owners' \(parts["table"] == nil ? "table" : "key"). Write it like "
          + "\(example).", member.value.place)
    }
    return OwnerOption(table: table, key: key, column: parts["column"])
  }
}
