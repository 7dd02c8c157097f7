extension Run {
  /// The seed rows that the database does not have.
  ///
  /// - Parameter tables: nil for all that the catalog fills.
  func absent(from tables: [String]?) throws -> [Migrator.AbsentRow] {
    let (scratch, current) = try scratchAsApplied()
    return try absent(from: scratch.seededTargets(tables).map(\.name), scratch, at: current)
  }

  private func absent(
    from names: [String], _ scratch: Scratch, at current: Version
  ) throws -> [Migrator.AbsentRow] {
    try connection.inReadTransaction {
      try names.flatMap { name in
        let table = try SeededTable(name, scratch: scratch, version: current, context)
        table.passesOverMissingParents = true
        return try table.absent()
      }
    }
  }

  /// Whether there is anything to do. A key that the catalog does not have costs no backup.
  private func isNeeded(
    _ wanted: WantedRows, _ names: [String], _ scratch: Scratch, at current: Version,
    _ counted: ([Migrator.AbsentRow]) -> Void
  ) throws -> Bool {
    switch wanted {
    case .all: return true
    case .absent:
      let rows = try absent(from: names, scratch, at: current)
      counted(rows)
      return !rows.isEmpty
    case .named(let keys):
      try connection.inReadTransaction {
        let table = try SeededTable(names[0], scratch: scratch, version: current, context)
        for key in keys { _ = try table.seedKey(key) }
      }
      return true
    }
  }

  /// Puts rows of several tables back to their state in the catalog at the database's version, in
  /// one transaction, parents before their children.
  ///
  /// - Parameters:
  ///   - tables: nil for all that the catalog fills.
  ///   - counted: called before anything is written, if only absent rows are wanted.
  /// - Returns: a report for each table.
  func reseed(
    _ tables: [String]?, _ wanted: WantedRows, counted: ([Migrator.AbsentRow]) -> Void = { _ in }
  ) throws -> [Migrator.ReseedReport] {
    let (scratch, current) = try scratchAsApplied()
    let names = try scratch.seededTargets(tables).map(\.name)
    var found: [SeededTable.Found] = names.map { ($0, Migrator.Counts(), [], []) }
    if try isNeeded(wanted, names, scratch, at: current, counted) {
      try recorded(.up, from: current, to: current) { run in
        found = try enforcing("'reseed'") {
          try putBack(wanted, names, scratch, at: current, run, enforcesForeignKeys: $0)
        }
      }
    }
    return found.map {
      Migrator.ReseedReport(
        database: databaseName, table: $0.table, version: current, counts: $0.counts,
        changedKeys: $0.changed, replacedKeys: $0.replaced, backup: backup,
        notes: report.notes)
    }
  }

  /// - Throws: `BrokenForeignKeys` if rows of the database already refer to rows that do not exist.
  private func putBack(
    _ wanted: WantedRows, _ names: [String], _ scratch: Scratch, at current: Version,
    _ run: Ledger.Run, enforcesForeignKeys: Bool
  ) throws -> [SeededTable.Found] {
    let writable = try backUp(lock(at: current), run)
    let checks = try ForeignKeyChecks(connection, isNeeded: !enforcesForeignKeys) { [] }
    meter.enter(.applying)
    let changed = try writable.changing {
      try connection.deferForeignKeys()
      try connection.holdOffWriters(of: names)
      return try names.map { name in
        let table = try SeededTable(name, scratch: scratch, version: current, context)
        return try connection.interruptible {
          try scratch.session.inReadTransaction { try table.run(wanted) }
        }
      }
    }
    try checks.refuseNewViolations()
    if try connection.hasForeignKeyViolations() {
      throw SeedbedError.reseedOrphans(names.joined(separator: "', '"))
    }
    try ledger.finishRun(run.id, .applied, on: connection)
    meter.enter(.committing)
    return try commit(changed) { try ledger.openRuns(on: $0).allSatisfy { $0.id != run.id } }
  }
}

extension Scratch {
  /// The tables with these names, or all that the catalog fills, parents before their children.
  fileprivate func seededTargets(_ tables: [String]?) throws -> [TableTarget] {
    let targets = try (tables ?? seededTables()).map(seededTarget)
    let parents = targets.map { (ExactText($0.name), $0.parents.map(\.parent).asTexts) }
    return LoadOrder.groups(
      targets.map(\.name), parents: Dictionary(parents) { first, _ in first }
    ).joined().compactMap { name in targets.first { $0.name.isSameText(as: name) } }
  }

  /// The tables that migrations gave rows, and that still exist under the name.
  private func seededTables() throws -> [String] {
    let names = try fileTables().filter { try session.object(named: $0)?.kind == .table }
    if names.isEmpty { throw SeedbedError.nothingSeeded() }
    return names
  }
}
