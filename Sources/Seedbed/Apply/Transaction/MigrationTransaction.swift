/// One migration inside one write transaction: its rows and its row in the ledger are committed
/// together, or not at all.
final class MigrationTransaction {
  let context: RunContext
  let run: Ledger.Run
  let migration: Migration
  let options: MigrationOptions
  let hooks: Migrator.Hooks
  /// Whether SQLite enforces foreign keys in this transaction.
  let enforcesForeignKeys: Bool
  let newNames: NewNames
  let leftKeys: LeftKeys
  /// What triggers did beside the files.
  var notes: [String] = []
  /// Whether the tables that are per owner have no owner yet.
  var isWithoutOwners = false

  init(
    _ migration: Migration, _ options: MigrationOptions, _ context: RunContext, run: Ledger.Run,
    database: any DatabaseKind, hooks: Migrator.Hooks, enforcesForeignKeys: Bool
  ) {
    (self.migration, self.options, self.context, self.run) = (migration, options, context, run)
    (self.hooks, self.enforcesForeignKeys) = (hooks, enforcesForeignKeys)
    newNames = NewNames(migration, options, context)
    leftKeys = LeftKeys(
      migration, options, context, database: database, isDown: run.direction == .down)
  }

  var connection: any DatabaseSession { context.connection }
  var catalog: Catalog { context.catalog }
  var ledger: Ledger { context.ledger }
  var host: Host { context.host }
  var meter: ProgressMeter { context.meter }

  /// Applies a migration. `attempt` in `Run+OneMigration.swift` commits, or rolls back after any
  /// error.
  func apply() throws -> Outcome {
    assert(!connection.isOutsideTransaction, "A migration is applied in one transaction.")
    assert(run.direction != .down, "A run that goes back applies nothing.")
    connection.forgetWritten()
    let started = Clock.monotonic()
    let conflictsBefore = try ledger.lastConflict(on: connection)
    if migration.isWithdrawn {
      try writeLedger([:], [:], seconds: 0)
      return Outcome(conflictsBefore: conflictsBefore)
    }
    // In a plan, rows of the release before it wait for their check, and a server would not let SQL
    // change their table.
    if migration.file(.up) != nil { try connection.checkDeferredKeys() }
    try connection.deferForeignKeys()
    try ledger.setApplying(migration.version, on: connection)
    // Without enforcement, nothing else checks the result of the SQL files. Our own rows are
    // checked against their parents one by one.
    let hasSQL = migration.file(.up) != nil || migration.file(.after) != nil
    let checks = try foreignKeyChecks(
      isNeeded: options.foreignKeys == .off || !enforcesForeignKeys && hasSQL, hasSQL: hasSQL)
    host.reached(.beforeRows)

    let scripts = MigrationScripts(transaction: self)
    if context.isOnScratch { _ = try scripts.run(.schema) }
    var digests = try scripts.run(.up)
    try newNames.refuseWhatCannotBeFollowed()
    let merge = try explainingChangedTables { try mergeRows(isInverted: false) }
    if context.isOnScratch { try leaveParentsToApp(after: conflictsBefore) }
    digests.merge(merge.digests) { $1 }
    if migration.file(.after) != nil { try connection.checkDeferredKeys() }
    digests.merge(try scripts.run(.after)) { $1 }
    try newNames.refuseWhatCannotBeFollowed()
    // It may have created the table, or rebuilt it.
    try keyOptions(isAfterScripts: true).raiseReserves(on: connection)
    host.reached(.afterRows)

    meter.enter(.checking)
    try checks.refuseNewViolations()
    notes += try scripts.verify() + weakeningNotes() + settlingReturned(after: conflictsBefore)
    try hooks.verify(migration, on: connection)
    try ledger.setApplying(nil, on: connection)
    try writeLedger(digests, merge.findings.counts, seconds: Clock.monotonic() - started)
    return Outcome(
      findings: merge.findings, notes: notes, touched: try touchedTables(merge.findings),
      conflictsBefore: conflictsBefore)
  }

  /// Merges rows of the migration into a database that an app filled. SQL does not run: the app's
  /// own has made the tables.
  func adopt(_ files: [RowFile], as mode: MergeMode = .adopting) throws -> Outcome {
    assert(!connection.isOutsideTransaction, "Rows are adopted with the ledger's rows.")
    connection.forgetWritten()
    let conflictsBefore = try ledger.lastConflict(on: connection)
    try connection.deferForeignKeys()
    let merge = try mergeRows(mode) { _ in files }
    return Outcome(
      findings: merge.findings, notes: notes, touched: try touchedTables(merge.findings),
      conflictsBefore: conflictsBefore)
  }

  private func weakeningNotes() throws -> [String] {
    let found = try context.resolved.allowedWeakening(
      by: options, of: migration, under: context.options.policies)
    return [found].compactMap(\.self).map {
      "A download's options protect less of what users made than those of the app, which allows "
        + "that. \($0)"
    }
  }

  /// Most releases have no conflict, and look at none.
  private func settlingReturned(after number: Int64) throws -> [String] {
    guard !context.isOnScratch, try ledger.lastConflict(on: connection) > number else { return [] }
    let count = try ledger.settleReturned(after: number, at: Clock.timestamp(), on: connection)
    if count == 0 { return [] }
    let conflicts = count == 1 ? "1 conflict is" : "\(count) conflicts are"
    return [
      "\(conflicts) settled: \(migration.folder) gives the seed back the values that it had before "
        + "the user's edits, so nothing is left to decide."
    ]
  }

  struct Outcome {
    var findings = MergeContext.Findings()
    var notes: [String] = []
    var touched: Set<ExactText> = []
    /// The number of the last conflict before this migration.
    var conflictsBefore: Int64
  }

  // MARK: rows

  /// - Parameter isInverted: in `down`, the files are read in the opposite direction.
  func mergeRows(isInverted: Bool) throws -> MergeContext {
    assert(isInverted == (run.direction == .down), "Files are inverted in down alone.")
    let mode: MergeMode = isInverted ? .takingBack : context.isOnScratch ? .scratch : .release
    let merge = try mergeRows(mode) { [self] merge in
      try migration.files.compactMap { file in
        try file.table.map { try rowFile(file, $0, merge) }
      }
    }
    if isInverted { try giveLeftKeysBack() }
    return merge
  }

  private func mergeRows(
    _ mode: MergeMode, _ files: (MergeContext) throws -> [RowFile]
  ) throws -> MergeContext {
    assert(!connection.isOutsideTransaction, "Rows are merged with the ledger's row.")
    // SQL may have switched to immediate checks.
    try connection.deferForeignKeys()
    let merge = MergeContext(
      run: context, version: migration.version, mode: mode, options: options,
      keyOptions: try mode.isOfRelease ? keyOptions(isAfterScripts: false) : keyOptionsSoFar(),
      collectsKeys: context.options.reporting == .keys,
      createdTables: context.passesOverMissingParents
        ? []
        : try connection.createdTables(since: context.tablesBefore)
          .filter { try !context.isLeftToApp($0.text) })
    // What was read before a table was locked may have changed since: it is read again.
    var held: Set<ExactText> = []
    while try !mergeRows(merge, files, held: &held) {}
    for (table, reason) in merge.refusals.ordered(by: \.key) {
      notes.append(
        "'\(table.text)' does not take rows of some owners: \(reason). They stay without them, and "
          + "the log has each.")
    }
    return merge
  }

  /// False if more tables had to be locked.
  private func mergeRows(
    _ merge: MergeContext, _ files: (MergeContext) throws -> [RowFile],
    held: inout Set<ExactText>
  ) throws -> Bool {
    // Between up.sql and after.sql no table changes.
    try connection.withFixedSchema {
      merge.childrenByParent = [:]
      try readOwners(merge.keyOptions)
      let read = try files(merge)
      if try holdsOffMore(for: read, merge, &held) { return false }
      let files = try followingLeftKeys(read)
      if enforcesForeignKeys { try refuseBrokenForeignKeys(of: files.map(\.target)) }
      if merge.mode.isOfRelease {
        try MigrationLimits(files: files, context: merge).check()
        try merge.keyOptions.checkReserves(files, on: connection)
      }
      if !merge.mode.invertsFiles { try merge.keyOptions.raiseReserves(on: connection) }
      let noteLosses = try watchTriggers(of: files.map(\.target))
      try MigrationMerge(context: merge).run(files)
      try noteLosses?()
      try connection.noteIDs(of: files.map(\.target.schema))
      return true
    }
  }

  /// A trigger of the app may delete rows of other tables, which no merge sees.
  private func watchTriggers(of targets: [TableTarget]) throws -> (() throws -> Void)? {
    let triggered = targets.filter { !$0.triggers.isEmpty }.map { ExactText($0.name) }
    if triggered.isEmpty || context.isOnScratch { return nil }
    let losses = try connection.watchTriggers(of: Set(triggered))
    return { [self] in
      for (table, count) in try losses().ordered(by: \.key)
      where count > 0 && !targets.contains(where: { $0.name.isSameText(as: table.text) }) {
        notes.append(
          "\(migration.folder) has no file for '\(table.text)', and \(count) of its rows went with "
            + "rows that were changed: a trigger deletes them. Users' rows may be among them.")
      }
    }
  }

  private func rowFile(
    _ file: MigrationFile, _ table: String, _ merge: MergeContext
  ) throws -> RowFile {
    let place = migration.place(of: file)
    try refuseMissingTableOfApp(table, place)
    if options.table(table).per != nil { try refuseOwners(of: table, merge.keyOptions, place) }
    let target = try TableTarget.read(
      table, options: options.table(table), keyOptions: merge.keyOptions,
      place: SeedbedError.Place(place), ledger: ledger, on: connection)
    let check = HeaderCheck(
      file: file, place: place, target: target,
      seesEdits: merge.onEdited(target) != .overwriteRow, isInverted: merge.mode.invertsFiles,
      options: options, connection: connection)
    check.isKeyWholeRow = { [catalog, migration, connection] in
      try catalog.isKeyWholeRow(
        of: target.schema, target.key.names, target.options, in: migration, on: connection)
    }
    return try RowFile(check) { [catalog, migration] in try catalog.rows(of: file, in: migration) }
  }

  /// With enforcement on, SQLite would refuse every write to such a table.
  private func refuseBrokenForeignKeys(of targets: [TableTarget]) throws {
    let broken =
      try targets.flatMap { try connection.parentKeys(of: $0.schema).broken }
      + connection.brokenChildren(of: targets.map(\.name))
    if !broken.isEmpty { throw BrokenForeignKeys(keys: broken) }
  }

  /// Not an error yet: the run begins the migration again without enforcement.
  struct BrokenForeignKeys: Error {
    /// Empty if parents were already missing, since SQLite would take those violations for ours.
    var keys: [BrokenForeignKey]

    var reason: String {
      keys.isEmpty
        ? "rows of the database refer to rows that do not exist"
        : "a declaration is broken: " + keys.map(\.sentence).joined(separator: "; ")
    }
  }

  // MARK: the ledger

  private func writeLedger(
    _ digests: [String: String], _ counts: [ExactText: Migrator.Counts], seconds: Double
  ) throws {
    assert(!connection.isOutsideTransaction, "The ledger's row is written with the rows.")
    host.reached(.beforeLedgerRow)
    if migration.isSnapshot { return try noteSnapshot(counts: counts, seconds: seconds) }
    // Without a lock, the checksum is that of the very bytes that were applied.
    // Without owners, their files were not read.
    let checksum =
      try migration.checksum
      ?? (migration.isWithdrawn || isWithoutOwners
        ? catalog.checksum(of: migration) : Checksum.of(digests.map { ($0.key, $0.value) }))
    let applied = try ledger.applied(on: connection)
    var chain = Checksum.chain(
      after: applied.last { $0.version < migration.version }?.chain, version: migration.version,
      checksum: checksum)
    let row = AppliedMigration(
      version: migration.version, name: migration.name,
      state: migration.isWithdrawn ? .withdrawn : .applied, checksum: checksum, chain: chain,
      appliedAt: Clock.timestamp(), durationMs: Duration.clamped(seconds: seconds).milliseconds,
      counts: counts.values.reduce(into: Migrator.Counts(), +=))
    try ledger.insert(row, run: run.id, on: connection)
    if !context.isOnScratch, let download = context.resolved.download(of: migration) {
      try ledger.note(download.heads, on: connection)
    }
    // There are later ones only if this one is applied out of order.
    for later in applied where later.version > migration.version {
      chain = Checksum.chain(after: chain, version: later.version, checksum: later.checksum)
      try ledger.setChain(chain, of: later.version, on: connection)
    }
  }

  func touchedTables(_ findings: MergeContext.Findings) throws -> Set<ExactText> {
    let seeded = findings.counts.filter { $0.value.changed > 0 }.keys
    let written = try connection.writtenTables(besides: Set(seeded))
      .filter { !ledger.owns($0.text) }
    return Set(seeded).union(findings.followed).union(written)
  }
}
