extension Run {
  /// Settles conflicts in one transaction. One that cannot be settled is passed over and reported.
  func resolve(
    _ conflicts: [Migrator.Conflict], _ side: Migrator.Conflict.Side
  ) throws -> Migrator.Settled {
    var settling = Settling(side: side, time: Clock.timestamp())
    try writing { tables in
      settling.applied = Set(try ledger.applied(on: connection).map(\.version))
      let logged = try ledger.conflicts(on: connection)
      settling.logged = Dictionary(logged.map { ($0.id, $0) }) { first, _ in first }
      settling.ofRow = Dictionary(
        grouping: logged.filter { settling.applied.contains($0.version) }
      ) { [$0.table, $0.key.json] }.mapValues { $0.map(\.id) }
      // The newest of a row first, which closes the others. One may wait for another.
      let listed = Dictionary(conflicts.map { ($0.id, $0) }) { first, _ in first }
      var waiting = listed.values.ordered { -$0.id }
      while true {
        settling.refused = []
        let rest = try waiting.filter { try !settle($0, tables, &settling) }
        if rest.isEmpty || rest.count == waiting.count { break }
        waiting = rest
      }
    } isDone: { [ledger] in
      guard let first = settling.done.first else { return true }
      let found = try ledger.conflicts(on: $0, after: first - 1, limit: 1).first
      return found?.settledAt?.text == settling.time
    }
    return Migrator.Settled(
      conflicts: settling.done.ordered(), changedSince: settling.changedSince,
      refused: settling.refused.ordered(by: \.conflict),
      touchedTables: touched.ordered())
  }

  private struct Settling {
    let side: Migrator.Conflict.Side
    let time: String
    var applied: Set<Version> = []
    /// The log by number.
    var logged: [Int64: Migrator.Conflict] = [:]
    /// The numbers of a row's conflicts, by table and key.
    var ofRow: [[String]: [Int64]] = [:]
    var done: Set<Int64> = []
    var changedSince: [Int64] = []
    var refused: [Migrator.Settled.Refusal] = []
  }

  /// Errors that are about one conflict, so that others may be settled.
  private static let ofOneRow: Set<SeedbedError.Code> = [
    .usage, .catalog, .csv, .sql, .constraint, .foreignKey, .verify, .conflict,
  ]

  private func settle(
    _ listed: Migrator.Conflict, _ tables: SeededTables, _ settling: inout Settling
  ) throws -> Bool {
    if settling.done.contains(listed.id) { return true }
    do {
      let (side, time) = (settling.side, settling.time)
      var found = try logged(listed, settling)
      let others = settling.ofRow[[found.table, found.key.json], default: []].compactMap {
        $0 == found.id ? nil : settling.logged[$0]
      }
      // A newer conflict decides about its own values.
      let newer = others.filter { $0.id > found.id }
      let isLeft = found.leave(to: newer)
      if let last = newer.last, !isLeft {
        throw found.unsettled("conflict \(last.id) is about the same row, and newer")
      }
      let closed = others.filter { $0.id < found.id && $0.isCovered(by: [found] + newer) }
      let rows = try tables.rows(of: found.table) {
        found.unsettled("the database no longer has the table")
      }
      if try rows.hasNewKeys(since: found.version) {
        throw found.unsettled(
          "a later release changed keys of the table, and the log knows the row by an old one")
      }
      let settlement = try Settlement(found, in: rows)
      var outcome = Settlement.Outcome.same
      _ = try settlement.context.attempt {
        outcome = try settlement.settle(side, at: time)
        for other in closed {
          try ledger.settle(other.id, side, mine: nil, seed: nil, at: time, on: connection)
        }
        return true
      }
      settling.done.formUnion([found.id] + closed.map(\.id))
      if outcome == .written { touched.insert(found.table) }
      if outcome == .changedSince { settling.changedSince.append(found.id) }
      return true
    } catch {
      let error = SeedbedError.from(error)
      guard Self.ofOneRow.contains(error.code), connection.isInTransaction else { throw error }
      settling.refused.append(.init(conflict: listed.id, error: listed.unsettled(by: error)))
      return false
    }
  }

  /// The conflict as the log has it now. A number may mean another one after a restore.
  private func logged(
    _ listed: Migrator.Conflict, _ settling: Settling
  ) throws -> Migrator.Conflict {
    let found = settling.logged[listed.id]
    let isSame =
      found?.table == listed.table && found?.key == listed.key
      && found?.version == listed.version && found?.at == listed.at
    guard let found, isSame else {
      throw listed.unsettled("the log does not have it. List the conflicts again", .usage)
    }
    if !settling.applied.contains(found.version) {
      throw found.unsettled("release \(found.version), in which it occurred, was taken back")
    }
    return found
  }

  // MARK: pins and origins

  /// Leaves rows to the user for good.
  ///
  /// - Parameter keys: what reads the values of each, however it is given.
  /// - Returns: the keys as the ledger has them.
  func pin(
    _ keys: [(Reseed) throws -> [Value]], in table: String
  ) throws -> [Migrator.Row] {
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
      for key in keys {
        let given = try key(seeded)
        guard let wanted = try seeded.wanted(given, parent: false) else {
          throw seeded.noSuchRow(Reseed.text(given))
        }
        // In the types of the column, whatever was given.
        let values = try seeded.keyValues(wanted.only(seeded.keyNames))
        let entry = seeded.collated(values)
        if let reason = try seeded.reason(values), reason != Ledger.pinned {
          throw SeedbedError(
            .usage,
            "The row '\(Reseed.text(given).shortened(to: 60))' of '\(name)' is the user's already "
              + "(\(reason)): releases leave it alone.")
        }
        try ledger.leaveToUser(
          table: name, key: entry, Ledger.pinned, version: 0, on: connection)
        pins.append((name, entry))
        rows.append(Migrator.Row(seeded.keyNames, values))
      }
    } isDone: { [ledger] connection in
      try pins.allSatisfy {
        try ledger.reason(table: $0.table, key: $0.key, on: connection) == Ledger.pinned
      }
    }
    return rows
  }

  /// Ends what `pin` did. The ledger alone knows: a release may have retired the row.
  func unpin(_ row: Migrator.LeftRow) throws {
    defer { connection.rollBack() }
    try connection.beginImmediate()
    try ledger.unpin(row, on: connection)
    try commit { [ledger] in try !ledger.leftToUser(on: $0).contains(row) }
  }

  /// Whose rows are; nil for one that neither the database nor the catalog has.
  func origins(of keys: [Migrator.Row], in table: String) throws -> [Migrator.Origin?] {
    let tables = try SeededTables(self)
    return try connection.inReadTransaction {
      let rows = try tables.rows(of: table)
      return try keys.map { key in
        let values = try rows.keyValues(key)
        let (current, wanted) = try (rows.current(values), rows.wanted(values, parent: false))
        guard let found = (current ?? wanted)?.only(rows.keyNames) else { return nil }
        let reason = try rows.reason(rows.keyValues(found))
        let isPinned = reason == Ledger.pinned
        var kind = Migrator.Origin.Kind.user
        if current == nil {
          kind = .deleted
        } else if let current, let wanted, reason == nil || isPinned {
          // Where a release left a key to the user, the row under it is theirs.
          let ignored = Set(rows.target.options.ignore.map { $0.asciiLowercased() })
          let isSame = wanted.columns.allSatisfy {
            ignored.contains($0.asciiLowercased()) || current[$0] == wanted[$0]
          }
          kind = isSame ? .seed : .edited
        }
        return Migrator.Origin(kind: kind, original: wanted, isPinned: isPinned)
      }
    }
  }

  /// One write transaction, of a database at the version whose catalog it sees.
  private func writing(
    _ body: (SeededTables) throws -> Void, isDone: (any DatabaseSession) throws -> Bool
  ) throws {
    guard try ledger.exists(on: connection) else {
      throw SeedbedError(
        .usage,
        "The database has no ledger '\(ledger.prefix)', so it has no conflicts and no pins. If its "
          + "ledger has another name, use that.")
    }
    defer { connection.rollBack() }
    let tables = try SeededTables(self)
    try beginImmediate(at: tables.version)
    try connection.interruptible { try body(tables) }
    try commit(isDone: isDone)
  }
}

/// The tables of the catalog as it was at the database's version, each read once.
private final class SeededTables {
  private let context: RunContext
  private let scratch: Scratch
  let version: Version
  private var tables: [String: Reseed] = [:]

  init(_ run: Run) throws {
    context = run.context
    (scratch, version) = try run.scratchAsApplied()
  }

  /// - Parameter missing: what to throw if the database has no such table.
  func rows(of table: String, missing: (() -> SeedbedError)? = nil) throws -> Reseed {
    if let known = tables[table] { return known }
    if try context.connection.object(named: table) == nil {
      throw missing?()
        ?? SeedbedError(.usage, "The database has no table '\(table.shortened(to: 60))'.")
    }
    let found = try Reseed(table, scratch: scratch, version: version, context)
    tables[table] = found
    return found
  }
}
