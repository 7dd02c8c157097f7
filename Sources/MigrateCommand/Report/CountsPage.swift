internal import Seedbed

/// The page of what thousands of devices sent: the documents of `status --json --counts`, added up.
struct CountsPage {
  private struct Subject: Hashable {
    let version: Migrator.Version
    let table: String
    let column: String?
    let kind: String
  }

  private struct Edition {
    var devices: Int64 = 0
    /// By how their last run ended.
    var runs: [String: Int64] = [:]
  }

  private var files: Int64 = 0
  private var days: (first: String, last: String)?
  private var editions: [Migrator.Version: Edition] = [:]
  private var conflicts: [Subject: (devices: Int64, count: Int64, open: Int64)] = [:]
  private var refused: [String] = []
  private var refusedCount: Int64 = 0

  /// A document has a line for each column, and no rows.
  private static let mostBytes = 1 << 20
  private static let mostShown = 20

  static func data(_ folder: String, _ context: CommandContext) throws -> JSON {
    let path = context.settings.absolute(folder)
    let names = Files.names(in: path).filter { $0.hasSuffix(".json") }
    if names.isEmpty {
      throw SeedbedError(
        .usage,
        "There is no file in '\(folder.printable)' whose name ends in .json. Put there what "
          + "devices sent: '\(context.program) status --json --counts' prints it.")
    }
    var page = CountsPage()
    for name in names {
      do {
        // Opening a pipe may never end.
        guard Files.kind("\(path)/\(name)") == .file else {
          throw SeedbedError(.usage, "This is no ordinary file.", at: .init(name))
        }
        try page.add(
          JSONParser.parse(
            Files.bytes(of: "\(path)/\(name)", name, limit: mostBytes), file: name,
            mostMembers: 32))
      } catch {
        let error = SeedbedError.from(error)
        page.refusedCount += 1
        if page.refused.count < mostShown { page.refused.append(error.description.printable) }
        if page.refusedCount == names.count { throw error }
      }
    }
    if page.refusedCount > 0 {
      context.message(
        "\(page.refusedCount) of \(names.count) files cannot be used; the page says why.")
    }
    return page.json
  }

  // MARK: one document

  private mutating func add(_ document: ParsedJSON) throws {
    guard let day = document["day"]?.string, let current = document["current"]?.integer,
      document["state"]?.string != nil, case .array(let lines)? = document["conflicts"]?.value
    else { throw Self.isOther(document) }
    let found = try lines.map { line in
      guard let version = line["version"]?.integer, let table = line["table"]?.string,
        let kind = line["kind"]?.string, let count = line["count"]?.integer,
        let open = line["open"]?.integer
      else { throw Self.isOther(line) }
      let subject = Subject(
        version: version, table: table.printable, column: line["column"]?.string?.printable,
        kind: kind.printable)
      return (subject, count, open)
    }
    // Once for each device.
    guard Set(found.map(\.0)).count == found.count else { throw Self.isOther(document) }
    files += 1
    days = (min(days?.first ?? day, day), max(days?.last ?? day, day))
    editions[current, default: Edition()].devices += 1
    let run = document["lastRun"]?.string?.printable ?? "none"
    editions[current]?.runs[run, default: 0] += 1
    for (subject, count, open) in found {
      let sum = conflicts[subject] ?? (0, 0, 0)
      conflicts[subject] = (
        sum.devices + 1, Self.sum(sum.count, count), Self.sum(sum.open, open)
      )
    }
  }

  /// Strangers send the numbers: too many are shown as the most that a browser counts to.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    min(one + other, (1 << 53) - 1)
  }

  private static func isOther(_ found: ParsedJSON) -> SeedbedError {
    SeedbedError(
      .usage, "This is not what 'status --json --counts' prints.", at: found.place)
  }

  // MARK: the data of the page

  private var json: JSON {
    .object(
      ReportJSON.opening("counts") + [
        ("files", .number(files)), ("first", .optional(days?.first.printable)),
        ("last", .optional(days?.last.printable)),
        ("editions", .array(editions.sorted { $0.key < $1.key }.map(Self.edition))),
        ("runs", .array(runs)), ("conflicts", .array(lines)),
        ("refused", .array(refused.map { .string($0) })), ("refusedCount", .number(refusedCount)),
      ])
  }

  private static func edition(_ version: Migrator.Version, _ edition: Edition) -> JSON {
    .object([("version", .number(version)), ("devices", .number(edition.devices))])
  }

  /// How the last runs ended, the rarest last.
  private var runs: [JSON] {
    editions.flatMap { version, edition in edition.runs.map { (version, $0.key, $0.value) } }
      .sorted { ($1.2, $0.0, $0.1) < ($0.2, $1.0, $1.1) }
      .map { version, outcome, devices in
        .object([
          ("version", .number(version)), ("outcome", .string(outcome)),
          ("devices", .number(devices)),
        ])
      }
  }

  /// The most frequent first.
  private var lines: [JSON] {
    let name = { (subject: Subject) in
      "\(subject.version) \(subject.table) \(subject.column ?? "") \(subject.kind)"
    }
    return conflicts.sorted { ($1.value.count, name($0.key)) < ($0.value.count, name($1.key)) }
      .map { subject, sum in
        .object([
          ("version", .number(subject.version)), ("table", .string(subject.table)),
          ("column", .optional(subject.column)), ("kind", .string(subject.kind)),
          ("devices", .number(sum.devices)), ("count", .number(sum.count)),
          ("open", .number(sum.open)),
        ])
      }
  }
}

extension ParsedJSON {
  fileprivate var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  /// From 0, and small enough for a browser.
  fileprivate var integer: Int64? {
    guard case .number(let digits) = value, let number = Int64(digits), number >= 0 else {
      return nil
    }
    return number < 1 << 53 ? number : nil
  }
}
