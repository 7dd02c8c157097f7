extension Run {
  /// Settles conflicts in one transaction. One that cannot be settled is passed over and reported.
  func resolve(
    _ conflicts: [Migrator.Conflict], _ side: Migrator.Conflict.Side
  ) throws -> Migrator.Settled {
    let time = Clock.timestamp()
    var settled = Migrator.Settled()
    try writing { tables in
      var settling = Settling(side: side, time: time, tables: tables)
      settling.applied = Set(try ledger.applied(on: connection).map(\.version))
      let logged = try ledger.conflicts(on: connection)
      settling.logged = Dictionary(logged.map { ($0.id, $0) }) { first, _ in first }
      settling.ofRow = Dictionary(
        grouping: logged.filter { settling.applied.contains($0.version) }
      ) { [$0.table, $0.key.json] }.mapValues { $0.map(\.id) }
      // The newest of a row first, which closes the others. One may wait for another.
      let listed = Dictionary(conflicts.map { ($0.id, $0) }) { first, _ in first }
      var waiting = listed.values.sorted { $0.id > $1.id }
      while true {
        settling.settled.refused = []
        let rest = try waiting.filter { try !settle($0, &settling) }
        if rest.isEmpty || rest.count == waiting.count { break }
        waiting = rest
      }
      settled = settling.settled
    } isDone: { [ledger] in
      guard let first = settled.conflicts.first else { return true }
      let found = try ledger.conflicts(on: $0, after: first - 1, limit: 1).first
      return found?.settledAt?.text == time
    }
    settled.conflicts.sort()
    settled.refused.sort { $0.conflict < $1.conflict }
    settled.touchedTables = touched.sorted()
    return settled
  }

  private struct Settling {
    let side: Migrator.Conflict.Side
    let time: String
    let tables: SeededTables
    var applied: Set<Version> = []
    /// The log by number.
    var logged: [Int64: Migrator.Conflict] = [:]
    /// The numbers of a row's conflicts, by table and key.
    var ofRow: [[String]: [Int64]] = [:]
    var done: Set<Int64> = []
    var settled = Migrator.Settled()
  }

  private func settle(_ listed: Migrator.Conflict, _ settling: inout Settling) throws -> Bool {
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
        throw SeedbedError.cannotSettle(found, .superseded(by: last.id))
      }
      let closed = others.filter { $0.id < found.id && $0.isCovered(by: [found] + newer) }
      let rows = try settling.tables.rows(of: found.table, for: found)
      if try rows.hasNewKeys(since: found.version) {
        throw SeedbedError.cannotSettle(found, .rekeyed)
      }
      var settlement = try Settlement(found, in: rows)
      var outcome = Settlement.Outcome.same
      _ = try settlement.context.attempt {
        outcome = try settlement.settle(side, at: time)
        for other in closed {
          try ledger.settle(other.id, side, mine: nil, seed: nil, at: time, on: connection)
        }
        return true
      }
      settling.done.formUnion([found.id] + closed.map(\.id))
      settling.settled.conflicts += [found.id] + closed.map(\.id)
      switch outcome {
      case .written: touched.insert(found.table)
      case .changedSince: settling.settled.changedSince.append(found.id)
      case .same: break
      }
      return true
    } catch {
      let error = SeedbedError.from(error)
      guard error.isOfOneRow, connection.isInTransaction else { throw error }
      settling.settled.refused.append(.init(conflict: listed.id, error: error.keeping(listed)))
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
    guard let found, isSame else { throw SeedbedError.cannotSettle(listed, .gone) }
    if !settling.applied.contains(found.version) {
      throw SeedbedError.cannotSettle(found, .takenBack)
    }
    return found
  }

  // MARK: pins and origins

  /// Leaves rows to the user for good.
  ///
  /// - Parameter keys: each by its columns, or as a person writes it.
  /// - Returns: the keys as the ledger has them.
  func pin(_ keys: [KeyName], in table: String) throws -> [Migrator.Row] {
    var pins: [(table: String, key: String)] = []
    var rows: [Migrator.Row] = []
    try writing { tables in
      let seeded = try tables.rows(of: table)
      let name = seeded.target.name
      if try seeded.isDisposable() { throw SeedbedError.disposablePin(name) }
      for key in keys {
        let given = try key.values(in: seeded)
        let text = Reseed.text(given)
        guard let wanted = try seeded.wanted(given, parent: false) else {
          throw SeedbedError.noSuchSeedRow(text, name, key: seeded.target.key.map(\.name))
        }
        // In the types of the column, whatever was given.
        let values = try seeded.keyValues(wanted.only(seeded.target.key.map(\.name)))
        let entry = seeded.collated(values)
        if let reason = try seeded.reason(values), reason != Ledger.pinned {
          throw SeedbedError.leftAlready(name, text, reason)
        }
        try ledger.leaveToUser(
          table: name, key: entry, Ledger.pinned, version: 0, on: connection)
        pins.append((name, entry))
        rows.append(Migrator.Row(seeded.target.key.map(\.name), values))
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
    do {
      try connection.beginImmediate()
      try ledger.unpin(row, on: connection)
      try commit { [ledger] in try !ledger.leftToUser(on: $0).contains(row) }
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Whose rows are; nil for one that neither the database nor the catalog has.
  func origins(of keys: [Migrator.Row], in table: String) throws -> [Migrator.Origin?] {
    let tables = try seededTables()
    return try connection.inReadTransaction {
      let rows = try tables.rows(of: table)
      return try keys.map { key in
        let values = try rows.keyValues(key)
        let current = try rows.current(values)
        let wanted = try rows.wanted(values, parent: false)
        guard let found = (current ?? wanted)?.only(rows.target.key.map(\.name)) else { return nil }
        let reason = try rows.reason(rows.keyValues(found))
        let isPinned = reason == Ledger.pinned
        let kind: Migrator.Origin.Kind
        switch (current, wanted) {
        case (nil, nil): return nil
        case (nil, _): kind = .deleted
        case (_, nil): kind = .user
        case (let current?, let wanted?):
          let ignored = Set(rows.target.options.ignore.map { $0.asciiLowercased() })
          let isSame = wanted.columns.allSatisfy {
            ignored.contains($0.asciiLowercased()) || current[$0] == wanted[$0]
          }
          // A key that a release left to the user has a row of theirs.
          kind = reason != nil && !isPinned ? .user : isSame ? .seed : .edited
        }
        return Migrator.Origin(kind: kind, original: wanted, isPinned: isPinned)
      }
    }
  }
}

/// A key by its columns, or as a person writes it on a command line: `de,Berlin`.
enum KeyName {
  case row(Migrator.Row)
  case text(String)

  func values(in rows: Reseed) throws -> [Value] {
    switch self {
    case .row(let row): try rows.keyValues(row)
    case .text(let text): try rows.key(written: text)
    }
  }
}

// MARK: the catalog beside the database

/// The tables of the catalog as it was at the database's version, each read once.
private final class SeededTables {
  private let context: RunContext
  private let scratch: Scratch
  let version: Version
  private var tables: [String: Reseed] = [:]

  init(_ context: RunContext, _ scratch: Scratch, _ version: Version) {
    (self.context, self.scratch, self.version) = (context, scratch, version)
  }

  func rows(of table: String, for conflict: Migrator.Conflict? = nil) throws -> Reseed {
    if let known = tables[table] { return known }
    if try context.connection.object(named: table) == nil {
      if let conflict { throw SeedbedError.cannotSettle(conflict, .tableGone) }
      throw SeedbedError.noSuchTable(table)
    }
    let found = try Reseed(table, scratch: scratch, version: version, context)
    tables[table] = found
    return found
  }
}

extension Run {
  private func seededTables() throws -> SeededTables {
    let (scratch, version) = try scratchAsApplied()
    return SeededTables(context, scratch, version)
  }

  /// One write transaction, of a database at the version whose catalog it sees.
  private func writing(
    _ body: (SeededTables) throws -> Void, isDone: (any DatabaseSession) throws -> Bool
  ) throws {
    guard try ledger.exists(on: connection) else { throw SeedbedError.noLedger(ledger.prefix) }
    do {
      let tables = try seededTables()
      try beginImmediate(at: tables.version)
      try connection.interruptible { try body(tables) }
      try commit(isDone: isDone)
    } catch {
      connection.rollBack()
      throw error
    }
  }
}

extension SeedbedError {
  /// Whether others may be settled although this one cannot be.
  fileprivate var isOfOneRow: Bool {
    switch code {
    case .usage, .catalog, .csv, .sql, .constraint, .foreignKey, .verify, .conflict: true
    default: false
    }
  }
}
