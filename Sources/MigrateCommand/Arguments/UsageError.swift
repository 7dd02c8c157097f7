internal import Seedbed
internal import SeedbedOptions

/// The messages about wrong command lines.
enum UsageError {
  static func noVerb() -> SeedbedError {
    SeedbedError(.usage, "A verb is missing, such as 'up' or 'status'.")
  }

  static func unknownVerb(_ name: String) -> SeedbedError {
    let nearest = Nearest.known(to: name, among: Verb.all.map(\.name))
    return SeedbedError(.usage, "Unknown verb '\(name)'." + didYouMean(nearest))
  }

  static func unknownOption(_ name: String, known: [VerbOption]) -> SeedbedError {
    let nearest = Nearest.known(to: name, among: known.map(\.spelling))
    return SeedbedError(.usage, "Unknown option '\(name)'." + didYouMean(nearest))
  }

  /// An option of another verb is not misspelt, but in the wrong place.
  static func unknownOption(_ name: String, for verb: Verb) -> SeedbedError {
    let others = Verb.all.filter { $0.options.contains { $0.spelling == name } }.map(\.name)
    if trials.contains(name), let instead = insteadOfTrial(of: verb) {
      return SeedbedError(.usage, "'\(verb.name)' has no option '\(name)'. \(instead)")
    }
    if others.isEmpty { return unknownOption(name, known: verb.allOptions) }
    let owners = list(others.map { "'\($0)'" }, "and")
    return SeedbedError(
      .usage, "'\(verb.name)' has no option '\(name)': it belongs to \(owners).")
  }

  /// The names in other programs of an option that only shows what would be done.
  private static let trials: Set = ["--dry-run", "--dryrun", "--pretend", "--simulate"]

  private static func insteadOfTrial(of verb: Verb) -> String? {
    switch verb.name {
    case Verb.up.name: "'plan' says what 'up' would do, and changes nothing."
    case Verb.make.name, Verb.lock.name, Verb.baseline.name:
      "'--check' says what '\(verb.name)' would do, and changes nothing."
    default: nil
    }
  }

  /// - Parameter what: the verb with what makes it one for authors.
  static func noDownloads(_ verb: Verb, _ what: String = "") -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(verb.name)\(what)' uses the catalog as its folder has it, and no downloads. Leave out "
        + "'\(VerbOption.downloaded.spelling)'.")
  }

  static func onlyForFiles(_ verb: Verb) -> SeedbedError {
    if verb.name == Verb.restore.name {
      return SeedbedError(
        .usage,
        "Seedbed makes no backups of databases on servers, so 'restore' has none. Restore what "
          + "your backup command made with the server's own tools, such as pg_restore or psql; "
          + "'backups' lists the commands that ran.")
    }
    return SeedbedError(
      .usage,
      "'\(verb.name)' works on SQLite databases only; to try a release for a server, run 'up' on a "
        + "copy of its database, made with 'createdb --template' or with pg_dump and pg_restore.")
  }

  static func repeated(_ option: VerbOption) -> SeedbedError {
    SeedbedError(.usage, "Option '\(option.spelling)' is given twice. Once is enough.")
  }

  static func needlessValue(_ option: VerbOption) -> SeedbedError {
    SeedbedError(.usage, "Option '\(option.spelling)' takes no value.")
  }

  static func missingValue(_ option: VerbOption) -> SeedbedError {
    let example = "\(option.spelling) \(option.placeholder ?? "")"
    return SeedbedError(.usage, "Option '\(option.spelling)' needs a value: '\(example)'.")
  }

  static func missingOption(_ option: VerbOption, of verb: Verb, _ remedy: String) -> SeedbedError {
    let example = "\(option.spelling) \(option.placeholder ?? "")"
    return SeedbedError(.usage, "'\(verb.name)' needs '\(example)'. \(remedy)")
  }

  static func badValue(
    _ source: String, expected: String, found: String, choices: [String]
  ) -> SeedbedError {
    let nearest = didYouMean(Nearest.known(to: found, among: choices))
    return SeedbedError(.usage, "\(source) takes \(expected), not '\(found)'." + nearest)
  }

  static func extraOperand(_ word: String, of verb: Verb) -> SeedbedError {
    let which = verb.operands.isEmpty ? "operand" : "second operand"
    let message = "'\(verb.name)' takes no \(which) '\(word)'."
    let wantsVersion = verb.options.contains { $0.name == "to" }
    let isVersion = Version(digits: word) != nil
    return SeedbedError(
      .usage, message + didYouMean(wantsVersion && isVersion ? "--to \(word)" : nil))
  }

  static func unquotedPattern() -> SeedbedError {
    SeedbedError(
      .usage,
      "'--each', '--schemas' and '--except' take one pattern each. Quote it, so that the shell "
        + "does not expand it: --each 'tenants/*.sqlite'.")
  }

  static func missingOperand(_ operand: Verb.Operand, of verb: Verb) -> SeedbedError {
    SeedbedError(
      .usage, "'\(verb.name)' needs \(operand.name): \(operand.help).")
  }

  static func privateKey() -> SeedbedError {
    SeedbedError(
      .usage,
      "One of the arguments is a private key, in place of a file's name. It is not repeated here, "
        + "but your shell may keep it: remove it there. Name the key's file, or give the key by "
        + "standard input: sign --key -.")
  }

  static func inMemory(_ path: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(path)' would be gone when the command ends. Name a file with --database.")
  }

  /// As a path, it would mean a file with this name, which is hardly intended.
  static func uri(_ path: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(path)' is a URI, and databases are named by their paths. A database in another "
        + "process's memory cannot be reached. Name a file with --database PATH.")
  }

  static func didYouMean(_ nearest: String?) -> String {
    nearest.map { " Did you mean '\($0)'?" } ?? ""
  }
}

extension Nearest {
  /// The nearest of `known`, or the only one with this beginning: `--data` is far from `--database`
  /// in letters, but can hardly mean anything else.
  static func known(to text: String, among known: [String]) -> String? {
    if let word = word(to: text, among: known) { return word }
    let longer = known.filter { $0.lowercased().hasPrefix(text.lowercased()) }
    return text.contains { $0 != "-" } && longer.count == 1 ? longer[0] : nil
  }
}

/// `a, b or c`.
func list(_ words: [String], _ conjunction: String) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
}
