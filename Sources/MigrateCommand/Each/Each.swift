internal import Seedbed
internal import SeedbedOptions

/// `--each`: a verb over many databases.
enum Each {
  // MARK: what was asked for

  /// The databases of a command with `--each`, and what was passed over among them.
  struct Databases {
    var fleet: Fleet
    var backups = 0
    /// Those without a table of the catalog.
    var schemas = 0
  }

  /// nil without `--each`.
  static func databases(
    _ context: CommandContext, of catalog: () throws -> Catalog
  ) throws -> Databases? {
    let arguments = context.arguments
    guard let pattern = try arguments.text(.each) else {
      let ofMany: [VerbOption] = [.schemas, .except, .jobs, .canary, .keepGoing]
      if let option = ofMany.first(where: arguments.names) {
        throw SeedbedError(.usage, "Option '\(option.spelling)' is only for '--each PATTERN'.")
      }
      return nil
    }
    if arguments.names(.database) {
      throw SeedbedError(
        .usage, "Name all databases with '--each', or one with '--database', not both.")
    }
    if context.settings.options.backupFolder != nil {
      throw SeedbedError(
        .usage,
        "With '--each' the backups of each database are next to it: in one folder, those of "
          + "databases with the same name would be mixed up. Leave out --backups and "
          + "MIGRATE_BACKUPS.")
    }
    let jobs: Int? = try arguments.number(.jobs)
    let canaries: Int? = try arguments.number(.canary)
    var databases = try databases(DatabaseList(context, pattern), context, of: catalog)
    databases.fleet.jobs = jobs ?? databases.fleet.jobs
    databases.fleet.canaries = canaries ?? 0
    databases.fleet.keepsGoing = arguments.has(.keepGoing)
    return databases
  }

  private static func databases(
    _ list: DatabaseList, _ context: CommandContext, of catalog: () throws -> Catalog
  ) throws -> Databases {
    let options = context.settings.options
    let urls = try list.urls()
    if !urls.isEmpty {
      let catalog = try catalog().forPostgreSQL()
      let (databases, passedOver) = try ServerList(context).databases(urls)
      return Databases(
        fleet: Fleet(catalog: catalog, on: databases, options: options),
        schemas: passedOver)
    }
    if context.arguments.names(.schemas) {
      throw SeedbedError(
        .usage, "'--schemas' is for a server: '--each postgresql://… --schemas PATTERN'.")
    }
    let (paths, backups) = try list.paths()
    var fleet = Fleet(catalog: try catalog(), at: paths, options: options)
    fleet.hooks.setup = context.invocation.setup
    return Databases(fleet: fleet, backups: backups)
  }

  // MARK: verbs that change, or rehearse that

  /// - Parameter work: calls `up`, `plan`, `down` or `restore` of the fleet.
  static func run<Value>(
    _ databases: Databases, _ context: CommandContext, _ words: FleetWords,
    _ work: (
      Fleet, Migrator.Cancellation, (String, Result<Value, SeedbedError>) -> Void
    ) throws -> Fleet.Summary
  ) throws -> ExitCode {
    var codes: Set<ExitCode> = []
    let summary = try context.changing { cancellation, display in
      let count = FleetCount(databases.fleet.paths.count, context, display)
      let summary = try work(databases.fleet, cancellation) { path, result in
        if case .failure(let error) = result { codes.insert(ExitCode(error.code)) }
        count.add(path, result.map { _ in })
      }
      if cancellation.isCancelled { codes.insert(.interrupted) }
      return summary
    }
    try context.result(
      FleetTranscript(summary, context, words).lines,
      .fleet(summary.explained(context), verb: words.verb, of: databases))
    return .worst(of: codes)
  }

  // MARK: verbs that look

  /// A verb's result for one database.
  struct Finding: Sendable {
    /// The name under which it is counted, as in the document: `upToDate`.
    var name: String
    /// The name for a person: `up to date`.
    var words: String
    /// The text after its path; nil if there is nothing to say.
    var line: String?
    /// Whether its line comes before the others.
    var comesFirst = false
    var document: JSON
    var code = ExitCode.done
    var passedOver: [Migrator.PassedOver] = []
  }

  /// The most databases to name; the rest are counted.
  static let limit = 20

  /// - Parameter more: lines at the end, and a member of the document.
  static func look(
    _ verb: Verb, _ databases: Databases, _ context: CommandContext,
    interrupted remarks: Interrupts.Words = .ofLook,
    _ work: @escaping @Sendable (Migrator, Migrator.Cancellation) throws -> Finding,
    more: () -> (lines: [String], key: String, value: JSON)? = { nil }
  ) throws -> ExitCode {
    var fleet = databases.fleet
    fleet.keepsGoing = true
    var codes: Set<ExitCode> = []
    var counts: [String: (words: String, count: Int)] = [:]
    var (first, others, documents): ([String], [String], [(path: String, JSON)]) = ([], [], [])
    var passedOver = PassedOverTally(fleet.catalog.passedOver, databases: fleet.paths.count)
    try context.changing(interrupted: remarks) { cancellation, display in
      let count = FleetCount(fleet.paths.count, context, display)
      try fleet.each(cancellation) {
        try work($0, cancellation)
      } _: { path, result, _ in
        count.add(path, result.map { _ in })
        switch result {
        case .success(let finding):
          codes.insert(finding.code)
          passedOver.add(finding.passedOver)
          counts[finding.name, default: (finding.words, 0)].count += 1
          documents.append((path, finding.document))
          guard let line = finding.line.map({ "\(context.shown(path))  \($0)" }) else { break }
          if finding.comesFirst { first.append(line) } else { others.append(line) }
        case .failure(let error) where error.code == .cancelled: break
        case .failure(let error):
          codes.insert(ExitCode(error.code))
          counts["failed", default: ("failed", 0)].count += 1
          documents.append((path, .failure(in: path, context.explained(error, of: path))))
        }
      }
      if cancellation.isCancelled { codes.insert(.interrupted) }
    }
    let left = fleet.paths.count - documents.count
    if left > 0 { counts["left"] = ("left as they were", left) }
    let sorted = counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let head = FleetTranscript.summaryLine(
      fleet.paths.count, sorted.map { "\(Measures.grouped($0.value.count)) \($0.value.words)" })
    let lines = first.sorted() + others.sorted()
    let rest = lines.count - min(lines.count, limit)
    let more = more()
    let downloads = passedOver.sorted
    try context.result(
      [head] + context.lines(downloads) + lines.prefix(limit)
        + (rest > 0 ? ["… and \(rest) more: --json"] : []) + (more?.lines ?? []),
      .document(
        [
          ("verb", .string(verb.name)), ("databases", .number(Int64(fleet.paths.count))),
          ("counts", .object(sorted.map { ($0.key, .number(Int64($0.value.count))) })),
          ("each", .array(documents.sorted { $0.path < $1.path }.map(\.1))),
        ] + JSON.passedOver(downloads) + JSON.passedOver(databases)
          + (more.map { [($0.key, $0.value)] } ?? [])))
    return .worst(of: codes)
  }
}

extension JSON {
  /// The library's document with the verb, which the library does not know.
  static func fleet(
    _ summary: Fleet.Summary, verb: Verb, of databases: Each.Databases
  ) -> JSON {
    guard case .object(let members) = JSON.fleet(summary) else { return .null }
    return .object(
      members + [("verb", .string(verb.name))] + passedOver(databases))
  }

  /// Only if there are any.
  static func passedOver(_ databases: Each.Databases) -> [(key: String, value: JSON)] {
    [("backupsPassedOver", databases.backups), ("schemasPassedOver", databases.schemas)]
      .filter { $0.1 > 0 }.map { ($0.0, .count($0.1)) }
  }
}

extension ExitCode {
  /// One exit code for many databases.
  static func worst(of codes: Set<ExitCode>) -> ExitCode {
    let order: [ExitCode] = [
      .interrupted, .newer, .busy, .refused, .disagreement, .usage, .failed, .pending,
    ]
    return order.first(where: codes.contains) ?? .done
  }
}

extension Fleet.Summary {
  /// The summary with the command to type added to each error.
  fileprivate func explained(_ context: CommandContext) -> Self {
    var summary = self
    for (place, failure) in failures.enumerated() {
      summary.failures[place].error = context.explained(failure.error, of: failure.database)
    }
    return summary
  }
}

/// Shows the number of databases that are done, and names those that fail.
private final class FleetCount {
  private let all: Int
  private let context: CommandContext
  private let display: ProgressDisplay
  private var (done, failed) = (0, 0)

  init(_ all: Int, _ context: CommandContext, _ display: ProgressDisplay) {
    (self.all, self.context, self.display) = (all, context, display)
    show()
  }

  func add(_ path: String, _ result: Result<Void, SeedbedError>) {
    done += 1
    if case .failure(let error) = result, error.code != .cancelled {
      failed += 1
      let line = "\(context.shown(path)): \(context.explained(error, of: path))"
      let erasure = display.style == .bar ? ProgressDisplay.erasure : ""
      context.invocation.complain(context.errorPalette(line, .bad), after: erasure)
    }
    show()
  }

  private func show() {
    let failures = failed == 0 ? "" : ", \(Measures.grouped(failed)) failed"
    display.show(
      Double(done) / Double(max(all, 1)),
      "\(Measures.grouped(done)) of \(Measures.count(all, "database"))\(failures)")
  }
}
