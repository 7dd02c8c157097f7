internal import SeedbedOptions

/// The command line, parsed by the declarations of the verb.
struct Arguments: Sendable {
  /// The values by the options' names. Few options may have several.
  private(set) var allValues: [String: [String]] = [:]
  private(set) var switches: Set<String> = []
  private(set) var operands: [String] = []
  let environment: [String: String]

  var operand: String? { operands.first }

  /// Whether a switch was given.
  func has(_ option: VerbOption) -> Bool { switches.contains(option.name) }

  /// Whether an option was given, with a value or without.
  func names(_ option: VerbOption) -> Bool { has(option) || allValues[option.name] != nil }

  /// The value of an option from the flag, otherwise from the environment; nil if neither has it.
  ///
  /// - Parameter read: nil if the text is not a valid value.
  func value<Value>(_ option: VerbOption, _ read: (String) -> Value?) throws -> Value? {
    func value(_ text: String, _ source: String) throws -> Value {
      if let value = read(text) { return value }
      throw UsageError.badValue(
        source, expected: option.kind.expected, found: text, choices: option.kind.choices)
    }
    if let text = values[option.name] { return try value(text, "Option '\(option.spelling)'") }
    for name in option.kind.variables {
      // An empty variable counts as not set.
      guard let text = environment[name], !text.isEmpty else { continue }
      return try value(text, "The variable \(name)")
    }
    return nil
  }

  /// The last value of each option.
  var values: [String: String] { allValues.compactMapValues(\.last) }

  /// The values of an option that may be repeated.
  func texts(_ option: VerbOption) -> [String] { allValues[option.name] ?? [] }
}

extension Arguments: OptionValues {
  func text(_ option: VerbOption) throws -> String? {
    try value(option) { $0.isEmpty ? nil : $0 }
  }

  func number<Number: FixedWidthInteger>(_ option: VerbOption) throws -> Number? {
    try value(option) { text in
      Number(digits: text).flatMap { $0 >= option.kind.least ? $0 : nil }
    }
  }

  func seconds(_ option: VerbOption) throws -> Double? {
    try value(option) { text in
      // `Double` would also accept `nan`, `1e3` and `0x10`.
      let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
      return isPlain ? Double(text) : nil
    }
  }

  func choice<Choice: RawRepresentable<String>>(_ option: VerbOption) throws -> Choice? {
    try value(option) { Choice(rawValue: $0) }
  }
}

extension FixedWidthInteger {
  /// Digits only: a sign is refused, and leading zeros are ignored, as in the names of migrations.
  init?(digits text: String) {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}

extension Arguments {
  /// Finds the verb: the first word that is neither an option nor an option's value, so that
  /// options may also come before it. nil if there is none.
  static func verb(in words: [String]) throws -> (name: String, position: Int)? {
    var position = 0
    while position < words.count, words[position] != "--" {
      let word = words[position]
      guard isOption(word) else { return (word, position) }
      // Not earlier: most calls begin with their verb, and gathering all options takes time.
      let known = Verb.all.flatMap(\.allOptions)
      let (name, value) = split(word)
      guard let option = known.first(where: { $0.spelling == name }) else {
        throw UsageError.unknownOption(name, known: known)
      }
      position += option.isSwitch || value != nil ? 1 : 2
    }
    return nil
  }

  /// Parses the words after the verb of `words`, and those before it.
  init(_ words: [String], for verb: Verb, environment: [String: String]) throws {
    self.environment = environment
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        for operand in rest { try take(operand: operand, of: verb) }
        break
      }
      if Self.isOption(word) {
        try take(option: word, &rest, of: verb)
      } else {
        try take(operand: word, of: verb)
      }
    }
    let missing = verb.operands.dropFirst(operands.count).first { $0.isRequired }
    if let missing, !has(.helpOption) {
      throw UsageError.missingOperand(missing, of: verb)
    }
  }

  private mutating func take(
    option word: String, _ rest: inout ArraySlice<String>, of verb: Verb
  ) throws {
    let (name, attached) = Self.split(word)
    guard let option = verb.allOptions.first(where: { $0.spelling == name }) else {
      throw UsageError.unknownOption(name, for: verb)
    }
    if !option.isRepeatable, values[option.name] != nil || switches.contains(option.name) {
      throw UsageError.repeated(option)
    }
    if option.isSwitch {
      if attached != nil { throw UsageError.needlessValue(option) }
      switches.insert(option.name)
    } else if let attached {
      allValues[option.name, default: []].append(attached)
    } else if let value = rest.first, !value.hasPrefix("--") {
      allValues[option.name, default: []].append(value)
      rest.removeFirst()
    } else if option.isValueOptional {
      switches.insert(option.name)
    } else {
      throw UsageError.missingValue(option)
    }
  }

  private mutating func take(operand word: String, of verb: Verb) throws {
    guard operands.count < verb.operands.count || verb.operands.last?.repeats == true else {
      throw names(.each)
        ? UsageError.unquotedPattern() : UsageError.extraOperand(word, of: verb)
    }
    operands.append(word)
  }

  /// A lone dash is an operand, as in other programs.
  private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

  /// Splits `--flag=value`. A word that does not begin with two dashes is never split.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
