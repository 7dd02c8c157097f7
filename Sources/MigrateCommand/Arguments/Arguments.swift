/// The command line, taken apart by what the verb declares.
struct Arguments: Sendable {
  /// By the option's name.
  private(set) var values: [String: String] = [:]
  private(set) var switches: Set<String> = []
  private(set) var operands: [String] = []
  let environment: [String: String]

  var operand: String? { operands.first }

  /// Whether a switch was given.
  func has(_ option: OptionSpec) -> Bool { switches.contains(option.name) }

  /// The value of an option from the flag, else from the environment, else nil.
  func value<Value>(_ option: CommandOption<Value>) throws -> Value? {
    if let text = values[option.spec.name] {
      return try read(text, as: option, from: "Option '\(option.spec.spelling)'")
    }
    for name in option.spec.environment {
      // An empty variable is one that was switched off.
      guard let text = environment[name], !text.isEmpty else { continue }
      return try read(text, as: option, from: "The variable \(name)")
    }
    return nil
  }

  private func read<Value>(
    _ text: String, as option: CommandOption<Value>, from source: String
  ) throws -> Value {
    if let value = option.read(text) { return value }
    throw UsageError.badValue(
      source, expected: option.expected, found: text, choices: option.spec.choices)
  }
}

extension Arguments {
  /// Finds the verb: the first word that is neither an option nor the value of one, so that
  /// options may also come before it. Nil if there is none.
  static func verb(in words: [String]) throws -> (name: String, position: Int)? {
    var position = 0
    while position < words.count, words[position] != "--" {
      let word = words[position]
      guard isOption(word) else { return (word, position) }
      // Not before: most calls begin with their verb, and each start would gather all options.
      let known = Verb.all.flatMap(\.allOptions)
      let (name, value) = split(word)
      guard let option = known.first(where: { $0.spelling == name }) else {
        throw UsageError.unknownOption(name, known: known)
      }
      position += option.isSwitch || value != nil ? 1 : 2
    }
    return nil
  }

  /// Takes apart what comes after the verb of `words`, and before it.
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
    if let missing, !switches.contains(HelpOptions.help.name) {
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
    if values[option.name] != nil || switches.contains(option.name) {
      throw UsageError.repeated(option)
    }
    if option.isSwitch {
      if attached != nil { throw UsageError.needlessValue(option) }
      switches.insert(option.name)
    } else if let attached {
      values[option.name] = attached
    } else if let value = rest.first, !value.hasPrefix("--") {
      values[option.name] = value
      rest.removeFirst()
    } else if option.isValueOptional {
      switches.insert(option.name)
    } else {
      throw UsageError.missingValue(option)
    }
  }

  private mutating func take(operand word: String, of verb: Verb) throws {
    guard operands.count < verb.operands.count || verb.operands.last?.repeats == true else {
      throw values[Each.pattern.spec.name] == nil
        ? UsageError.extraOperand(word, of: verb) : UsageError.unquotedPattern()
    }
    operands.append(word)
  }

  /// A lone dash is an operand, as everywhere.
  private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

  /// `--flag=value` in its two halves; what does not start with two dashes is never split.
  private static func split(_ word: String) -> (name: String, value: String?) {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }
}
