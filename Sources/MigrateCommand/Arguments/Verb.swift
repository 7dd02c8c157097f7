internal import SeedbedOptions

/// One verb of the command: its options, its help and its action.
struct Verb: Sendable {
  struct Example: Sendable {
    /// The line without the name of the program.
    let line: String
    let purpose: String

    init(_ line: String, _ purpose: String) {
      self.line = line
      self.purpose = purpose
    }
  }

  struct Operand: Sendable {
    let name: String
    let help: String
    var isRequired = false
    /// Whether the operand may be repeated.
    var repeats = false

    /// `TABLE`, `[FILE]`, `[KEY …]`
    var usage: String {
      let text = repeats ? name + " …" : name
      return isRequired ? text : "[\(text)]"
    }
  }

  let name: String
  /// One line for the list of verbs.
  let summary: String
  /// One paragraph for its own page.
  let about: String
  let examples: [Example]
  /// The operands, in this order.
  var operands: [Operand] = []
  /// Further sections of its page, each with a title.
  var sections: [(title: String, entries: [(String, String)])] = []
  /// False for `help`, which uses no database.
  var takesCommonOptions = true
  /// Whether it also works on a database on a server.
  var knowsServers = false
  /// False if it only uses the catalog, whichever database is named.
  var usesDatabase = true
  /// Whether it tries the catalog on a server, if there is one.
  var triesServers = false
  let exitCodes: [ExitCode]
  let run: @Sendable (CommandContext) throws -> ExitCode

  /// Its own.
  var options: [VerbOption] {
    VerbOption.all.filter { $0.verbs != nil && $0.isTaken(by: name, in: .command) }
  }

  var allOptions: [VerbOption] {
    (takesCommonOptions ? options + VerbOption.common : options) + VerbOption.last
  }

  /// The verbs for authors first, then those for databases.
  static let groups: [(title: String, verbs: [Verb])] = [
    (
      "Make a release",
      [
        .make, .new, .show, .lint, .lock, .revert, .export, .suggestions, .snapshot, .build,
        .sign, .bundle,
      ]
    ),
    (
      "Bring it to a database",
      [
        .up, .fill, .status, .plan, .rehearse, .conflicts, .resolve, .pin, .unpin, .report,
        .baseline,
      ]
    ),
    ("When things go wrong", [.verify, .origin, .absent, .backups, .restore, .down, .reseed]),
  ]

  /// All verbs, in the order of the help.
  static let all = groups.flatMap(\.verbs) + [help]

  static func named(_ name: String) throws -> Verb {
    if let verb = all.first(where: { $0.name == name }) { return verb }
    throw UsageError.unknownVerb(name)
  }
}
