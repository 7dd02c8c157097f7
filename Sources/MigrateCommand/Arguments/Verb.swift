/// One verb of the command: what it takes, what its help says and what it does.
struct Verb: Sendable {
  struct Example: Sendable {
    /// Without the name of the program.
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
    /// Whether more of the same may follow.
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
  var options: [OptionSpec] = []
  /// What may follow its name, in this order.
  var operands: [Operand] = []
  /// What else its page lists, each with a title.
  var sections: [(title: String, entries: [(String, String)])] = []
  /// False for `help`, which looks at no database.
  var takesCommonOptions = true
  /// Whether it also works on a database on a server.
  var knowsServers = false
  /// False if it works on the catalog alone, whatever database is named.
  var usesDatabase = true
  /// Whether it tries the catalog on a server if it can.
  var triesServers = false
  let exitCodes: [ExitCode]
  let run: @Sendable (Session) throws -> ExitCode

  var allOptions: [OptionSpec] {
    (takesCommonOptions ? options + CommonOptions.all : options) + HelpOptions.all
  }

  /// What an author does first, then what happens to a database.
  static let groups: [(title: String, verbs: [Verb])] = [
    (
      "Make a release",
      [.make, .new, .show, .lint, .lock, .revert, .export, .snapshot, .build, .bundle]
    ),
    (
      "Bring it to a database",
      [.up, .status, .plan, .rehearse, .conflicts, .resolve, .pin, .unpin, .report, .baseline]
    ),
    ("When things go wrong", [.verify, .backups, .restore, .down, .reseed]),
  ]

  /// All of them, in the order of the help.
  static let all = groups.flatMap(\.verbs) + [help]

  static func named(_ name: String) throws -> Verb {
    if let verb = all.first(where: { $0.name == name }) { return verb }
    throw UsageError.unknownVerb(name)
  }
}
