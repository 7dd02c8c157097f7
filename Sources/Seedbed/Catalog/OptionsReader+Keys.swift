/// The options about keys and references.
extension OptionsReader {
  /// Half of all ids: the other half is for users.
  static let highestReserve: Int64 = 1 << 62

  func reserve(_ member: ParsedJSON.Member) throws -> Located<Int64> {
    guard case .number(let text) = member.value.value else {
      throw type(member.key, member.value, "a whole number, like 1000000")
    }
    guard let number = Int64(text), (1...Self.highestReserve).contains(number) else {
      throw number(member, text, highest: Self.highestReserve)
    }
    return Located(value: number, place: place(member.value.position))
  }

  /// `{"favourites": ["element"]}`, or a list of such lists.
  func references(_ member: ParsedJSON.Member) throws -> [DeclaredReference] {
    let children = try members(
      member.value, of: member.key, expected: #"an object like {"favourites": ["element"]}"#)
    try checkNames(children.map { ($0.key, $0.position) }, of: member.key)
    return try children.flatMap { child in
      try columnLists(child).map { list in
        let columns = try locatedNames(list, "columns'", #"["element"]"#)
        if columns.isEmpty { throw listEmpty(list) }
        return DeclaredReference(
          child: child.key, columns: columns.map(\.value), place: place(list.position))
      }
    }
  }

  /// `{"destructive": "The table was never released."}`: which codes there are is for lint to say,
  /// since a device may be older than the catalog.
  func allowed(_ member: ParsedJSON.Member) throws -> [AllowedFinding] {
    let codes = try members(
      member.value, of: member.key,
      expected: #"an object like {"destructive": "The table was never released."}"#)
    try checkNames(codes.map { ($0.key, $0.position) }, of: member.key)
    return try codes.map { code in
      let reason = try string(code)
      if !reason.contains(where: \.isLetter) {
        throw error(
          "'allow' has no reason for '\(code.key.shortened(to: 40))'. Give a reason.",
          code.value.position)
      }
      return AllowedFinding(code: code.key, reason: reason, place: place(code.position))
    }
  }

  private func columnLists(_ child: ParsedJSON.Member) throws -> [ParsedJSON.Member] {
    guard case .array(let elements) = child.value.value, case .array? = elements.first?.value
    else { return [child] }
    return elements.map { ParsedJSON.Member(key: child.key, position: $0.position, value: $0) }
  }

  /// Names, each once; `what` says of what, and `example` how that looks.
  func locatedNames(
    _ member: ParsedJSON.Member, _ what: String, _ example: String
  ) throws -> [Located<String>] {
    guard case .array(let elements) = member.value.value else {
      throw type(member.key, member.value, "an array of \(what) names, like \(example)")
    }
    let names = try elements.map { element in
      guard case .string(let name) = element.value else {
        let one = what == "columns'" ? "a column's name" : "a table's name"
        throw type(member.key, element, one, isElement: true)
      }
      return (name, element.position)
    }
    try checkNames(names, of: member.key)
    return names.map { Located(value: $0.0, place: place($0.1)) }
  }
}
