/// An empty database to which the migrations of a catalog are applied. It is removed when this
/// value is released.
package class Scratch {
  package let resolved: ResolvedCatalog
  package let session: any DatabaseSession
  package let ledger: Ledger
  /// The snapshot that it begins with; nil for the first migration.
  package let start: Migration?
  /// The options of catalog.json, after they were read.
  package var generalOptions: MigrationOptions?
  /// The migrations that were applied. If the catalog has a base, the snapshot that replaces the
  /// earlier ones comes first.
  package var migrations: [Migration] = []
  /// The new names that their SQL gave to tables and columns.
  private(set) var renamed: [RunContext.NewNames] = []
  /// The keys that they changed.
  var newKeys: [(version: Version, keys: MergeContext.NewKeys)] = []
  /// Whether neither a policy `fail` nor a missing parent refuses a release: rows are only looked
  /// up, and no user is here.
  var passesFail = false
  /// The owners that have a copy of the rows; nil for a single made-up owner.
  package let owners: [Value]?
  /// Of a pack: its base, in the same database.
  package private(set) var base: Scratch?
  /// Of a pack: views without the base's rows, by the tables that both fill.
  private var views: [Name: String] = [:]
  private let database: EmptyDatabase
  private let host: Host

  package var catalog: Catalog { resolved.catalog }

  /// Nothing is applied yet.
  @inline(never) package init(
    empty resolved: ResolvedCatalog, on database: EmptyDatabase, ledger: String, host: Host = .real,
    startingWith start: Migration? = nil, owners: [Value]? = nil
  ) throws {
    (self.resolved, self.host, self.start, self.owners) = (resolved, host, start, owners)
    (self.database, session) = (database, database.session)
    self.ledger = try Ledger(of: resolved.catalog, beside: ledger, session.dialect)
    try playBase()
  }

  /// Plays another pack of the same base first.
  package func play(beside other: Catalog) throws {
    _ = try Scratch(.authored(other), to: .max, on: database, ledger: ledger.basePrefix)
  }

  /// Plays the base of a pack, whose rows may refer to it.
  private func playBase() throws {
    guard let pack = catalog.pack else { return }
    let prefix = try Ledger(prefix: ledger.basePrefix, dialect: session.dialect)
    if try prefix.exists(on: session) { return }
    guard let base = catalog.packBase else { throw SeedbedError.baseNotNamed(pack) }
    // Without its first folders, a base begins with a snapshot.
    let first = try base.base() == nil ? 0 : base.snapshots().first?.version ?? 0
    let version = base.playedTo ?? max(pack.needs, first)
    if try base.migrationsFromBase().allSatisfy({ $0.version != version }) {
      throw SeedbedError.baseLacks(
        pack, version, of: base, try base.migrations().last?.version ?? 0)
    }
    // It leaves its rows in the same database.
    let played = try Scratch(
      .authored(base), to: version, on: database, ledger: ledger.basePrefix, owners: owners)
    self.base = played
    for table in played.fileTables() { try hideRows(of: Name(table)) }
  }

  /// Makes a view of a table without the rows that are there now.
  private func hideRows(of table: Name) throws {
    guard let found = try session.object(named: table.text), found.kind == .table else { return }
    let schema = try session.schema(of: found.name)
    let option = try catalog.generalOptions().table(table.text).key
    let key = schema.primaryKey.isEmpty ? option ?? [] : schema.primaryKey.names
    if key.isEmpty { return }
    let dialect = session.dialect
    let name = "seedbed:base:\(found.name)"
    let (hidden, view) = (
      dialect.temporary(name), dialect.temporary("seedbed:own:\(found.name)")
    )
    let index = dialect.temporaryIndex(name + ":key", on: name)
    let same = key.map { "t.\($0.quoted) = b.\($0.quoted)" }.allTrue
    try session.executeAll(
      """
      CREATE TABLE \(hidden) AS SELECT \(key.quotedList) FROM \(schema.sql);
      CREATE INDEX \(index) (\(key.quotedList));
      CREATE VIEW \(view) AS SELECT * FROM \(schema.sql) AS t
        WHERE NOT EXISTS (SELECT 1 FROM \(hidden) AS b WHERE \(same));
      """)
    views[table] = view
  }

  /// The table with the catalog's own rows alone: of a pack, without those of its base.
  package func own(_ target: TableTarget) -> TableTarget {
    views[Name(target.name)].map(target.reading) ?? target
  }

  /// Applies all migrations up to a version, to show the seed's rows of a database that has them.
  /// If the app owns its tables, schema.sql creates them.
  package convenience init(
    _ resolved: ResolvedCatalog, to version: Version, on database: EmptyDatabase, ledger: String,
    owners: [Value]? = nil
  ) throws {
    try self.init(
      empty: resolved, on: database, ledger: ledger,
      startingWith: resolved.catalog.beginning(to: version), owners: owners)
    passesFail = true
    try begin(to: version)
  }

  /// Plays the catalog on, up to a version.
  @discardableResult
  func begin(
    to version: Version,
    onStatement: ((MigrationFile.Kind, Script.UpcomingStatement) throws -> Void)? = nil
  ) throws -> Migrator.Report {
    let first = start?.version ?? 0
    migrations =
      try (start.map { [$0] } ?? [])
      + catalog.migrations().filter {
        $0.version <= version && !$0.isWithdrawn && $0.version > first
      }
    guard let last = migrations.last else {
      return Migrator.Report(database: "", from: 0, to: 0, outcome: .upToDate)
    }
    let report = try up(resolved, to: last.version, onStatement: onStatement)
    let reached = try ledger.head(on: session)?.version
    assert(reached == last.version, "It is at \(reached ?? 0), and is played to \(last.version).")
    return report
  }

  /// Applies the pending migrations of the catalog, or of one that continues it.
  ///
  /// - Parameters:
  ///   - passesOverMissingParents: log a row with a missing parent.
  ///   - onStatement: called with each statement of an SQL file before it runs.
  package func up(
    _ resolved: ResolvedCatalog, to version: Version? = nil,
    policies: Migrator.Policies = Migrator.Policies(),
    passesOverMissingParents: Bool = false,
    onStatement: ((MigrationFile.Kind, Script.UpcomingStatement) throws -> Void)? = nil
  ) throws -> Migrator.Report {
    let run = try run(resolved, policies)
    run.context.onStatement = onStatement
    run.context.passesOverMissingParents = passesOverMissingParents || passesFail
    run.usesSnapshot = { [start] in $0.folder == start?.folder }
    // Migrations that were applied stay, even if a later one fails.
    defer {
      renamed += run.context.renamed
      newKeys += run.report.newKeys
    }
    return try run.up(to: version)
  }

  private func run(_ resolved: ResolvedCatalog, _ policies: Migrator.Policies) throws -> Run {
    var options = Migrator.Options()
    options.policies = policies
    options.takesBackup = false
    options.ledger = ledger.basePrefix
    let run = try Run(
      resolved, database: database.kind, options: options, host: host,
      cancellation: session.cancellation, meter: ProgressMeter(nil), connection: session)
    (run.context.isOnScratch, run.context.passesFail) = (true, passesFail)
    run.context.owners = owners
    run.context.isLeftToApp = { [self] in try isLeftToApp($0, in: resolved.catalog) }
    // The catalog may fill now what it left to the app before.
    if let connection = session as? Connection {
      connection.leftToApp = try connection.leftToApp.filter {
        try run.context.isLeftToApp($0.text)
      }
    }
    return run
  }

  /// Whether the app makes a table and its rows: schema.sql creates it, and the catalog has no file
  /// for it; or it has the owners, of whom none is here.
  package func isLeftToApp(_ table: String, in played: Catalog) throws -> Bool {
    let owners = try catalog.generalOptions().tables.values.compactMap(\.per?.table.value)
    if owners.contains(where: { $0.isSameName(as: table) }) { return true }
    let migrations = try played.migrations()
    let all = try catalog.migrations() + migrations + [start].compactMap(\.self)
    if all.contains(where: { $0.files.contains { $0.serves(table) } }) { return false }
    let flavour = session.dialect.flavour
    return try played.isNamed(table, in: [.schema], of: migrations, flavour)
      && !played.isNamed(table, in: [.up, .after], of: migrations, flavour)
  }

  /// Runs SQL files of a migration, in a transaction that ends with the scratch database.
  func begin(_ files: [MigrationFile.Kind], of migration: Migration) throws {
    let run = try run(resolved, Migrator.Policies())
    let enforced = try run.enforces(migration)
    try session.setForeignKeys(enforced: enforced)
    let writable = try run.lock().withoutBackup()
    try session.deferForeignKeys()
    try ledger.create(on: session)
    try ledger.setApplying(migration.version, on: session)
    let transaction = try run.transaction(
      migration, Ledger.Run(id: 0, direction: .up), writable, enforcesForeignKeys: enforced)
    let scripts = MigrationScripts(transaction: transaction)
    for file in files { _ = try scripts.run(file) }
    renamed += run.context.renamed
  }

  /// The table as the last migration with files for it sees it.
  package func seededTarget(_ table: String) throws -> TableTarget {
    guard let serving = try serving(table) else {
      let seeded = fileTables()
      if seeded.isEmpty { throw SeedbedError.nothingSeeded() }
      throw SeedbedError(
        .usage,
        "No applied migration has rows for '\(table.shortened(to: 60))'. Tables with seed rows: "
          + "\(seeded.joined(separator: ", ")).")
    }
    let options = try options(of: serving, for: table)
    let keys = try KeyOptions(options, ledger: ledger, on: session)
    let target = try TableTarget.read(
      table, options: options.table(table), keyOptions: keys,
      place: SeedbedError.Place(serving.folder), ledger: ledger, on: session)
    return owners == nil ? target.ofAnyOwner : target
  }

  /// The tables that files are named after.
  func fileTables() -> [String] {
    migrations.flatMap(\.files).compactMap(\.table).asTexts.texts
  }

  /// The options of the last migration with files for a table, or those for all.
  package func servingOptions(of table: String) throws -> MigrationOptions {
    try serving(table).map { try options(of: $0, for: table) } ?? catalog.generalOptions()
  }

  /// The last migration that has files for a table, or the snapshot that replaces it.
  @inline(never) package func serving(_ table: String) throws -> Migration? {
    try migrations.last { try name(of: table, in: $0) != nil }
  }

  /// The table that a key refers to, if each database chose the values of that key itself.
  func targetWithChosenIDs(_ parent: ParentKey) throws -> TableTarget? {
    guard try serving(parent.parent) != nil else {
      return try base?.targetWithChosenIDs(parent)
    }
    let target = try seededTarget(parent.parent)
    let seeded = try copiedColumns(of: target).filter { column in
      target.options.per == nil || !target.isID(column)
    }.names
    return parent.parentColumns.allSatisfy { seeded.contains(name: $0) } ? nil : target
  }
}
