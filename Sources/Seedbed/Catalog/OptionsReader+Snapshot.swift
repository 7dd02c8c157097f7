/// What `migrate snapshot` records about the migrations that a snapshot replaces.
extension OptionsReader {
  private static let ofMark = [
    "chain", "creates", "fills", "columns", "withdrawn", EngineName.postgresql.rawValue,
  ]

  func snapshotMark(_ member: ParsedJSON.Member) throws -> SnapshotMark {
    let expected = #"an object like {"chain": "sha256:…", "creates": ["elements"]}"#
    var mark = SnapshotMark(chain: "", creates: [])
    for part in try members(member.value, of: member.key, expected: expected) {
      switch part.key {
      case "chain": mark.chain = try string(part)
      case "creates": mark.creates = try tables(part)
      case "fills": mark.fills = try tables(part)
      case "columns":
        let found = try members(
          part.value, of: part.key, expected: #"an object like {"elements": ["number"]}"#)
        try checkNames(found.map { ($0.key, $0.position) }, of: part.key)
        for table in found {
          mark.columns[table.key] = try locatedNames(table, "columns'", #"["number"]"#)
            .map(\.value)
        }
      case "withdrawn": mark.withdrawn = try versions(part)
      case EngineName.postgresql.rawValue: mark.other = try otherMark(part)
      default: throw unknown(part, known: Self.ofMark, near: Self.ofMark)
      }
    }
    return mark
  }

  private func otherMark(_ member: ParsedJSON.Member) throws -> SnapshotMark.OtherMark {
    let expected = #"an object like {"chain": "sha256:…", "creates": ["elements"]}"#
    let known = ["chain", "creates"]
    var mark = SnapshotMark.OtherMark(chain: "", creates: [])
    for part in try members(member.value, of: member.key, expected: expected) {
      switch part.key {
      case "chain": mark.chain = try string(part)
      case "creates": mark.creates = try tables(part)
      default: throw unknown(part, known: known, near: known)
      }
    }
    return mark
  }

  private func tables(_ member: ParsedJSON.Member) throws -> [String] {
    try locatedNames(member, "tables'", #"["elements"]"#).map(\.value)
  }

  private func versions(_ member: ParsedJSON.Member) throws -> [Version] {
    let expected = "an array of versions, like [12]"
    guard case .array(let elements) = member.value.value else {
      throw type(member.key, member.value, expected)
    }
    return try elements.map { element in
      guard case .number(let text) = element.value, let version = Version(text) else {
        throw type(member.key, element, "a version, like 12", isElement: true)
      }
      return version
    }
  }
}
