internal import Seedbed

/// The data of a report's page. Values are texts as the command shows them, since a browser's
/// numbers would lose digits.
struct ReportJSON {
  let context: CommandContext
  let migrator: Migrator

  func database() throws -> JSON {
    let status = try migrator.status()
    if status.state == .needsRecovery {
      throw SeedbedError(
        .io,
        "'\(context.settings.givenDatabase)' needs recovery: a process died inside a transaction. "
          + "'\(context.program) up' rolls it back; make the report after that.")
    }
    let findings = try migrator.verify().map { context.completed($0, for: .verify) }
    let history = try migrator.history()
    return .object(
      Self.opening("report") + [
        ("title", .string(Files.split(status.database).name.printable)),
        ("status", JSON.status(status)),
        ("findings", .array(findings.map(JSON.problem))),
        ("estimate", estimate(status)),
        ("runs", .array(history.runs.map(Self.run))),
        ("releases", .array(try releases(status, history))),
        ("conflicts", .array(try migrator.conflicts().map(Self.conflict))),
        ("left", .array(history.leftToUser.map(Self.left))),
        ("backups", .array(try backups(history))),
        ("plan", try context.arguments.has(.reportPlan) ? plan() : .null),
      ])
  }

  /// The members that each page begins with.
  static func opening(_ page: String) -> [(key: String, value: JSON)] {
    [
      ("page", .string(page)), ("tool", .string("Seedbed \(Tool.version)")),
      ("at", .string(Clock.timestamp())),
    ]
  }

  // MARK: what is to come

  private func estimate(_ status: Migrator.Status) -> JSON {
    // If `up` would refuse, the findings say so.
    guard status.state != .upToDate, case .pending(let estimate)? = try? migrator.outlook() else {
      return .null
    }
    return JSON.estimate(estimate)
  }

  private func plan() throws -> JSON {
    do {
      let report = try context.changing { cancellation, display in
        try migrator.plan(cancellation: cancellation) { display.show($0) }
      }
      let migrations = report.migrations
      return .object([
        ("from", .number(report.from)), ("to", .number(report.to)),
        ("migrations", .array(migrations.map(JSON.migration))),
        ("conflicts", .array(migrations.flatMap(\.conflicts).map(Self.conflict))),
        ("conflictCount", .number(Int64(migrations.reduce(0) { $0 + $1.conflictCount }))),
      ])
    } catch let error as SeedbedError where error.code != .cancelled {
      // A predicted failure is also a forecast.
      return JSON.error(context.completed(error, for: .plan))
    }
  }

  // MARK: what was done

  private static func run(_ run: Migrator.History.Run) -> JSON {
    .object([
      ("id", .number(run.id)), ("direction", .string(run.direction)),
      ("from", .number(run.from)), ("to", .number(run.to)),
      ("startedAt", .string(run.startedAt.text)),
      ("finishedAt", .optional(run.finishedAt?.text)),
      ("outcome", .string(run.outcome.rawValue)), ("error", .optional(run.error)),
      ("backup", .optional(run.backup)),
    ])
  }

  /// Each migration with the ledger's record of its rows, and the rows in the catalog's files.
  private func releases(
    _ status: Migrator.Status, _ history: Migrator.History
  ) throws -> [JSON] {
    let catalog = try migrator.resolved().catalog.migrations()
      .reduce(into: [Version: Migration]()) { $0[$1.version] = $1 }
    return try status.migrations.map { migration in
      let applied = history.migrations[migration.version]
      let counts = applied?.counts ?? Migrator.Counts()
      return .object([
        ("version", .number(migration.version)), ("name", .string(migration.name.printable)),
        ("state", .string(migration.state.rawValue)), ("rows", .optional(migration.rows)),
        ("appliedAt", .optional(migration.appliedAt?.text)),
        ("durationMs", .optional(migration.duration?.milliseconds)),
        ("run", applied?.run.map { .number($0) } ?? .null),
        ("inserted", .number(Int64(counts.inserted))),
        ("updated", .number(Int64(counts.updated))),
        ("deleted", .number(Int64(counts.deleted))), ("kept", .number(Int64(counts.kept))),
        ("unchanged", .number(Int64(counts.unchanged))),
        ("tables", .array(try catalog[migration.version].map(tables) ?? [])),
      ])
    }
  }

  private func tables(of migration: Migration) throws -> [JSON] {
    var tables: [(name: String, rows: [String: Int])] = []
    for file in migration.files {
      guard let (table, operation) = file.kind.rows else { continue }
      // Without a lock, the file is read.
      let rows = try (file.locked ?? migrator.catalog.summary(of: file, in: migration)).rows ?? 0
      let place = tables.firstIndex { $0.name.isSameName(as: table) }
      if place == nil { tables.append((table, [:])) }
      tables[place ?? tables.count - 1].rows[operation, default: 0] += rows
    }
    return tables.map { table in
      .object([
        ("table", .string(table.name.printable)),
        ("inserted", .number(Int64(table.rows["insert"] ?? 0))),
        ("updated", .number(Int64(table.rows["update"] ?? 0))),
        ("deleted", .number(Int64(table.rows["delete"] ?? 0))),
      ])
    }
  }

  // MARK: what became of the user's rows

  /// The document of `conflicts --json`, with its rows as texts side by side.
  static func conflict(_ conflict: Migrator.Conflict) -> JSON {
    let text = ConflictText(conflict)
    let sides = [conflict.base, conflict.mine, conflict.seed]
    let names = text.columns
    let cells: [[JSON]] =
      names.isEmpty
      ? [[.string("")] + sides.map { .optional($0?.listed) }]
      : names.map { name in
        [.string(name.printable)] + sides.map { .optional($0?[name]?.shown) }
      }
    guard case .object(let members) = JSON.conflict(conflict) else { return .null }
    let rows = ["key", "names", "movedTo", "base", "mine", "seed"]
    return .object(
      members.filter { !rows.contains($0.key) } + [
        ("key", .string(text.key)), ("movedTo", .optional(conflict.movedTo?.listed)),
        ("outcome", .string(text.outcome)),
        ("winner", .optional(conflict.settled?.rawValue ?? winner(conflict.resolution))),
        ("cells", .array(cells.map { .array($0) })),
      ])
  }

  private static func winner(_ resolution: Migrator.Conflict.Resolution) -> String? {
    switch resolution {
    case .keptUser, .merged, .skipped: "mine"
    case .tookSeed: "seed"
    case .moved: nil
    }
  }

  private static func left(_ left: Migrator.UserOwnedKey) -> JSON {
    .object([
      ("table", .string(left.table)), ("key", .string(left.key.listed)),
      ("kind", .string(left.reason)), ("version", left.version.map { .number($0) } ?? .null),
    ])
  }

  /// Those of a server are the commands that made them.
  private func backups(_ history: Migrator.History) throws -> [JSON] {
    if context.settings.server == nil { return try migrator.backups().map(Self.backup) }
    return history.runs.compactMap { run in
      run.backup.map { command in
        .object([
          ("path", .string(command)), ("version", .number(run.from)),
          ("takenAt", .string(run.startedAt.text)), ("bytes", .null), ("damaged", .bool(false)),
        ])
      }
    }
  }

  private static func backup(_ backup: Migrator.Backup) -> JSON {
    .object([
      ("path", .string(backup.path)), ("version", .number(backup.version)),
      ("takenAt", .string(backup.takenAt.text)), ("bytes", .number(backup.bytes)),
      ("damaged", .bool(backup.isDamaged)),
    ])
  }
}
