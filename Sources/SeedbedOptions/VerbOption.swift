/// An option of a verb, declared once: parsers, help, completions and pages of the command, of C,
/// of SQL and of Python read it, or are printed from it. `SharedOptions` has those of several
/// interfaces; the command's own are in its `DatabaseOptions` and `AuthorOptions`.
package struct VerbOption: Sendable {
  /// Without dashes: `on-edited`.
  package let name: String
  package let kind: Kind
  /// nil for every verb.
  package let verbs: [VerbName]?
  /// One sentence without a full stop.
  package let help: String
  /// The default as the help shows it.
  package let defaultText: String?
  package let interfaces: Interfaces
  package private(set) var isRequired = false
  /// Whether SQL takes it as an argument of its own, before the options.
  package private(set) var isArgument = false

  package init(
    _ name: String, _ kind: Kind, of verbs: [VerbName]? = nil, _ help: String,
    default text: String? = nil, in interfaces: Interfaces = .command
  ) {
    (self.name, self.kind, self.verbs, self.help) = (name, kind, verbs, help)
    (defaultText, self.interfaces) = (text, interfaces)
  }

  /// The same option, without which the verb cannot do.
  package var required: VerbOption {
    var option = self
    (option.isRequired, option.isArgument) = (true, true)
    return option
  }

  package var argument: VerbOption {
    var option = self
    option.isArgument = true
    return option
  }

  package func isTaken(by verb: String, in interfaces: Interfaces) -> Bool {
    self.interfaces.isSuperset(of: interfaces)
      && verbs?.contains { $0.rawValue == verb } ?? true
  }

  /// The ways to call a verb.
  package struct Interfaces: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let command = Interfaces(rawValue: 1)
    /// The functions of seedbed.h, and Python, which calls them.
    package static let c = Interfaces(rawValue: 2)
    package static let sql = Interfaces(rawValue: 4)
    package static let calls: Interfaces = [.c, .sql]
    package static let all: Interfaces = [.command, .calls]
  }

  /// What an option takes. (An enum with payloads would tag pointers, which leak checkers of hosts
  /// take for lost ones.)
  package struct Kind: Sendable {
    package enum Value: Sendable { case flag, text, path, number, seconds, choice, versions, key }
    package enum Count: Sendable { case one, oneOrNone, several, severalOrNone }

    package let value: Value
    /// The name of the value in the command's help; nil for a switch, which takes none.
    package var placeholder: String?
    /// Finishes the sentence "Option '--keep' takes …".
    package var expected = ""
    package var least: Int64 = 0
    /// All valid values, if they can be listed.
    package var choices: [String] = []
    /// The variables to read, in order, if the option is not given.
    package var variables: [String] = []
    package var count = Count.one

    package static let flag = Kind(value: .flag)
    package static let seconds = Kind(
      value: .seconds, placeholder: "SECONDS", expected: "a number of seconds from 0")
    /// A version for each public key.
    package static let versions = Kind(value: .versions)
    /// The values of a row's key.
    package static let key = Kind(value: .key)

    package static func text(_ placeholder: String, is expected: String) -> Kind {
      Kind(value: .text, placeholder: placeholder, expected: expected)
    }

    package static func path(
      _ placeholder: String, is expected: String = "a path", variables: [String] = []
    ) -> Kind {
      Kind(value: .path, placeholder: placeholder, expected: expected, variables: variables)
    }

    package static func number(_ placeholder: String, from least: Int64 = 0) -> Kind {
      Kind(
        value: .number, placeholder: placeholder, expected: "a whole number from \(least)",
        least: least)
    }

    package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
      _ placeholder: String, of type: Choice.Type
    ) -> Kind {
      let words = Choice.allCases.map(\.rawValue)
      return Kind(
        value: .choice, placeholder: placeholder,
        expected: words.dropLast().joined(separator: ", ") + (words.last.map { " or " + $0 } ?? ""),
        choices: words)
    }

    /// The same, once if nothing else is said.
    package func given(_ count: Count) -> Kind {
      var kind = self
      kind.count = count
      return kind
    }
  }
}

/// The verbs of all interfaces.
package enum VerbName: String, CaseIterable, Sendable {
  case make, new, show, lint, lock, revert, export, suggestions, snapshot, build, sign, bundle
  case up, status, outlook, plan, rehearse, conflicts, resolve, pin, unpin, report, baseline
  case verify, origin, absent, backups, restore, down, reseed, fill, help
}
