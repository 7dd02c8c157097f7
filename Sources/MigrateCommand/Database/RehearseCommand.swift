internal import Seedbed
internal import SeedbedFaults

extension Verb {
  static let rehearse = Verb(
    name: "rehearse",
    summary: "try kills, power cuts and full disks during 'up', on a copy",
    about: "Copies the database, which is only read, and applies what is pending to the copy. "
      + "Then it interrupts that run at many points, as happens on devices: the process is "
      + "killed, the power fails, the disk is full. After each it opens what is left, as the "
      + "app's next start would. That must be the state before or after a migration, nothing that "
      + "was reported may be lost, and the next 'up' must end as the first one did. It holds the "
      + "database in memory several times over. Without --points it starts no new point after 10 "
      + "seconds, and reports how many it tried.",
    examples: [
      Example("rehearse", "try up to 300 points of the pending 'up' of app.sqlite"),
      Example("rehearse --seconds 60", "as many as a minute allows"),
      Example("rehearse --points all --database last-release.sqlite", "every operation"),
      Example("rehearse --seed 42 --json", "the same points again, for a program to read"),
    ],
    exitCodes: [.done, .failed, .disagreement, .busy, .newer, .refused, .usage, .interrupted],
    run: RehearseCommand.run)
}

enum RehearseCommand {
  private static func points(_ text: String) -> Rehearsal.Points? {
    if text == "all" { return .all }
    return Int(digits: text).flatMap { $0 > 0 ? .sample($0) : nil }
  }

  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    let points = try arguments.value(.points, points)
    let seconds = try arguments.seconds(.seconds)
    let seed: UInt64 = try arguments.number(.seed) ?? Rehearsal.defaultSeed
    let rehearsal = { @Sendable (migrator: Migrator) in
      var rehearsal = Rehearsal(
        migrator, points: points ?? .sample(Rehearsal.defaultPoints), seed: seed)
      if points != nil || seconds != nil {
        rehearsal.timeLimit = seconds.map { .clamped(seconds: $0) }
      }
      return rehearsal
    }
    if try !context.settings.beside.isEmpty && context.catalog().pack == nil {
      context.message("Packs are not tried with their base. Rehearse each by its own --migrations.")
    }
    if let all = try Each.databases(context, of: context.catalog) {
      return try each(all, context, rehearsal)
    }
    try context.requireDatabase()
    let alone = rehearsal(try context.migrator())
    let report = try context.changing(interrupted: .ofRehearsal) { cancellation, display in
      display.show(0, "rehearsing")
      do {
        return try alone.run(cancellation: cancellation) { display.show($0, "rehearsing") }
      } catch let error as SeedbedError where error.code == .cancelled {
        throw SeedbedError(
          .cancelled, "Interrupted. The rehearsal is incomplete; the database was only read.")
      } catch let error as SeedbedError {
        // The error is about the copy, and so are the migrations applied to it.
        throw error.with { ($0.applied, $0.isDatabaseUnchanged) = ([], true) }
      }
    }
    try context.result(RehearsalTranscript(report, context).lines, .rehearsal(report))
    return report.failures.isEmpty ? .done : .disagreement
  }

  /// One database after another, since each rehearsal holds its database in memory several times.
  private static func each(
    _ databases: Each.Databases, _ context: CommandContext,
    _ rehearsal: @escaping @Sendable (Migrator) -> Rehearsal
  ) throws -> ExitCode {
    var databases = databases
    databases.fleet.jobs = 1
    try databases.fleet.checkCatalog()
    return try Each.look(.rehearse, databases, context, interrupted: .ofRehearsal) {
      migrator, cancellation in
      let report = try rehearsal(migrator).run(cancellation: cancellation)
      let failed = Measures.grouped(report.failures.count)
      let hasPassed = report.failures.isEmpty
      let isIdle = report.report.migrations.isEmpty
      return Each.Finding(
        name: isIdle ? "upToDate" : hasPassed ? "recovered" : "notRecovered",
        words: isIdle ? "with nothing pending" : hasPassed ? "recovered" : "not recovered",
        line: hasPassed
          ? nil : "\(failed) of \(Measures.count(report.points, "point")) not recovered",
        document: .rehearsal(report), code: hasPassed ? .done : .disagreement)
    }
  }
}

/// The output of `rehearse`.
///
///     Rehearsed 2 migrations on a copy of app.sqlite: 131 disk operations
///     Tried    63 kills, 192 power cuts, 45 full disks: all recovered
///     Points   300 of 687; --points all tries every one
///     Rows     ~10 changed, 1 conflict (migrate plan)
///     Time     21 ms, the write lock held for at most 9 ms
///     Disk     90.1 kB on top of the database
///     Memory   12.1 MB at its peak
struct RehearsalTranscript {
  /// The most failures to show; the rest are counted.
  static let limit = 10

  private let report: RehearsalReport
  private let context: CommandContext

  init(_ report: RehearsalReport, _ context: CommandContext) {
    self.report = report
    self.context = context
  }

  var lines: [String] {
    let database = context.shown(report.database)
    let migrations = report.report.migrations
    if migrations.isEmpty { return ["\(database) is up to date: there is nothing to rehearse."] }
    let count = Measures.count(migrations.count, "migration")
    let operations = Measures.count(report.operations, "disk operation")
    return ["Rehearsed \(count) on a copy of \(database): \(operations)", tried, points]
      + failures + costs
  }

  private var tried: String {
    let points = [
      Measures.count(report.kills, "kill"), Measures.count(report.powerLosses, "power cut"),
      Measures.count(report.fullDisks, "full disk"),
    ].joined(separator: ", ")
    let failed = report.failures.count
    let verdict =
      failed == 0
      ? "all recovered"
      : context.palette("\(Measures.grouped(failed)) not recovered", .bad)
    return "Tried    \(points): \(verdict)"
  }

  private var points: String {
    let (tried, all) = (Measures.grouped(report.points), Measures.grouped(report.allPoints))
    if report.points == report.allPoints { return "Points   all \(all)" }
    return "Points   \(tried) of \(all)"
      + (report.isTimeOver
        ? ", then the time was up; --seconds N allows more" : "; --points all tries every one")
  }

  private var failures: [String] {
    var lines = report.failures.prefix(Self.limit).flatMap { failure in
      [
        "\(failure.fault) after operation \(failure.operation), \(failure.last.printable)",
        "  \(failure.found.printable)",
      ]
    }
    let rest = report.failures.count - min(report.failures.count, Self.limit)
    let again = "\(context.program) rehearse"
    if rest > 0 { lines.append("… and \(rest) more: \(again) --json") }
    if !lines.isEmpty {
      lines.append(
        "To try the same points again: \(again) --seed \(report.seed) --points "
          + "\(report.points)")
    }
    return lines
  }

  private var costs: [String] {
    let tables = report.report.migrations.flatMap(\.tables)
    var counts = tables.reduce(into: Migrator.Counts()) { $0 += $1.counts }
    (counts.unchanged, counts.kept) = (0, 0)
    let conflicts = report.report.migrations.reduce(0) { $0 + $1.conflictCount }
    let more = conflicts == 0 ? "" : " (\(context.program) plan)"
    var lines = [
      "Rows     \(RunTranscript.counts(counts)), "
        + Measures.count(conflicts, "conflict") + more,
      "Time     \(duration(report.duration)), the write lock held for at most "
        + duration(report.lockDuration),
      "Disk     \(Measures.bytes(report.diskBytes)) on top of the database",
    ]
    if report.peakMemoryBytes > 0 {
      lines.append("Memory   \(Measures.bytes(report.peakMemoryBytes)) at its peak")
    }
    return lines
  }

  private func duration(_ time: Duration) -> String {
    Measures.duration(.milliseconds((time.inSeconds * 1000).rounded(.up)))
  }
}

extension JSON {
  static func rehearsal(_ report: RehearsalReport) -> JSON {
    .document([
      ("database", .string(report.database)),
      ("from", .number(report.report.from)),
      ("to", .number(report.report.to)),
      ("seed", .string(String(report.seed))),
      ("operations", .number(Int64(report.operations))),
      ("points", points(report)),
      ("allPoints", .number(Int64(report.allPoints))),
      ("timeOver", .bool(report.isTimeOver)),
      ("failures", .array(report.failures.map(failure))),
      ("durationMs", .number(Int64(report.duration.milliseconds))),
      ("lockHeldMs", .number(Int64(report.lockDuration.milliseconds))),
      ("diskBytes", .number(report.diskBytes)),
      ("peakMemoryBytes", .number(report.peakMemoryBytes)),
      ("migrations", .array(report.report.migrations.map(migration))),
    ])
  }

  private static func points(_ report: RehearsalReport) -> JSON {
    .object([
      ("kill", .number(Int64(report.kills))),
      ("powerLoss", .number(Int64(report.powerLosses))),
      ("diskFull", .number(Int64(report.fullDisks))),
    ])
  }

  private static func failure(_ failure: RehearsalReport.Failure) -> JSON {
    .object([
      ("operation", .number(Int64(failure.operation))),
      ("fault", .string(failure.fault)),
      ("last", .string(failure.last)),
      ("found", .string(failure.found)),
    ])
  }
}
