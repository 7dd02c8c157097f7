internal import Seedbed
internal import SeedbedOptions

extension Verb {
  static let status = Verb(
    name: "status",
    summary: "show what is applied, pending and wrong",
    about: "Compares the catalog with the database, and says why the last run failed if it did. "
      + "It changes nothing and creates no database: without one, everything is pending. A folder "
      + "that is missing, or that the lock does not have, is an error, as for 'up'. Files are not "
      + "read: 'verify' and 'lock --check' do that.",
    examples: [
      Example("status", "the state of app.sqlite"),
      Example("status --exit-code --quiet", "for a script: 0 only if up to date"),
      Example("status --each tenants/", "which of many are not up to date"),
      Example("status --json", "for a program to read"),
      Example("status --json --counts", "what may be sent to the author"),
    ],
    knowsServers: true,
    exitCodes: [.done, .pending, .failed, .disagreement, .busy, .newer, .usage, .interrupted],
    run: StatusCommand.run)
}

enum StatusCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    if context.arguments.has(.counts) { return try counts(context) }
    if let all = try Each.databases(context, of: context.catalog) { return try each(all, context) }
    let status = try context.migrator().status()
    if context.databaseIsMissing {
      let path = context.shown(context.settings.database)
      context.message("There is no database at '\(path)' yet: '\(context.program) up' creates it.")
    }
    let missed = try missed(status, context).map { ["Version \($0) was expected."] } ?? []
    try context.result(lines(status, context) + missed, .status(status))
    return try code(status, context)
  }

  private static func counts(_ context: CommandContext) throws -> ExitCode {
    guard context.isJSON, !context.arguments.names(.each) else {
      throw SeedbedError(
        .usage,
        "'--counts' is a document about one database. Use it with '--json', without '--each'."
      )
    }
    let migrator = try context.migrator()
    let counts = try migrator.counts()
    try context.result([], .deviceCounts(counts))
    return try code(migrator.status(), context)
  }

  private static func each(_ databases: Each.Databases, _ context: CommandContext) throws
    -> ExitCode
  {
    try Each.look(.status, databases, context) { migrator, _ in
      let status = try migrator.status()
      let missed = try missed(status, context)
      let (name, counted) = count(status, missed)
      let failure = failure(status).map { ". " + $0 } ?? ""
      let new =
        status.newOwners > 0 ? ", with \(Measures.count(status.newOwners, "new owner"))" : ""
      let place =
        status.state == .needsRecovery
        ? "is" : "is at \(status.current) of \(status.target),"
      let isFine = status.state == .upToDate && missed == nil
      return Each.Finding(
        name: name, words: counted,
        line: isFine ? nil : "\(place) \(status.hasFailed ? "pending" : counted)\(new)\(failure)",
        comesFirst: status.hasFailed,
        document: .summary(of: status), code: try code(status, context),
        passedOver: status.passedOver)
    }
  }

  /// The version that was expected, if the database is below it.
  private static func missed(
    _ status: Migrator.Status, _ context: CommandContext
  ) throws -> Version? {
    // Before it is recovered, its version is unknown.
    if status.state == .needsRecovery { return nil }
    return try context.arguments.number(.expect).flatMap { $0 > status.current ? $0 : nil }
  }

  private static func code(_ status: Migrator.Status, _ context: CommandContext) throws -> ExitCode
  {
    if try missed(status, context) != nil { return .disagreement }
    let isUnknown = context.arguments.names(.expect) && status.state == .needsRecovery
    return context.arguments.has(.exitCode) || isUnknown ? ExitCode(status) : .done
  }

  /// Under which name and words a database is counted.
  private static func count(
    _ status: Migrator.Status, _ missed: Version?
  ) -> (name: String, words: String) {
    if status.hasFailed { return ("pendingAfterFailure", "pending after a run that failed") }
    // The others say what is wrong, which explains it.
    if let missed, status.state == .upToDate || status.state == .pending {
      return ("belowExpected", "below version \(missed)")
    }
    return (status.state.rawValue, words(status.state))
  }

  private static func words(_ state: Migrator.Status.State) -> String {
    switch state {
    case .upToDate: "up to date"
    case .pending, .drifted, .newer: state.rawValue
    case .missing: "with migrations that the catalog lacks"
    case .outOfOrder: "out of order"
    case .needsRecovery: "to be recovered"
    }
  }

  static func lines(_ status: Migrator.Status, _ context: CommandContext) -> [String] {
    if status.state == .needsRecovery {
      // The applied migrations cannot be read before that.
      return ["\(context.shown(status.database)) needs recovery"]
        + remarks(status, program: context.program)
    }
    let place = "is at \(status.current) of \(status.target)"
    let packs = status.packs.map { "Pack '\($0.name.printable)' \(self.place(of: $0))" }
    return ["\(context.shown(status.database)) \(place)"]
      + table(status.migrations).lines(context.palette, columns: context.invocation.output.width)
      + [counts(status.migrations)] + remarks(status, program: context.program)
      + status.signedHeads.map { head in
        let day = head.signedAt.map { " on \($0.text.prefix(10))" } ?? ""
        return "Downloaded: releases up to \(head.version), signed\(day) by \(head.key)"
      }
      + packs + context.lines(status.passedOver)
  }

  private static func place(of pack: Migrator.Pack) -> String {
    switch pack.state {
    case .added:
      "is at \(pack.version)\(pack.target.map { " of \($0)" } ?? ""), "
        + "and needs release \(pack.needs) of the base"
    case .removed: "was removed"
    }
  }

  private static func table(_ migrations: [Migrator.Status.Migration]) -> Table {
    var table = Table([
      .init("VERSION", .right), .init("NAME"), .init("STATE"), .init("ROWS", .right),
      .init("APPLIED AT"), .init("TOOK", .right, isOptional: true),
      .init("CHECKSUM", isOptional: true),
    ])
    for migration in migrations {
      table.add([
        .init(String(migration.version)), .init(migration.name),
        .init(migration.state.rawValue, paint(migration.state)),
        .init(migration.rows.map { Measures.grouped($0) } ?? ""),
        .init(migration.appliedAt?.toTheSecond ?? ""),
        .init(migration.duration.map { Measures.duration($0) } ?? ""),
        .init(migration.appliedAt == nil ? "" : migration.checksum.map(short) ?? "", .faint),
      ])
    }
    return table
  }

  private static func paint(_ state: Migrator.Status.Migration.State) -> Paint {
    switch state {
    case .applied, .baseline: .good
    case .pending: .waiting
    case .drifted, .missing, .newer, .outOfOrder: .bad
    case .withdrawn, .superseded: .faint
    }
  }

  /// The first six digits, without the name of the algorithm.
  private static func short(_ checksum: String) -> String {
    let colon = checksum.utf8.firstIndex(of: UInt8(ascii: ":"))
    let digits = colon.map { checksum.utf8[$0...].dropFirst() } ?? checksum.utf8[...]
    return String(Substring(digits.prefix(6))) + "…"
  }

  /// `2 applied, 2 pending`
  private static func counts(_ migrations: [Migrator.Status.Migration]) -> String {
    let parts = Migrator.Status.Migration.State.allCases.compactMap { state -> String? in
      let count = migrations.count { $0.state == state }
      return count == 0 ? nil : "\(Measures.grouped(count)) \(words(state))"
    }
    return parts.isEmpty ? "no migrations" : parts.joined(separator: ", ")
  }

  private static func words(_ state: Migrator.Status.Migration.State) -> String {
    state == .outOfOrder ? "out of order" : state.rawValue
  }

  /// Advice for a person, one sentence a line.
  private static func remarks(_ status: Migrator.Status, program: String) -> [String] {
    var remarks: [String] = []
    let states = Set(status.migrations.map(\.state))
    if states.contains(.drifted) {
      remarks.append("Drifted: files changed after they were applied. See '\(program) verify'.")
    }
    if status.state == .missing, !states.contains(.missing) {
      remarks.append(
        "Too old: the catalog no longer has the migrations that come next here. Bring the database "
          + "up to date with an earlier release of the app first.")
    }
    if states.contains(.missing) {
      remarks.append("Missing: applied here, but no longer in the catalog. Put the folder back.")
    }
    if states.contains(.newer) {
      remarks.append("Newer: a later release applied these. Use the catalog of that release.")
    }
    if states.contains(.outOfOrder) {
      remarks.append(
        "Out of order: below the last one applied. '\(program) up --allow-out-of-order' applies "
          + "them."
      )
    }
    if status.state == .needsRecovery {
      remarks.append("A process died inside a transaction. '\(program) up' rolls it back.")
    }
    if status.newOwners > 0 {
      remarks.append(
        "\(Measures.count(status.newOwners, "new owner")) without rows: '\(program) up' fills "
          + "\(status.newOwners == 1 ? "it" : "them").")
    }
    if let failure = failure(status) { remarks.append(failure) }
    if let run = status.lastRun, run.outcome == .interrupted {
      let often = run.interruptedCount > 1 ? " (\(run.interruptedCount) runs so far)" : ""
      remarks.append(
        "The run of \(run.startedAt.toTheSecond) was interrupted\(often). It left nothing half "
          + "done."
      )
    }
    return remarks
  }

  private static func failure(_ status: Migrator.Status) -> String? {
    guard let run = status.lastRun, run.outcome == .failed else { return nil }
    let reason = run.message.map { ": " + $0.printable } ?? "."
    return "The last run, of \(run.startedAt.toTheSecond), failed\(reason)"
  }
}
