internal import Seedbed
internal import SeedbedOptions

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The options of a call: a JSON object with the command's long options. Those that catalog.json
/// has too may be written as there.
struct CallOptions: OptionValues {
  private var values: [String: OptionValue] = [:]

  static func all(of verb: Call.Verb, in interface: VerbOption.Interfaces) -> [VerbOption] {
    VerbOption.shared.filter { $0.isTaken(by: verb.rawValue, in: interface) }
  }

  /// - Parameter arguments: the options that are not in the JSON.
  init(
    _ json: String?, of verb: Call.Verb, in interface: VerbOption.Interfaces,
    arguments: [(VerbOption, OptionValue)] = []
  ) throws {
    let all = Self.all(of: verb, in: interface)
    for (option, value) in arguments { try take(option, value) }
    if let json, !json.isEmpty {
      try read(json, all.filter { values[$0.name] == nil }, of: verb)
    }
    // A download without a key is never applied, and a key without one may be a forgotten option.
    if try texts(.signedBy) != nil || texts(.downloaded) != nil || has(.allowSQL)
      || !known().isEmpty
    {
      _ = try required(.signedBy, texts, "the public keys that may sign the downloads")
      _ = try required(.downloaded, texts, "the paths of the downloads, or [] for none")
    }
  }

  private mutating func read(_ json: String, _ options: [VerbOption], of verb: Call.Verb) throws {
    guard case .object(let members) = try Self.parse(json, as: "options").value else {
      throw SeedbedError(
        .usage, #"The options are not a JSON object. Write one, such as {"to": 3}."#)
    }
    for member in members {
      let name = Self.kebab(member.key)
      guard let option = options.first(where: { $0.name == name }) else {
        let names = options.map(\.name)
        throw SeedbedError(
          .usage,
          "'\(member.key.shortened(to: 40))' is not an option of '\(verb.rawValue)'."
            + Nearest.question(
              about: name, among: names, or: " Options are \(names.joined(separator: ", "))."))
      }
      try take(option, OptionValue(name: member.key, value: member.value.value))
    }
  }

  private mutating func take(_ option: VerbOption, _ value: OptionValue) throws {
    try value.check(option.kind)
    values[option.name] = value
  }

  /// The system takes only shorter paths, in bytes.
  static let pathLimit = Int(PATH_MAX)

  /// More than anyone means to write.
  static let sizeLimit = 1 << 20

  static func parse(_ text: String, as name: String) throws -> ParsedJSON {
    guard text.utf8.count <= sizeLimit else {
      throw SeedbedError(.usage, "The JSON of \(name) is longer than a megabyte. Write less.")
    }
    do {
      return try JSONParser.parse(Array(text.utf8), file: name)
    } catch {
      let error = SeedbedError.from(error)
      throw SeedbedError(.usage, error.message, at: error.place)
    }
  }

  /// `onEdited` is `on-edited`, and `allowSQL` is `allow-sql`.
  private static func kebab(_ name: String) -> String {
    var (text, isInCapitals) = ("", false)
    for letter in name {
      let isCapital = letter.isASCII && letter.isUppercase
      if isCapital && !isInCapitals { text += "-" }
      text += isCapital ? letter.lowercased() : String(letter)
      isInCapitals = isCapital
    }
    return text
  }

  // MARK: the values, which were checked

  func has(_ option: VerbOption) throws -> Bool {
    try values[option.name]?.bool() ?? false
  }

  func text(_ option: VerbOption) throws -> String? { try texts(option)?.first }

  /// Paths are absolute.
  func texts(_ option: VerbOption) throws -> [String]? {
    try values[option.name]?.several { value in
      try option.kind.value == .path ? value.path() : value.text()
    }
  }

  func number<Number: FixedWidthInteger>(_ option: VerbOption) throws -> Number? {
    let numbers: [Number]? = try numbers(option)
    return numbers?.first
  }

  func numbers<Number: FixedWidthInteger>(_ option: VerbOption) throws -> [Number]? {
    try values[option.name]?.several { Number(clamping: try $0.integer(from: 0)) }
  }

  func seconds(_ option: VerbOption) throws -> Double? { try values[option.name]?.seconds() }

  func choice<Choice: RawRepresentable<String>>(_ option: VerbOption) throws -> Choice? {
    try values[option.name].flatMap { Choice(rawValue: try $0.text()) }
  }

  /// For each key, the version below which nothing is news.
  func known() throws -> [String: Migrator.Version] {
    try values[VerbOption.known.name]?.versions() ?? [:]
  }

  func key(_ option: VerbOption) throws -> Migrator.Row? { try values[option.name]?.key() }

  /// What a verb cannot do without.
  ///
  /// - Parameter what: to give, if the option's help does not say it.
  func required<Value>(
    _ option: VerbOption, _ read: (VerbOption) throws -> Value?, _ what: String? = nil
  ) throws -> Value {
    if let value = try read(option) { return value }
    throw SeedbedError(
      .usage, "The option '\(option.name)' is missing. Give \(what ?? option.help).")
  }
}

/// The value of one option.
struct OptionValue {
  let name: String
  let value: ParsedJSON.Value

  /// Throws unless it is a value of this kind.
  func check(_ kind: VerbOption.Kind) throws {
    switch kind.count {
    case .one, .oneOrNone: try checkOne(kind)
    case .several, .severalOrNone:
      // No public key at all would pass every download over.
      if try several({ try $0.checkOne(kind) }).isEmpty, kind.count == .several {
        throw expected("one value, or an array of at least one")
      }
    }
  }

  private func checkOne(_ kind: VerbOption.Kind) throws {
    switch kind.value {
    case .flag: _ = try bool()
    case .text: _ = try text()
    case .path: _ = try path()
    case .number: _ = try integer(from: kind.least)
    case .seconds: _ = try seconds()
    case .choice: try choose(among: kind.choices)
    case .versions: _ = try versions()
    case .key: _ = try key()
    }
  }

  func text() throws -> String {
    guard case .string(let text) = value, !text.utf8.contains(0) else {
      throw expected("a string")
    }
    return text
  }

  /// An absolute path, from the working folder of the process.
  func path() throws -> String {
    let text = try text()
    guard !text.isEmpty, text.utf8.count < CallOptions.pathLimit else {
      throw expected("a path of at most \(CallOptions.pathLimit - 1) bytes")
    }
    return Paths.absolute(text)
  }

  func bool() throws -> Bool {
    guard case .bool(let value) = value else { throw expected("true or false") }
    return value
  }

  func integer(from least: Int64) throws -> Int64 {
    guard case .number(let text) = value, let number = Int64(text), number >= least else {
      throw expected("a whole number, \(least) or more")
    }
    return number
  }

  func seconds() throws -> Double {
    guard case .number(let text) = value, let number = Double(text), number >= 0 else {
      throw expected("a number of seconds, 0 or more")
    }
    return number
  }

  /// One value, or an array of them.
  func several<Element>(_ read: (OptionValue) throws -> Element) throws -> [Element] {
    guard case .array(let elements) = value else { return [try read(self)] }
    return try elements.map { try read(OptionValue(name: name, value: $0.value)) }
  }

  /// An object with a version for each key.
  func versions() throws -> [String: Migrator.Version] {
    guard case .object(let members) = value else {
      throw expected("an object with a version for each key")
    }
    return try members.reduce(into: [:]) { versions, member in
      versions[member.key] =
        try OptionValue(name: name, value: member.value.value).integer(from: 0)
    }
  }

  private func choose(among words: [String]) throws {
    let list = "one of " + words.joined(separator: ", ")
    guard case .string(let text) = value else { throw expected(list) }
    guard words.contains(text) else {
      throw SeedbedError(
        .usage,
        "'\(text.shortened(to: 40))' is not a value of '\(name.shortened(to: 40))'."
          + Nearest.question(about: text, among: words, or: " Use \(list)."))
    }
  }

  /// A value, an array of the key's values, or an object of its columns.
  func key() throws -> Migrator.Row {
    switch value {
    case .array(let elements): Migrator.Row(positional: try elements.map { try scalar($0.value) })
    case .object(let members):
      Migrator.Row(members.map(\.key), try members.map { try scalar($0.value.value) })
    default: Migrator.Row(positional: [try scalar(value)])
    }
  }

  private func scalar(_ value: ParsedJSON.Value) throws -> Migrator.Value {
    switch value {
    case .null: .null
    case .bool(let value): .integer(value ? 1 : 0)
    case .string(let text): .text(text)
    case .number(let text):
      if let number = Int64(text) { .integer(number) } else { .real(Double(text) ?? 0) }
    case .array, .object: throw expected("a value, an array of values, or an object of columns")
    }
  }

  private func expected(_ what: String) -> SeedbedError {
    SeedbedError(.usage, "'\(name.shortened(to: 40))' is not \(what).")
  }
}
