extension Run {
  /// Puts rows back to their state in the catalog at the database's version.
  func reseed(_ table: String, keys: [String]?) throws -> Migrator.ReseedReport {
    try reseed(keys) { try [$0.seededTarget(table)] }[0]
  }

  /// Puts all seed rows of several tables back, or those of all tables that the catalog fills.
  ///
  /// - Returns: a report for each.
  func reseed(_ tables: [String]?) throws -> [Migrator.ReseedReport] {
    try reseed(nil) { try $0.seededTargets(tables) }
  }

  /// Puts them back in one transaction, parents before their children.
  private func reseed(
    _ keys: [String]?, _ targets: (Scratch) throws -> [TableTarget]
  ) throws -> [Migrator.ReseedReport] {
    let (scratch, current) = try scratchAsApplied()
    let names = try targets(scratch).map(\.name)
    var found: [SeededTable.Found] = []
    try recorded(.up, from: current, to: current) { run in
      found = try enforcing("'reseed'") {
        try putBack(keys, names, scratch, at: current, run, enforcesForeignKeys: $0)
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
    _ keys: [String]?, _ names: [String], _ scratch: Scratch, at current: Version,
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
          try scratch.session.inReadTransaction { try table.run(keys) }
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
