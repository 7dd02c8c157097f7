internal import SeedbedOptions

// What the command makes of the declaration of an option.

extension VerbOption {
  var spelling: String { "--" + name }
  var isSwitch: Bool { placeholder == nil }

  /// The name of the value in the help; nil for a switch, which takes none.
  var placeholder: String? {
    switch kind.one {
    case .text(let word, _), .path(let word, _, _), .number(let word, _), .choice(let word, _):
      word
    case .seconds: "SECONDS"
    case .flag, .versions, .key, .optional, .several: nil
    }
  }

  /// Finishes the sentence "Option '--keep' takes …".
  var expected: String {
    switch kind.one {
    case .text(_, let words), .path(_, let words, _): words
    case .number(_, let least): "a whole number from \(least)"
    case .seconds: "a number of seconds from 0"
    case .choice(_, let words): list(words, "or")
    case .flag, .versions, .key, .optional, .several: "no value"
    }
  }

  /// The variables to read, in order, if the option is not given.
  var variables: [String] {
    if case .path(_, _, let variables) = kind.one { variables } else { [] }
  }

  /// All valid values, if they can be listed.
  var choices: [String] { if case .choice(_, let words) = kind.one { words } else { [] } }

  /// Whether a shell completes its value with names of files.
  var isPath: Bool { if case .path = kind.one { true } else { false } }

  var isValueOptional: Bool { if case .optional = kind { true } else { false } }

  var isRepeatable: Bool { if case .several = kind { true } else { false } }
}
