/// The copies of the catalog's rows for owners that have none: the rows of a scratch database, read
/// once for each new owner.
struct NewCopies {
  let owners: Owners
  let version: Version
  private let run: Run
  private let scratch: Scratch

  private var context: RunContext { run.context }
  private var connection: any DatabaseSession { context.connection }
  private var ledger: Ledger { context.ledger }

  struct Filled {
    let outcome: MigrationTransaction.Outcome
    /// The last release, of which the rows are.
    let migration: Migration
    let owners: [Value]
    /// How the rows became those of the version that the app had given owners before.
    let adopted: Adoption.Report?
  }

  /// nil if there are no new owners.
  init?(_ run: Run) throws {
    guard try run.hasNewOwners(), let owners = try run.owners() else { return nil }
    try self.init(run, owners)
  }

  init(_ run: Run, _ owners: Owners) throws {
    (self.run, self.owners) = (run, owners)
    (scratch, version) = try run.scratchAsApplied(forAnyOwner: true)
  }

  /// Fills all new owners. One whose rows cannot come is named, and stays new.
  func fill(_ run: Ledger.Run, _ writable: borrowing Writable) throws -> [Filled] {
    try ledger.forgetGoneOwners(of: owners, on: connection)
    let new = try ledger.newOwners(of: owners, on: connection)
    if new.count > 1 {
      do {
        return try [attempt(new, run, writable)].compactMap(\.self)
      } catch let error as SeedbedError where error.isOfRow && connection.isInTransaction {
        // Whose rows they are shows one owner after the other.
      }
    }
    return try new.compactMap { owner in
      do {
        return try attempt([owner], run, writable)
      } catch let error as SeedbedError where error.isOfRow && connection.isInTransaction {
        self.run.report.notes.append(note(owner, error))
        return nil
      }
    }
  }

  private func note(_ owner: Value, _ error: SeedbedError) -> String {
    "The owner \(RowJSON.object([owners.key.name], [owner])) of '\(owners.table.name)' has no rows "
      + "yet: \(error.message)"
  }

  private func attempt(
    _ new: [Value], _ run: Ledger.Run, _ writable: borrowing Writable
  ) throws -> Filled? {
    try connection.execute("SAVEPOINT seedbed_owners")
    do {
      let filled = try fill(new, run, writable)
      try connection.execute("RELEASE seedbed_owners")
      return filled
    } catch {
      if connection.isInTransaction {
        try connection.execute("ROLLBACK TO seedbed_owners")
        try connection.execute("RELEASE seedbed_owners")
      }
      throw error
    }
  }

  func fill(
    _ new: [Value], _ run: Ledger.Run, _ writable: borrowing Writable
  ) throws -> Filled? {
    if new.isEmpty { return nil }
    try ledger.note(new, of: owners, on: connection)
    guard let last = scratch.migrations.last else { return nil }
    var options = try context.catalog.options(of: last)
    let targets = try tables(&options).map { try target($0, options) }
    for target in targets {
      guard let column = target.owner else { continue }
      try ledger.forgetLog(of: new, column, of: target.name, on: connection)
    }
    defer { context.owners = nil }
    let old = try ownersToAdopt(new, targets)
    context.owners = new.filter { !old.contains($0) }
    var outcome = MigrationTransaction.Outcome(
      conflictsBefore: try ledger.lastConflict(on: connection))
    if old.count < new.count {
      outcome = try insert(targets, options, last, run, writable)
    }
    let adopted = try adopt(old, run, writable, &outcome)
    return Filled(outcome: outcome, migration: last, owners: new, adopted: adopted)
  }

  private func insert(
    _ targets: [TableTarget], _ options: MigrationOptions, _ last: Migration, _ run: Ledger.Run,
    _ writable: borrowing Writable
  ) throws -> MigrationTransaction.Outcome {
    let transaction = try self.run.transaction(
      last, run, writable, enforcesForeignKeys: connection.enforcesForeignKeys(), options: options)
    var files: [RowFile] = []
    defer { for file in files { try? connection.execute("DROP TABLE IF EXISTS \(file.table)") } }
    for target in targets { files.append(try file(of: target, options)) }
    return try transaction.adopt(files, as: .filling)
  }

  // MARK: owners with rows of earlier editions

  /// The owners whom the app gave rows before, if the app says that they are the catalog's.
  private func ownersToAdopt(_ new: [Value], _ targets: [TableTarget]) throws -> [Value] {
    guard try run.adoptsOwners || run.mayAdopt() else { return [] }
    var found: Set<Value> = []
    for target in targets {
      guard let owner = target.owner?.name.quoted else { continue }
      found.formUnion(
        try connection.rows("SELECT DISTINCT \(owner) FROM \(target.sql)").map { $0[0] })
    }
    return new.filter(found.contains)
  }

  private func adopt(
    _ old: [Value], _ run: Ledger.Run, _ writable: borrowing Writable,
    _ outcome: inout MigrationTransaction.Outcome
  ) throws -> Adoption.Report? {
    if old.isEmpty { return nil }
    let database = try AdoptedDatabase(
      self.run, AdoptionOrder(version: version), from: 0, isPerOwner: true)
    var sum = Adoption.Report(version: version)
    for owner in old {
      try connection.cancellation?.check()
      try database.adopt(of: owner, run, writable, connection.enforcesForeignKeys())
      sum += database.report
    }
    outcome.touched.formUnion(database.touched)
    outcome.notes += database.notes
    return sum
  }

  // MARK: the catalog's rows

  /// The tables with a copy for each owner that releases have filled, and their options.
  private func tables(_ options: inout MigrationOptions) throws -> [String] {
    var found: [String] = []
    for name in try scratch.filledTables() {
      let own = try scratch.servingOptions(of: name).table(name)
      options.tables[name] = own
      if own.per != nil { found.append(name) }
    }
    return found
  }

  private func target(_ table: String, _ options: MigrationOptions) throws -> TableTarget {
    try TableTarget.read(
      table, options: options.table(table),
      keyOptions: KeyOptions(options, ledger: ledger, on: connection),
      place: SeedbedError.Place(table), ledger: ledger, on: connection)
  }

  /// The rows of the scratch database, as a file of a release would write them.
  private func file(of target: TableTarget, _ options: MigrationOptions) throws -> RowFile {
    let source = try scratch.seededTarget(target.name)
    let header = try scratch.seededNames(of: source)
    let file = try RowFile(
      .insert, header, of: target, options,
      from: connection.dialect.temporary("seedbed:new:\(target.name)"), on: connection)
    let theirs = try RowFile(.insert, header, of: source, options, from: "", on: scratch.session)
    try connection.execute(file.tableCreation)
    let values = header.indices.map { theirs.value($0, of: "t") }
    let insert = try connection.cursor(
      "INSERT INTO \(file.table) (\(header.indices.map { "c\($0)" }.listed)) "
        + "VALUES (\(header.map { _ in "?" }.listed))")
    let rows = try scratch.session.cursor(
      "SELECT \(values.listed) FROM \(source.sql) AS t "
        + "ORDER BY \(source.key.names.map { "t.\($0.quoted)" }.listed)")
    while try rows.step() {
      try connection.cancellation?.check()
      try insert.run(rows.values(from: 0))
    }
    return file
  }
}

extension NewCopies {
  /// Whether an owner has no row in any of the tables.
  func isEmpty(_ owner: Value) throws -> Bool {
    guard let last = scratch.migrations.last else { return false }
    var options = try context.catalog.options(of: last)
    return try tables(&options).map { try target($0, options) }.allSatisfy { target in
      guard let column = target.owner?.name.quoted else { return true }
      return try !connection.finds(
        "SELECT 1 FROM \(target.sql) WHERE \(column) = ? LIMIT 1", [owner])
    }
  }
}

extension SeedbedError {
  /// Whether the rows of one owner are the reason.
  fileprivate var isOfRow: Bool { [.constraint, .foreignKey, .conflict, .csv].contains(code) }
}

extension RowFile {
  /// The value of a field in a row of the table, as a file writes it.
  fileprivate func value(_ index: Int, of row: String) -> String {
    let column = fields[index].column.name.quoted
    guard let natural = naturals.first(where: { $0.fields.contains(index) }) else {
      return "\(row).\(column)"
    }
    let matches = zip(natural.keyColumns, natural.receivingColumns).map {
      "p.\($0.name.quoted) = \(row).\($1.name.quoted)"
    }
    return "(SELECT p.\(column) FROM \(natural.parent.sql) AS p WHERE \(matches.allTrue))"
  }
}
