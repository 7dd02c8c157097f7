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
    let owners: Int
  }

  /// nil if there are no new owners.
  init?(_ run: Run) throws {
    let (ledger, connection) = (run.ledger, run.connection)
    guard !run.context.isOnScratch, try ledger.exists(on: connection) else { return nil }
    let options = try run.catalog.generalOptions()
    let keys = try KeyOptions(options, ledger: ledger, on: connection)
    guard let owners = keys.owners, try !ledger.newOwners(of: owners, on: connection).isEmpty
    else { return nil }
    (self.run, self.owners) = (run, owners)
    (scratch, version) = try run.scratchAsApplied(forAnyOwner: true)
  }

  /// Fills all new owners, or only this one.
  func fill(
    _ run: Ledger.Run, _ writable: borrowing Writable, only owner: Value? = nil
  ) throws -> Filled? {
    try ledger.forgetGoneOwners(of: owners, on: connection)
    let new = try ledger.newOwners(of: owners, on: connection)
      .filter { owner == nil || $0 == owner }
    if new.isEmpty { return nil }
    try ledger.note(new, of: owners, on: connection)
    guard let last = scratch.migrations.last else { return nil }
    var options = try context.catalog.options(of: last)
    let tables = try tables(&options)
    context.owners = new
    defer { context.owners = nil }
    let transaction = try self.run.transaction(
      last, run, writable, enforcesForeignKeys: connection.enforcesForeignKeys(), options: options)
    let keys = try KeyOptions(options, ledger: ledger, on: connection)
    try owners.read(for: new, on: connection)
    var files: [RowFile] = []
    defer { for file in files { try? connection.execute("DROP TABLE IF EXISTS \(file.table)") } }
    for table in tables {
      let file = try file(of: table, options, keys)
      files.append(file)
      try ledger.forgetLog(of: new, file.target, on: connection)
    }
    return Filled(outcome: try transaction.adopt(files), migration: last, owners: new.count)
  }

  /// The tables with a copy for each owner that releases have filled, and their options.
  private func tables(_ options: inout MigrationOptions) throws -> [String] {
    var found: [String] = []
    for name in scratch.fileTables() {
      guard let object = try scratch.session.object(named: name), object.kind == .table else {
        continue
      }
      let own = try scratch.servingOptions(of: object.name).table(object.name)
      options.tables[object.name] = own
      if own.per != nil { found.append(object.name) }
    }
    return found
  }

  /// The rows of the scratch database, as a file of a release would write them.
  private func file(
    of table: String, _ options: MigrationOptions, _ keys: KeyOptions
  ) throws -> RowFile {
    let source = try scratch.seededTarget(table)
    let header = try scratch.seededNames(of: source)
    let target = try TableTarget.read(
      table, options: options.table(table), keyOptions: keys, place: SeedbedError.Place(table),
      ledger: ledger, on: connection)
    let file = try RowFile(
      .insert, header, of: target, options, from: connection.dialect.temporary("seedbed:new:\(table)"),
      on: connection)
    let theirs = try RowFile(.insert, header, of: source, options, from: "", on: scratch.session)
    try connection.execute(file.tableCreation)
    let values = header.indices.map { theirs.value($0, of: "t") }
    let insert = try connection.cursor(
      "INSERT INTO \(file.table) (\(header.indices.map { "c\($0)" }.listed)) "
        + "VALUES (\(header.map { _ in "?" }.listed))")
    let rows = try scratch.session.cursor(
      "SELECT \(values.listed) FROM \(source.sql) AS t ORDER BY \(source.key.names.quotedList)")
    while try rows.step() {
      try connection.cancellation?.check()
      try insert.run(rows.values(from: 0))
    }
    return file
  }
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
