extension Run {
  /// Settles the rows of conflicts in one transaction. A row that cannot be settled is skipped and
  /// reported.
  func resolve(
    _ conflicts: [Migrator.Conflict], with side: Migrator.Conflict.Side
  ) throws -> Migrator.Settlement {
    var settled = Migrator.Settlement()
    let time = Clock.timestamp()
    try writing { tables in
      try tables.findRetired(conflicts) {
        try emptyScratch(of: tables.scratch.resolved, startingWith: tables.scratch.start)
      }
    } body: { tables in
      var (waiting, refused) = try conflictedRows(conflicts)
      let unknown = refused
      // A row may wait for another that it refers to.
      var last = Int.max
      while !waiting.isEmpty, waiting.count < last {
        (last, refused) = (waiting.count, unknown)
        waiting = try waiting.filter { row in
          do {
            try settle(row, side, tables, at: time, &settled)
            return false
          } catch {
            let error = SeedbedError.from(error)
            guard Self.ofOneRow.contains(error.code), connection.isInTransaction else {
              throw error
            }
            refused += row.refusals(error)
            return true
          }
        }
      }
      let ring = Set(refused.filter { $0.error.code == .foreignKey }.map(\.conflict))
      let done = try settleTogether(
        waiting.filter { ring.contains($0.chosen[0].id) }, side, tables, at: time, &settled)
      settled.refused = refused.filter { !done.contains($0.conflict) }.ordered(by: \.conflict)
    } isDone: { [ledger] in
      guard let first = settled.conflicts.first else { return true }
      let found = try ledger.conflicts(on: $0, after: first - 1, limit: 1).first
      return found?.settledAt?.text == time
    }
    settled.conflicts = settled.conflicts.ordered()
    settled.touchedTables = report.touched.texts
    return settled
  }

  /// Errors about one row, after which others may be settled.
  private static let ofOneRow: Set<SeedbedError.Code> = [
    .usage, .catalog, .csv, .sql, .constraint, .foreignKey, .verify, .conflict,
  ]

  /// Settles rows that wait for each other, as far as they can only go or come at once. A release
  /// retires or inserts such rows at once, too.
  ///
  /// - Returns: the numbers of their chosen conflicts.
  private func settleTogether(
    _ rows: [ConflictedRow], _ side: Migrator.Conflict.Side, _ tables: SeededTables,
    at time: String, _ settled: inout Migrator.Settlement
  ) throws -> Set<Int64> {
    guard let first = rows.first else { return [] }
    var rows = rows
    let context = try tables.rows(of: first.conflict.table).mergeContext()
    try connection.deferForeignKeys()
    // Without those for which a row outside is in the way, others may be, too.
    while !rows.isEmpty {
      var (found, refused) = (settled, Set<Int64>())
      let before = report.touched
      func attempt(_ row: ConflictedRow, _ body: () throws -> Void) throws {
        do {
          try body()
        } catch let error as SeedbedError
          where Self.ofOneRow.contains(error.code) && connection.isInTransaction
        {
          refused.insert(row.conflict.id)
        }
      }
      let isDone = try context.attempt {
        let together = SettledTogether()
        for row in rows {
          try attempt(row) { try together.add(settlement(of: row, tables), side) }
        }
        // The engine may delete what refers to a row that goes, so all are checked before one does.
        for row in rows { try attempt(row) { try together.refuseIfReferred(row.conflict) } }
        if !refused.isEmpty { return false }
        for row in rows {
          try attempt(row) { try settle(row, side, tables, at: time, &found, together) }
        }
        for row in rows { try attempt(row) { try together.check(row.conflict) } }
        if refused.isEmpty, try connection.hasForeignKeyViolations() {
          refused.formUnion(rows.map(\.conflict.id))
        }
        return refused.isEmpty
      }
      if isDone {
        settled = found
        return Set(rows.flatMap(\.chosen).map(\.id))
      }
      report.touched = before
      rows.removeAll { refused.contains($0.conflict.id) }
    }
    return []
  }

  /// The rows of conflicts as the log has them now, the row with the newest conflict first, and the
  /// numbers that are not in the log. After a restore, a number may mean another conflict.
  private func conflictedRows(
    _ listed: [Migrator.Conflict]
  ) throws -> ([ConflictedRow], refused: [Migrator.Settlement.Refusal]) {
    let applied = Set(try ledger.applied(on: connection).map(\.version))
    // Two spellings of a text are equal as Strings, but they are two values.
    let key = { (conflict: Migrator.Conflict) in
      Migrator.Row([conflict.table] + conflict.key.columns, [.null] + conflict.key.values)
    }
    // Of a long log, only the conflicts of these rows.
    let wanted = Set(listed.map(key))
    var logged: [Migrator.Conflict] = []
    try ledger.eachConflict(on: connection) {
      if wanted.contains(key($0)) { logged.append($0) }
    }
    let known = Dictionary(logged.map { ($0.id, $0) }) { first, _ in first }
    var refused: [Migrator.Settlement.Refusal] = []
    var chosen: [Int64: Migrator.Conflict] = [:]
    for conflict in listed {
      let found = known[conflict.id]
      let isSame =
        found?.table.isSameText(as: conflict.table) == true && found?.key == conflict.key
        && found?.version == conflict.version && found?.at == conflict.at
      if !isSame {
        let error = conflict.unsettled("the log does not have it. List the conflicts again", .usage)
        refused.append(.init(conflict: conflict.id, error: error))
      } else if !applied.contains(conflict.version) {
        let error = conflict.unsettled(
          "release \(conflict.version), in which it occurred, was taken back")
        refused.append(.init(conflict: conflict.id, error: error))
      } else {
        chosen[conflict.id] = found
        chosen[conflict.id]?.names = conflict.names
      }
    }
    let newestFirst = logged.reversed().filter { applied.contains($0.version) }
    let ofRow = Dictionary(grouping: newestFirst, by: key)
    let rows = Dictionary(grouping: chosen.values.ordered { -$0.id }, by: key).map {
      ConflictedRow(ofRow[$0, default: $1], chosen: $1)
    }
    return (rows.ordered { -$0.chosen[0].id }, refused)
  }

  private func settle(
    _ row: ConflictedRow, _ side: Migrator.Conflict.Side, _ tables: SeededTables, at time: String,
    _ settled: inout Migrator.Settlement, _ together: SettledTogether? = nil
  ) throws {
    let conflict = row.conflict
    let settlement = try settlement(of: row, tables)
    settlement.together = together
    var outcome = RowSettlement.Outcome.same
    _ = try settlement.context.attempt {
      outcome = try settlement.settle(side, closing: row.closed, at: time)
      return true
    }
    settled.conflicts += row.closed
    if outcome == .written { report.touched.insert(conflict.table) }
    if outcome == .changedSince { settled.changedSince.append(conflict.id) }
  }

  private func settlement(
    of row: ConflictedRow, _ tables: SeededTables
  ) throws -> RowSettlement {
    let conflict = row.conflict
    let rows = try tables.rows(of: conflict.table) {
      conflict.unsettled("the database no longer has the table")
    }
    // The log knows a row by the key that it had before its release. A row that could not get a new
    // one still has it, and settling that writes nothing.
    if try rows.hasNewKeys(from: conflict.isOfKeys ? row.since + 1 : row.since) {
      throw conflict.unsettled(
        "its release or a later one changed keys of the table, and the log has the old key")
    }
    return try RowSettlement(
      conflict, isRetired: tables.retired.contains(conflict.id), in: rows)
  }

  // MARK: pins and origins

  /// Leaves rows to the user for good.
  ///
  /// - Returns: the keys as the ledger has them.
  func pin(_ keys: [GivenKey], in table: String) throws -> [Migrator.Row] {
    var pins: [(table: String, key: String)] = []
    var rows: [Migrator.Row] = []
    try writing { tables in
      let seeded = try tables.rows(of: table)
      let name = seeded.target.name
      if try seeded.isDisposable() {
        throw SeedbedError(
          .usage,
          "'\(name)' is declared disposable: its rows go with the rows they refer to, so that none "
            + "can be pinned.")
      }
      for given in keys {
        let found = try seeded.seedKey(given)
        // In the types of the column, whatever was given.
        guard let values = found.own else { throw try seeded.parentMissing(of: found.catalogs) }
        let entry = seeded.collated(values)
        if let reason = try seeded.reason(values) {
          throw SeedbedError(
            .usage,
            "The row '\(given.text.shortened(to: 60))' of '\(name)' is the user's "
              + "already (\(reason)): releases leave it alone.")
        }
        try ledger.leaveToUser(
          table: name, key: entry, .pinned, version: 0, on: connection)
        pins.append((name, entry))
        rows.append(Migrator.Row(seeded.keyNames, values))
      }
    } isDone: { [ledger] connection in
      try pins.allSatisfy {
        try ledger.isPinned(table: $0.table, key: $0.key, on: connection)
      }
    }
    return rows
  }

  /// Undoes a `pin`. Only the ledger is read, because a release may have retired the row.
  func unpin(_ row: Migrator.UserOwnedKey) throws {
    defer { connection.rollBack() }
    let changed = try lock().withoutBackup().changing { try ledger.unpin(row, on: connection) }
    try commit(changed) { [ledger] in try !ledger.leftToUser(on: $0).contains(row) }
  }

  /// Those of the keys that are pinned and that this is as the row files write it: by names, or a
  /// UUID without its dashes.
  func pinned(_ pins: [Migrator.UserOwnedKey], named given: GivenKey) throws
    -> [Migrator.UserOwnedKey]
  {
    guard let table = pins.first?.table, try connection.object(named: table)?.kind == .table else {
      return []
    }
    let schema = try connection.schema(of: table)
    let uuids = schema.columns.filter { ($0.baseType ?? $0.declaredType) == "uuid" }.names.asNames
    let columns = uuids.union(schema.foreignKeys.flatMap(\.childColumns).asNames)
    // Other keys are written in one way, so the catalog need not be played.
    if !pins.contains(where: { !columns.isDisjoint(with: $0.key.columns.asNames) }) { return [] }
    let tables = try SeededTables(self, onlyReads: true)
    return try connection.inReadTransaction {
      let rows = try tables.rows(of: table)
      return try pins.filter { pin in
        guard pin.key.columns.count == rows.keyNames.count else { return false }
        let values = try rows.keyValues(pin.key)
        return try rows.names(of: values).map(given.isKey) ?? false
          || !uuids.isDisjoint(with: pin.key.columns.asNames) && rows.rowKey(given)?.own == values
      }
    }
  }

  /// The origins of rows; nil for a row that neither the database nor the catalog has.
  func origins(_ keys: [GivenKey], in table: String) throws -> [Migrator.Origin?] {
    let tables = try SeededTables(self, onlyReads: true)
    return try connection.inReadTransaction {
      let rows = try tables.rows(of: table)
      return try keys.map { given in
        guard let key = try rows.rowKey(given) else { return nil }
        let current = try key.own.flatMap(rows.current)
        let wanted = try key.catalogs.flatMap { try rows.seedRow($0, parent: false) }
        guard let found = (current ?? wanted)?.only(rows.keyNames) else { return nil }
        let values = try rows.keyValues(found)
        let kind = try rows.kind(current, wanted, left: rows.reason(values))
        return try Migrator.Origin(
          kind: kind, original: wanted, isPinned: rows.isPinned(values))
      }
    }
  }

  /// Runs one write transaction on a database whose version matches the catalog that was read.
  ///
  /// - Parameter prepare: called before it, since it may take long.
  private func writing(
    _ prepare: (SeededTables) throws -> Void = { _ in }, body: (SeededTables) throws -> Void,
    isDone: (any DatabaseSession) throws -> Bool
  ) throws {
    guard try ledger.exists(on: connection) else {
      throw SeedbedError(
        .usage,
        "The database has no ledger '\(ledger.prefix)', so it has no conflicts and no pins. If its "
          + "ledger has another name, use that.")
    }
    defer { connection.rollBack() }
    let tables = try SeededTables(self)
    try prepare(tables)
    let changed = try lock(at: tables.version).withoutBackup().changing {
      try connection.interruptible { try body(tables) }
    }
    try commit(changed, isDone: isDone)
  }
}
