internal import Seedbed

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The options of a call: a JSON object with the command's long options. Those that catalog.json
/// has too may be written as there.
struct CallOptions {
  var run = Migrator.Options()
  var isLocked = false
  var version: Migrator.Version?
  var mustExist = false
  var discardsUserRows = false
  /// The path of a ready-made database.
  var first: String?
  /// SQL for each connection that Seedbed opens, such as `PRAGMA key`.
  var connectionSQL: String?
  /// The name of an attached database; nil for `main`.
  var attached: String?
  var conflicts: [Int64]?
  var side: Migrator.Conflict.Side?
  var table: String?
  var key: Migrator.Row?
  /// The public keys that are trusted, and the downloads; nil for a catalog alone.
  var signedBy: [String]?
  var downloaded: [String]?
  var allowsSQL = false
  /// For each key, the version below which nothing is news.
  var known: [String: Migrator.Version] = [:]

  private static let ofAll = [
    "on-edited", "on-taken", "backups", "keep", "ledger", "lock-timeout", "locked",
    "connection-sql", "signed-by", "downloaded", "allow-sql", "known",
  ]

  private static func ofVerb(_ verb: Call.Verb) -> [String] {
    switch verb {
    case .up:
      ["to", "no-backup", "must-exist", "allow-out-of-order", "allow-newer", "first", "reporting"]
    case .plan: ["to", "no-backup", "must-exist", "allow-out-of-order", "reporting"]
    case .down: ["to", "no-backup", "discard-user-rows", "reporting"]
    case .resolve: ["id", "side"]
    case .pin, .unpin, .origin: ["table", "key"]
    case .status, .outlook, .conflicts: []
    }
  }

  /// - Parameters:
  ///   - more: the names that only one door has.
  ///   - without: those that it gives by arguments of their own.
  init(
    _ json: String?, of verb: Call.Verb, more: [String] = [], without: [String] = []
  ) throws {
    guard let json, !json.isEmpty else { return }
    let names = Self.ofAll + Self.ofVerb(verb).filter { !without.contains($0) } + more
    guard case .object(let members) = try Self.parse(json, as: "options").value else {
      throw SeedbedError(
        .usage, #"The options are not a JSON object. Write one, such as {"to": 3}."#)
    }
    for member in members {
      let name = Self.kebab(member.key)
      guard names.contains(name) else {
        throw SeedbedError(
          .usage,
          "'\(member.key.shortened(to: 40))' is not an option of '\(verb.rawValue)'."
            + Nearest.question(
              about: name, among: names, or: " Options are \(names.joined(separator: ", "))."))
      }
      try read(name, OptionValue(name: member.key, value: member.value.value))
    }
    // A download without a key is never applied, and a key without one may be a forgotten option.
    if signedBy != nil || downloaded != nil || allowsSQL || !known.isEmpty {
      _ = try required(signedBy, "signed-by", "the public keys that may sign the downloads")
      _ = try required(downloaded, "downloaded", "the paths of the downloads, or [] for none")
    }
  }

  mutating func read(_ name: String, _ value: OptionValue) throws {
    switch name {
    case "on-edited": run.onEdited = try value.choice()
    case "on-taken": run.onTaken = try value.choice()
    case "backups": run.backupFolder = try value.path()
    case "keep": run.backupsToKeep = Int(try value.integer(in: 0...1_000_000))
    case "ledger": run.ledger = try value.text()
    case "lock-timeout": run.lockTimeout = .clamped(seconds: try value.seconds())
    case "locked": isLocked = try value.bool()
    case "to": version = try value.integer(in: 0...Int64.max)
    case "no-backup": run.takesBackup = try !value.bool()
    case "must-exist": mustExist = try value.bool()
    case "allow-out-of-order": run.allowsOutOfOrder = try value.bool()
    case "allow-newer": run.allowsNewer = try value.bool()
    case "discard-user-rows": discardsUserRows = try value.bool()
    case "reporting": run.reporting = try value.choice()
    case "first": first = try value.path()
    case "signed-by": signedBy = try value.keys()
    case "downloaded": downloaded = try value.several { try $0.path() }
    case "allow-sql": allowsSQL = try value.bool()
    case "known": known = try value.versions()
    case "connection-sql": connectionSQL = try value.text()
    case "database": attached = try value.text()
    case "id": conflicts = try value.integers()
    case "side": side = try value.choice()
    case "table": table = try value.text()
    default: key = try value.key()
    }
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

  // MARK: what a verb cannot do without

  func requiredVersion() throws -> Migrator.Version {
    try required(version, "to", "the version to go back to; 0 takes everything back")
  }

  func requiredConflicts() throws -> [Int64] {
    try required(conflicts, "id", "the number of a conflict, or an array of them")
  }

  func requiredSide() throws -> Migrator.Conflict.Side {
    try required(side, "side", #""mine" or "seed""#)
  }

  func requiredTable() throws -> String { try required(table, "table", "the name of a table") }

  func requiredKey() throws -> Migrator.Row { try required(key, "key", "the key of a row") }

  private func required<Value>(_ value: Value?, _ name: String, _ what: String) throws -> Value {
    guard let value else {
      throw SeedbedError(.usage, "The option '\(name)' is missing. Give \(what).")
    }
    return value
  }
}

/// The value of one option.
struct OptionValue {
  let name: String
  let value: ParsedJSON.Value

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

  func integer(in range: ClosedRange<Int64>) throws -> Int64 {
    guard case .number(let text) = value, let number = Int64(text), range.contains(number) else {
      throw expected("a whole number, \(range.lowerBound) or more")
    }
    return number
  }

  func seconds() throws -> Double {
    guard case .number(let text) = value, let number = Double(text), number >= 0 else {
      throw expected("a number of seconds, 0 or more")
    }
    return number
  }

  func integers() throws -> [Int64] { try several { try $0.integer(in: 1...Int64.max) } }

  /// One value, or an array of them.
  func several<Element>(_ read: (OptionValue) throws -> Element) throws -> [Element] {
    guard case .array(let elements) = value else { return [try read(self)] }
    return try elements.map { try read(OptionValue(name: name, value: $0.value)) }
  }

  /// Public keys: no key at all would pass every download over.
  func keys() throws -> [String] {
    let keys = try several { try $0.text() }
    guard !keys.isEmpty else { throw expected("a public key, or an array of at least one") }
    return keys
  }

  /// An object with a version for each key.
  func versions() throws -> [String: Migrator.Version] {
    guard case .object(let members) = value else {
      throw expected("an object with a version for each key")
    }
    return try members.reduce(into: [:]) { versions, member in
      versions[member.key] =
        try OptionValue(name: name, value: member.value.value).integer(in: 0...Int64.max)
    }
  }

  func choice<Choice: RawRepresentable<String> & CaseIterable>() throws -> Choice {
    let words = Choice.allCases.map(\.rawValue)
    let list = "one of " + words.joined(separator: ", ")
    guard case .string(let text) = value else { throw expected(list) }
    guard let choice = Choice(rawValue: text) else {
      throw SeedbedError(
        .usage,
        "'\(text.shortened(to: 40))' is not a value of '\(name.shortened(to: 40))'."
          + Nearest.question(about: text, among: words, or: " Use \(list)."))
    }
    return choice
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
