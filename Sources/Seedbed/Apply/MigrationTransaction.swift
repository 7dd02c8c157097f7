/// One migration inside one write transaction: its rows and its row in the ledger are committed
/// together, or neither is.
struct MigrationTransaction {
  let context: RunContext
  let run: Ledger.Run
  let migration: Migration
  let options: MigrationOptions
  let hooks: AppHooks
  /// Whether SQLite enforces foreign keys in this transaction.
  let enforcesForeignKeys: Bool
  /// How many rows of each table the app had done before it had Seedbed, and its `up.sql`; nil
  /// where all is to be done.
  var rowsBegun: [String: Int]?

  var connection: any DatabaseSession { context.connection }
  var catalog: Catalog { context.catalog }
  var ledger: Ledger { context.ledger }
  var host: Host { context.host }
  var meter: ProgressMeter { context.meter }

  /// What a migration does between BEGIN IMMEDIATE and COMMIT. `Run.attempt` begins, looks again
  /// and backs up before it, and commits after it, or rolls back on any error.
  func apply() throws -> Outcome {
    let started = Clock.monotonic()
    let conflictsBefore = try ledger.lastConflict(on: connection)
    if migration.isWithdrawn {
      try writeLedger([:], [:], seconds: 0)
      return Outcome(conflictsBefore: conflictsBefore)
    }
    try connection.deferForeignKeys()
    try ledger.setApplying(migration.version, on: connection)
    let checks = foreignKeyChecks(isNeeded: needsForeignKeyChecks, scripts: [.up, .after])
    try checks.noteOldViolations()
    host.reached(.beforeRows)

    let scripts = MigrationScripts(transaction: self)
    if context.isOnScratch || context.playsApp { _ = try scripts.run(.schema) }
    var digests = try rowsBegun == nil ? scripts.run(.up) : [:]
    let merge = try telling { try mergeRows() }
    digests.merge(merge.digests) { $1 }
    digests.merge(try scripts.run(.after)) { $1 }
    // It may have made the table, or rebuilt it.
    try Reserve(keyOptions: keyOptions(isAfterScripts: true), connection: connection).raise()
    host.reached(.afterRows)

    meter.enter(.checking)
    try checks.refuseNewViolations()
    let warnings = try scripts.verify()
    try hooks.verify(migration, on: connection)
    try ledger.setApplying(nil, on: connection)
    try writeLedger(digests, merge.findings.counts, seconds: Clock.monotonic() - started)
    return Outcome(
      counts: merge.findings.counts, notes: warnings,
      touched: try touchedTables(merge.findings),
      changedKeys: merge.findings.changedKeys, conflictsBefore: conflictsBefore)
  }

  /// Without enforcement nothing else checks what the SQL files leave behind; our own rows are
  /// checked against their parents one by one.
  private var needsForeignKeyChecks: Bool {
    let hasSQL = migration.file(.up) != nil || migration.file(.after) != nil
    return options.foreignKeys == .off || !enforcesForeignKeys && hasSQL
  }

  struct Outcome {
    var counts: [String: Migrator.Counts] = [:]
    var notes: [String] = []
    var touched: Set<String> = []
    var changedKeys: [String: [String]]?
    /// The number of the last conflict that was there before.
    var conflictsBefore: Int64
  }

  // MARK: rows

  private func mergeRows() throws -> MergeContext {
    // SQL may have had them checked at once.
    try connection.deferForeignKeys()
    let merge = try mergeContext(context.options.policies, keyOptions(isAfterScripts: false))
    // Between up.sql and after.sql no table changes.
    try connection.withFixedSchema {
      let files = try rowFiles(merge, isInverted: false)
      if enforcesForeignKeys { try refuseBrokenForeignKeys(of: files.map(\.target)) }
      try MigrationLimits(files: files, context: merge).check()
      let reserve = Reserve(keyOptions: merge.keyOptions, connection: connection)
      try reserve.check(files)
      try reserve.raise()
      try holdOffWriters(of: files)
      try MigrationMerge(context: merge).run(files)
      try connection.noteIDs(of: files.map(\.target.schema))
    }
    return merge
  }

  /// Parents first, as everybody does.
  func holdOffWriters(of files: [RowFile]) throws {
    let order = LoadOrder.groups(of: files).flatMap(\.files).grouped(by: \.target.name)
    try connection.holdOffWriters(of: order.map { $0[0].target.name })
  }

  func mergeContext(
    _ policies: Migrator.Policies, _ keyOptions: KeyOptions
  ) throws -> MergeContext {
    MergeContext(
      run: context, version: migration.version, policies: policies, options: options,
      keyOptions: keyOptions, collectsKeys: context.options.reporting == .keys,
      createdTables: context.passesOverMissingParents
        ? [] : try connection.createdTables(since: context.tablesBefore))
  }

  func rowFiles(_ merge: MergeContext, isInverted: Bool) throws -> [RowFile] {
    let passedOver = try rowsPassedOver()
    return try migration.files.compactMap { file -> RowFile? in
      switch file.kind {
      case .insert(let table), .update(let table), .delete(let table):
        return try rowFile(
          file, table, merge, passedOver[file.name] ?? 0, isInverted: isInverted)
      default: return nil
      }
    }
  }

  /// Rows that are taken for done, by file: the first of each table's, in the order of its files.
  private func rowsPassedOver() throws -> [String: Int] {
    guard var left = rowsBegun else { return [:] }
    var passedOver: [String: Int] = [:]
    for file in migration.files {
      guard case .insert(let table) = file.kind, let count = left[table.asciiLowercased()] else {
        continue
      }
      let rows = try file.locked?.rows ?? catalog.summary(of: file, in: migration).rows ?? 0
      passedOver[file.name] = min(rows, count)
      left[table.asciiLowercased()] = count - min(rows, count)
    }
    return passedOver
  }

  private func rowFile(
    _ file: MigrationFile, _ table: String, _ merge: MergeContext, _ passedOver: Int,
    isInverted: Bool
  ) throws -> RowFile {
    let place = migration.folder + "/" + file.name
    try refuseMissingTableOfApp(table, place)
    let target = try TableTarget.read(
      table, options: options.table(table), keyOptions: merge.keyOptions,
      place: SeedbedError.Place(place), ledger: ledger, on: connection)
    let check = HeaderCheck(
      file: file, place: place, target: target,
      seesEdits: merge.onEdited(target) != .overwriteRow, isInverted: isInverted,
      options: options, connection: connection)
    return try RowFile(check) {
      let reader = try catalog.rows(of: file, in: migration)
      reader.passedOver = passedOver
      return reader
    }
  }

  /// With enforcement on, SQLite would refuse every write to such a table.
  func refuseBrokenForeignKeys(of targets: [TableTarget]) throws {
    let broken =
      try targets.flatMap { try connection.parentKeys(of: $0.schema).broken }
      + connection.brokenChildren(of: targets.map(\.name))
    if !broken.isEmpty { throw BrokenForeignKeys(keys: broken) }
  }

  /// Not an error yet: the run begins the migration again without enforcement.
  struct BrokenForeignKeys: Error {
    /// Empty if rows refer to nothing already, and SQLite would take them for ours.
    var keys: [BrokenForeignKey]

    var reason: String {
      keys.isEmpty
        ? "rows of the database refer to rows that do not exist"
        : "a declaration is broken: " + keys.map(\.sentence).joined(separator: "; ")
    }

    func note(_ migration: Migration) -> String {
      "\(migration.folder) was applied without SQLite's enforcement of foreign keys, under "
        + "Seedbed's own check, because \(reason)."
    }
  }

  // MARK: the ledger

  private func writeLedger(
    _ digests: [String: String], _ counts: [String: Migrator.Counts], seconds: Double
  ) throws {
    host.reached(.beforeLedgerRow)
    if migration.isSnapshot { return try noteSnapshot(counts: counts, seconds: seconds) }
    let row = try ledgerRow(digests, counts, seconds: seconds)
    try ledger.insert(row, run: run.id, on: connection)
    try rewriteLaterChains(after: row)
  }

  private func ledgerRow(
    _ digests: [String: String], _ counts: [String: Migrator.Counts], seconds: Double
  ) throws -> AppliedMigration {
    // Without a lock the checksum is that of the very bytes that were applied.
    let checksum =
      try migration.checksum
      ?? (migration.isWithdrawn || rowsBegun != nil
        ? catalog.checksum(of: migration) : Checksum.of(digests.map { ($0.key, $0.value) }))
    let previous = try ledger.applied(on: connection).last { $0.version < migration.version }
    var sum = Migrator.Counts()
    for count in counts.values { sum += count }
    return AppliedMigration(
      version: migration.version, name: migration.name,
      state: migration.isWithdrawn ? .withdrawn : .applied, checksum: checksum,
      chain: Checksum.chain(
        after: previous?.chain, version: migration.version, checksum: checksum),
      appliedAt: Clock.timestamp(), durationMs: Int(seconds * 1000), counts: sum)
  }

  /// Only if this migration was applied out of order.
  private func rewriteLaterChains(after row: AppliedMigration) throws {
    var chain = row.chain
    for later in try ledger.applied(on: connection) where later.version > row.version {
      chain = Checksum.chain(after: chain, version: later.version, checksum: later.checksum)
      try ledger.setChain(chain, of: later.version, on: connection)
    }
  }

  func touchedTables(_ findings: MergeContext.Findings) throws -> Set<String> {
    let seeded = findings.counts.filter { $0.value.changed > 0 }.keys
    let written = try connection.writtenTables(besides: Set(seeded)).filter { !ledger.owns($0) }
    return Set(seeded).union(findings.followed).union(written)
  }
}
