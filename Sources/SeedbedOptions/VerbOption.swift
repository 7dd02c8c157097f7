/// An option of a verb, declared once: parsers, help, completions and pages of the command, of C,
/// of SQL and of Python read it here, or are printed from it.
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
    option.isRequired = true
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

  /// The type of the value. The first text names it in the command's help, and `is` finishes the
  /// sentence "The option takes …".
  package indirect enum Kind: Sendable {
    case flag
    case text(String, is: String)
    case path(String, is: String = "a path", variables: [String] = [])
    case number(String, from: Int64 = 0)
    case seconds
    case choice(String, [String])
    /// A version for each public key.
    case versions
    /// The values of a row's key.
    case key
    /// The value may be left out.
    case optional(Kind)
    /// The command takes it several times, and a call takes an array, too.
    case several(Kind, orNone: Bool = false)

    /// The kind of each value.
    package var one: Kind {
      switch self {
      case .optional(let kind), .several(let kind, _): kind
      default: self
      }
    }

    package static func choice<Choice: RawRepresentable<String> & CaseIterable>(
      _ placeholder: String, of type: Choice.Type
    ) -> Kind {
      .choice(placeholder, Choice.allCases.map(\.rawValue))
    }
  }
}

/// The verbs of all interfaces.
package enum VerbName: String, CaseIterable, Sendable {
  case make, new, show, lint, lock, revert, export, suggestions, snapshot, build, sign, bundle
  case up, status, outlook, plan, rehearse, conflicts, resolve, pin, unpin, report, baseline
  case verify, origin, backups, restore, down, reseed, help
}
