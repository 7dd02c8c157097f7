/// Makes the rows of a database that an app filled those of one version of the catalog, in the
/// caller's transaction.
///
/// 1. Two scratch databases play the catalog: one up to the version, the other stops at each
///    edition before it.
/// 2. Each row is compared with all states that it had (`AdoptedTable`).
/// 3. What an edition had and the user did not change becomes the version's, by one merge of all
///    tables. Rows that others know by ids which this database chooses are inserted before.
final class AdoptedDatabase {
  private let context: RunContext
  private let order: AdoptionOrder
  private let scratch: Scratch
  private let makeScratch: () throws -> Scratch
  private var tables: [AdoptedTable] = []
  private(set) var report: Migrator.Report.Adopted
  private(set) var touched: Set<ExactText> = []
  private(set) var notes: [String] = []
  private let hasLedger: Bool

  private var connection: any DatabaseSession { context.connection }
  private var version: Version { order.version }
  /// The versions whose states are compared, the one to adopt last.
  private let versions: [Version]

  /// Plays the catalog up to the version.
  ///
  /// - Parameter current: the version of the database's ledger, 0 for none. Earlier editions are
  ///   not compared.
  /// - Throws: if the database lacks a table or a column.
  init(_ run: Run, _ order: AdoptionOrder, from current: Version) throws {
    (context, self.order, hasLedger) = (run.context, order, current > 0)
    report = Migrator.Report.Adopted(version: order.version)
    makeScratch = {
      let scratch = try Scratch(
        empty: run.resolved, on: run.database.empty(run.options, run.cancellation),
        ledger: run.options.ledger, startingWith: run.catalog.beginning(to: order.version))
      scratch.passesFail = true
      return scratch
    }
    do {
      scratch = try makeScratch()
      try scratch.begin(to: order.version)
    } catch {
      throw SeedbedError.unplayable(SeedbedError.from(error))
    }
    let played = scratch.migrations.map(\.version)
    let first = played.last { $0 <= current } ?? 0
    versions = played.filter { $0 >= first }
    try readTables()
  }

  private func readTables() throws {
    notes = []
    tables = try connection.withFixedSchema {
      try scratch.filledTables().enumerated().compactMap { try table($1, number: $0) }
    }
  }

  /// What a user took away from releases that were here is not compared.
  private func passOver(
    _ name: String, orThrow error: @autoclosure () -> SeedbedError
  ) throws -> AdoptedTable? {
    guard hasLedger else { throw error() }
    notes.append("The rows of '\(name)' were not compared: it is not as the catalog made it.")
    return nil
  }

  func adopt() throws {
    // They may have changed since they were read without a lock.
    try readTables()
    if tables.isEmpty { return }
    try connection.withFixedSchema {
      let order = LoadOrder.groups(
        tables.map(\.target.name),
        parents: Dictionary(
          tables.map { (ExactText($0.target.name), $0.target.parents.map(\.parent).asTexts) }
        ) { first, _ in first }
      ).joined()
      tables = order.compactMap { name in tables.first { $0.target.name.isSameText(as: name) } }
      try connection.holdOffWriters(of: tables.map(\.target.name))
      let last = try ledgersLastConflict()
      try connection.comparing { try compare() }
      try merge()
      report.conflictCount = try context.ledger.conflictCount(
        of: version, after: last, on: connection)
      if report.conflictCount > 0, context.options.reporting != .outcome {
        report.conflicts = try context.ledger.conflicts(
          on: connection, version: version, after: last, limit: 1000)
      }
      for table in tables { try table.dropTables() }
      try connection.noteIDs(of: tables.map(\.target.schema))
    }
    report.tables = tables.map(\.report).ordered(by: \.table)
  }

  private func ledgersLastConflict() throws -> Int64 {
    try context.ledger.lastConflict(on: connection)
  }

  private func table(_ name: String, number: Int) throws -> AdoptedTable? {
    guard let found = try connection.object(named: name), found.kind == .table else {
      return try passOver(name, orThrow: .notAdopted(without: name, version))
    }
    let options = try scratch.servingOptions(of: name)
    let target = try TableTarget.read(
      name, options: options.table(name), keyOptions: keyOptions(),
      place: SeedbedError.Place(name), ledger: context.ledger, on: connection)
    for column in try scratch.seededColumns(of: scratch.seededTarget(name))
    where target.schema.column(column.name) == nil {
      return try passOver(
        name, orThrow: .notAdopted(without: column.name, of: target.name, version))
    }
    let seeded = try SeededTable(name, scratch: scratch, version: version, context)
    seeded.passesOverMissingParents = true
    return try AdoptedTable(seeded, target, number: number)
  }

  private func options() throws -> MigrationOptions {
    try scratch.migrations.last.map(context.catalog.options) ?? context.catalog.generalOptions()
  }

  private func keyOptions() throws -> KeyOptions {
    try KeyOptions(options(), ledger: context.ledger, on: connection)
  }

  // MARK: the comparison

  private func compare() throws {
    for table in tables { try table.makeTables() }
    let editions = try makeScratch()
    editions.reporting = .keys
    for (number, version) in versions.dropLast().enumerated() {
      try connection.cancellation?.check()
      let played: Migrator.Report
      do {
        played = try editions.begin(to: version)
      } catch {
        throw SeedbedError.unplayable(SeedbedError.from(error))
      }
      try editions.session.inReadTransaction {
        try read(version, of: editions, number: number + 1, played)
      }
    }
    try scratch.session.inReadTransaction {
      for table in tables { try table.addNow(edition: versions.count) }
    }
    for table in tables {
      try table.compare()
      try table.count()
    }
    let newest = try tables.map { try $0.newestEdition() }.max() ?? 0
    report.edition = newest > 0 ? versions[newest - 1] : 0
  }

  /// Reads the rows that an edition changed.
  private func read(
    _ version: Version, of editions: Scratch, number: Int, _ played: Migrator.Report
  ) throws {
    let names = NamesSince(after: version, scratch.renamed)
    for name in try editions.session.tableNames() {
      guard let table = tables.first(where: { $0.target.name.isSameName(as: names.table(name)) })
      else { continue }
      // All of them at first: a snapshot or earlier editions may have come before.
      let isTouched = number == 1 || played.touchedTables.contains(name: name)
      if isTouched { try EditionRows(table, name, names, editions, number).read(played) }
    }
  }

  // MARK: the merge

  private func merge() throws {
    let newest =
      switch order.absent {
      case .byEdition: versions.firstIndex(of: report.edition).map { $0 + 1 } ?? 0
      case .deleted: versions.count
      case .missing: 0
      }
    for table in tables {
      table.report.deleted = try table.leaveDeleted(upTo: newest, version: version)
    }
    try insertChosenParents(after: newest)
    // A merge takes the functions with it by which values are compared.
    let files = try connection.comparing {
      try tables.flatMap { try [$0.updates(), $0.deletes()].compactMap(\.self) }
        + tables.compactMap { try $0.inserts(after: newest) }
    }
    for table in tables { table.report.deleted += try table.orphans(after: newest) }
    try merge(files)
  }

  /// Rows whose ids this database chooses come first: the rows that refer to them can only be
  /// written down then.
  private func insertChosenParents(after newest: Int) throws {
    for (place, table) in tables.enumerated() {
      let isReferred = try tables[place...].contains { child in
        try child.seeded.scratchTarget.parents.contains {
          try $0.parent.isSameText(as: table.target.name)
            && child.seeded.targetWithChosenIDs($0) != nil
        }
      }
      guard isReferred, let file = try table.inserts(after: newest) else { continue }
      try merge([file])
      for child in tables[place...] where child.incomplete > 0 {
        try scratch.session.inReadTransaction {
          try child.addNow(edition: versions.count, again: true)
        }
        try connection.comparing {
          try child.compare()
          if child !== table { try child.count() }
        }
      }
    }
  }

  private func merge(_ files: [RowFile]) throws {
    if files.isEmpty { return }
    let merge = MergeContext(
      run: context, version: version, mode: .adopting, options: try options(),
      keyOptions: try keyOptions(), collectsKeys: false, createdTables: [])
    try merge.keyOptions.raiseReserves(on: connection)
    try MigrationMerge(context: merge).run(files)
    for file in files { try connection.execute("DROP TABLE \(file.source)") }
    for table in tables {
      guard let counts = merge.findings.counts[ExactText(table.target.name)] else { continue }
      table.report.refreshed += counts.updated
      table.report.inserted += counts.inserted
      table.report.retired += counts.deleted
      if counts.changed > 0 { touched.insert(ExactText(table.target.name)) }
    }
    touched.formUnion(merge.findings.followed)
  }
}

extension Scratch {
  /// The tables that migrations gave rows, by their present names, if they still exist.
  fileprivate func filledTables() throws -> [String] {
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
