/// Makes the rows of a database that an app filled those of one version of the catalog: it plays
/// the releases on them.
///
/// 1. Scratch databases play the catalog before anything is locked, and every state that a row had
///    is written down (`Editions`).
/// 2. Each row of the database is placed: the seed's or the user's own, and of which edition
///    (`PlayedTable`).
/// 3. Edition by edition, what it added, changed and retired is merged as of a release, but for
///    rows that are of that edition already. So a database of edition 1, adopted at 5, ends as if
///    it had been adopted at 1 and brought up by 2 to 5.
final class AdoptedDatabase {
  private let run: Run
  private let order: AdoptionOrder
  private let scratch: Scratch
  /// Plays the catalog edition by edition.
  private let playing: Scratch
  private var tables: [PlayedTable] = []
  private(set) var report: Adoption.Report
  private(set) var touched: Set<ExactText> = []
  private(set) var notes: [String] = []
  private let hasLedger: Bool
  /// Whether the rows are those of owners, who are adopted one by one; else the others.
  private let isPerOwner: Bool
  private var owner: Value?

  private var context: RunContext { run.context }
  private var connection: any DatabaseSession { context.connection }
  private var version: Version { order.version }
  /// The releases whose states are compared, the one to adopt last.
  private let releases: [Migration]

  /// Plays the catalog up to the version.
  ///
  /// - Parameter current: the version of the database's ledger, 0 for none. Earlier editions are
  ///   not compared.
  /// - Throws: if the database lacks a table or a column.
  init(
    _ run: Run, _ order: AdoptionOrder, from current: Version, isPerOwner: Bool = false
  ) throws {
    (self.run, self.order, hasLedger) = (run, order, current > 0)
    self.isPerOwner = isPerOwner
    report = Adoption.Report(version: order.version)
    do {
      scratch = try run.emptyScratch(
        of: run.resolved, startingWith: run.catalog.beginning(to: order.version),
        forAnyOwner: isPerOwner)
      try scratch.begin(to: order.version)
      let first = scratch.migrations.last { $0.version <= current }?.version ?? 0
      releases = scratch.migrations.filter { $0.version >= first }
      playing = try run.emptyScratch(
        of: scratch.resolved, startingWith: scratch.start, forAnyOwner: isPerOwner)
    } catch {
      throw SeedbedError.unplayable(SeedbedError.from(error))
    }
    try readTables()
    do {
      var editions = editions
      try editions.play(releases.map(\.version))
    } catch {
      throw SeedbedError.unplayable(SeedbedError.from(error))
    }
  }

  private var editions: Editions {
    Editions(playing, tables) { [scratch] in NamesSince(after: $0, scratch.renamed) }
  }

  // MARK: the tables

  private func readTables() throws {
    notes = []
    tables = try connection.withFixedSchema {
      let found = try scratch.filledTables().filter {
        try (scratch.servingOptions(of: $0).table($0).per != nil) == isPerOwner
      }.compactMap(readTarget)
      let order = LoadOrder.groups(
        found.map(\.live.name),
        parents: Dictionary(
          found.map { (ExactText($0.live.name), $0.live.parents.map(\.parent).asTexts) }
        ) { first, _ in first }
      ).joined()
      let tables = try order.compactMap { name in
        found.first { $0.live.name.isSameText(as: name) }
      }.enumerated().map {
        try PlayedTable(
          $0, $1.live, $1.scratch, columns: $1.columns, hasLedger: hasLedger, on: connection)
      }
      for table in tables {
        let name = table.target.name
        table.connect(
          tables,
          try RowFile(
            .insert, scratch.seededNames(of: table.scratchTarget), of: table.target,
            scratch.servingOptions(of: name), from: "", on: connection))
      }
      return tables
    }
  }

  private func readTarget(
    _ name: String
  ) throws -> (live: TableTarget, scratch: TableTarget, columns: [ColumnSchema])? {
    guard let found = try connection.object(named: name), found.kind == .table else {
      return try passOver(name, orThrow: .notAdopted(without: name, version))
    }
    let options = try scratch.servingOptions(of: name)
    let target = try TableTarget.read(
      name, options: options.table(name),
      keyOptions: KeyOptions(options, ledger: context.ledger, on: connection),
      place: SeedbedError.Place(name), ledger: context.ledger, on: connection)
    let seeded = try scratch.seededTarget(name)
    var columns: [ColumnSchema] = []
    for column in try scratch.copiedColumns(of: seeded) {
      guard let own = target.schema.column(column.name) else {
        return try passOver(
          name, orThrow: .notAdopted(without: column.name, of: target.name, version))
      }
      columns.append(own)
    }
    return (target, seeded, columns)
  }

  /// What a user took away from releases that were here is not compared.
  private func passOver<Found>(
    _ name: String, orThrow error: @autoclosure () -> SeedbedError
  ) throws -> Found? {
    guard hasLedger else { throw error() }
    notes.append("The rows of '\(name)' were not compared: it is not as the catalog made it.")
    return nil
  }

  // MARK: under the lock

  /// Adopts the rows of one owner.
  func adopt(
    of owner: Value, _ ledgersRun: Ledger.Run, _ writable: borrowing Writable, _ isEnforced: Bool
  ) throws {
    report = Adoption.Report(version: version)
    (self.owner, context.owners) = (owner, [owner])
    try adopt(ledgersRun, writable, isEnforced)
  }

  func adopt(_ ledgersRun: Ledger.Run, _ writable: borrowing Writable, _ isEnforced: Bool) throws {
    // Tables that were read without a lock may have changed, and again until they are locked.
    let known = tables.map(\.layout)
    for isLocked in [false, true] {
      if isLocked { try connection.holdOffWriters(of: tables.map(\.target.name)) }
      try readTables()
      guard tables.map(\.layout) == known else { throw SeedbedError.changedMeanwhile() }
    }
    if tables.isEmpty { return }
    let last = try context.ledger.lastConflict(on: connection)
    try connection.comparing { try connection.withFixedSchema(place) }
    try merge(edition: releases.count, ledgersRun, writable, isEnforced) { table, play in
      [try table.retiredDoubles(play)]
    }
    for edition in releases.indices.dropFirst(hasLedger ? 1 : 0).map({ $0 + 1 }) {
      try connection.cancellation?.check()
      try merge(edition: edition, ledgersRun, writable, isEnforced) { table, play in
        try leaveDeleted(of: table, play)
        return [try table.updates(play), try table.deletes(play), try table.inserts(play)]
      }
    }
    let end = try play(releases.count)
    try connection.comparing { for table in tables { try table.countResult(end) } }
    report.conflictCount = try context.ledger.conflictCount(after: last, on: connection)
    if report.conflictCount > 0, context.options.reporting != .outcome {
      report.conflicts = try context.ledger.conflicts(on: connection, after: last, limit: 1000)
    }
    for table in tables { try table.dropTables() }
    report.tables = tables.map(\.report).ordered(by: \.table)
  }

  private func place() throws {
    for table in tables {
      try table.dropTables()
      try editions.copy(table, to: connection)
      if let owner { try table.setOwner(owner) }
      try table.makeTables(of: owner)
    }
    for table in tables {
      try table.findReferences()
      try table.place(besides: table.laterReferences)
    }
    // Rows of one table, or of tables that refer to each other, could not all be known.
    for table in tables where !table.laterReferences.isEmpty {
      try table.findReferences()
      try table.place()
    }
    for table in tables {
      try table.count()
      try table.countEditions(releases.map(\.version), order.absent)
    }
    let arrived = tables.flatMap(\.report.editions).filter(\.hasArrived)
    report.edition = arrived.map(\.version).max() ?? 0
  }

  /// Edition `edition`, with the options of its release under present names.
  private func play(_ edition: Int) throws -> Play {
    let release = releases[edition - 1]
    var options = try context.catalog.options(of: release)
    for table in tables {
      let name = table.target.name
      var own = try scratch.options(of: release, for: name).table(name)
      (own.ownKey, own.per) = (table.target.options.ownKey, table.target.options.per)
      options.tables[name] = own
    }
    return Play(edition: edition, release: release, options: options)
  }

  private func leaveDeleted(of table: PlayedTable, _ play: Play) throws {
    for key in try table.deletedKeys(play) {
      try context.ledger.leaveToUser(
        table: table.target.name, key: RowJSON.collatedKey(table.target.key, key), .deletedByUser,
        version: play.release.version, on: connection)
    }
  }

  /// Merges rows as of the files of a release.
  private func merge(
    edition: Int, _ ledgersRun: Ledger.Run, _ writable: borrowing Writable, _ isEnforced: Bool,
    files: (PlayedTable, Play) throws -> [RowFile?]
  ) throws {
    let play = try play(edition)
    let files = try connection.comparing {
      try connection.withFixedSchema {
        try tables.flatMap { try files($0, play).compactMap(\.self) }
      }
    }
    if files.isEmpty { return }
    let transaction = try run.transaction(
      play.release, ledgersRun, writable, enforcesForeignKeys: isEnforced, options: play.options)
    let outcome = try transaction.adopt(files)
    touched.formUnion(outcome.touched)
    notes += outcome.notes
    for file in files { try connection.execute("DROP TABLE \(file.table)") }
  }
}

extension Scratch {
  /// The tables that migrations gave rows, by their present names, if they still exist.
  func filledTables() throws -> [String] {
    let names = try migrations.flatMap { migration in
      let since = self.names(since: migration)
      let filled =
        try migration.isSnapshot
        ? catalog.options(of: migration).snapshot?.columns.keys.map(\.text).ordered() ?? []
        : migration.files.compactMap(\.table)
      return filled.map(since.table)
    }
    return try names.asTexts.texts.compactMap { name in
      guard let found = try session.object(named: name), found.kind == .table else { return nil }
      return found.name
    }.asTexts.texts
  }
}
