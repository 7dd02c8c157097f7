// The kinds of values in options, and the errors for other values.

extension OptionsReader {
  func object(_ member: ParsedJSON.Member, _ expected: String) throws -> [ParsedJSON.Member] {
    guard case .object(let members) = member.value.value else { throw type(member, expected) }
    return members
  }

  /// The members of an object whose keys are names of tables, columns or codes.
  func namedMembers(_ member: ParsedJSON.Member, _ expected: String) throws -> [ParsedJSON.Member] {
    let members = try object(member, expected)
    try checkNames(members.map { Located(value: $0.key, place: $0.place) }, of: member.key)
    return members
  }

  func array(_ member: ParsedJSON.Member, _ expected: String) throws -> [ParsedJSON] {
    guard case .array(let elements) = member.value.value else { throw type(member, expected) }
    return elements
  }

  func string(_ member: ParsedJSON.Member) throws -> String {
    guard case .string(let text) = member.value.value else { throw type(member, "a string") }
    return text
  }

  func bool(_ member: ParsedJSON.Member) throws -> Bool {
    guard case .bool(let value) = member.value.value else { throw type(member, "true or false") }
    return value
  }

  /// One of the words of the type.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ member: ParsedJSON.Member, among all: [Choice] = Array(Choice.allCases)
  ) throws -> Choice {
    all[try place(member, among: all.map(\.rawValue))]
  }

  /// A choice for each column that the object names.
  func choices<Choice: RawRepresentable<String> & CaseIterable>(
    _ member: ParsedJSON.Member, _ expected: String
  ) throws -> [ColumnOption<Choice>] {
    try namedMembers(member, expected).map {
      ColumnOption(column: $0.key, value: try choice($0), place: $0.place)
    }
  }

  private func place(_ member: ParsedJSON.Member, among known: [String]) throws -> Int {
    guard case .string(let text) = member.value.value else {
      throw type(member, "one of " + known.map { "\"\($0)\"" }.inWords)
    }
    if let place = known.firstIndex(of: text) { return place }
    let words = " Use \(known.joined(separator: " or "))."
    throw value(member, text, Nearest.question(about: text, among: known, or: words))
  }

  /// The names of columns or tables, each once.
  func names(
    _ member: ParsedJSON.Member, of kind: String = "column", like example: String = #"["number"]"#
  ) throws -> [Located<String>] {
    let names = try array(member, "an array of \(kind)s' names, like \(example)").map { element in
      guard case .string(let name) = element.value else {
        throw type(member, "a \(kind)'s name", element)
      }
      return Located(value: name, place: element.place)
    }
    try checkNames(names, of: member.key)
    return names
  }

  /// Throws if a name is empty or occurs twice by SQLite's rule.
  private func checkNames(_ names: [Located<String>], of key: String) throws {
    var seen: Set<Name> = []
    for name in names {
      if name.value.isEmpty {
        throw SeedbedError.catalog(
          "'\(key)' holds an empty name. Write the name as the schema has it.", name.place)
      }
      if !seen.insert(name.value) {
        throw SeedbedError.catalog(
          "'\(key)' holds '\(name.value.shortened(to: 40))' twice; names that differ only in case "
            + "are the same. Keep one of them.", name.place)
      }
    }
  }

  // MARK: errors

  func unknown(_ member: ParsedJSON.Member, _ known: [String], near: [String]) -> SeedbedError {
    let options = " Options here are \(known.inWords)."
    let advice = Nearest.question(about: member.key, among: near, or: options)
    return SeedbedError.catalog(
      "'\(member.key.shortened(to: 40))' is not an option.\(advice)", member.place)
  }

  /// The error for a value of another type than expected: the member's value, or one element of it.
  func type(
    _ member: ParsedJSON.Member, _ expected: String, _ element: ParsedJSON? = nil
  ) -> SeedbedError {
    let found = element ?? member.value
    let subject = (element == nil ? "" : "An element of ") + "'\(member.key.shortened(to: 40))'"
    return SeedbedError.catalog("\(subject) is \(found.kind), expected \(expected).", found.place)
  }

  func value(_ member: ParsedJSON.Member, _ found: String, _ advice: String) -> SeedbedError {
    let (found, key) = (found.shortened(to: 40), member.key.shortened(to: 40))
    return SeedbedError.catalog(
      "'\(found)' is not a value of '\(key)'.\(advice)", member.value.place)
  }
}
