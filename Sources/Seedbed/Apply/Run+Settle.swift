extension Run {
  /// Settles conflicts in one transaction. One that cannot be settled is passed over, and said.
  func resolve(
    _ conflicts: [Migrator.Conflict], _ side: Migrator.Conflict.Side
  ) throws -> Migrator.Settled {
    let time = Clock.timestamp()
    var settled = Migrator.Settled()
    try writing { tables in
      settled = Migrator.Settled()
      let applied = Set(try ledger.applied(on: connection).map(\.version))
      for listed in conflicts {
        do {
          let found = try ledger.conflicts(on: connection, after: listed.id - 1, limit: 1).first
          guard let found, found.id == listed.id else {
            throw SeedbedError.cannotSettle(listed, .gone)
          }
          guard applied.contains(found.version) else {
            throw SeedbedError.cannotSettle(found, .takenBack)
          }
          let isWritten = try inSavepoint {
            try Settlement(found, in: tables.rows(of: found.table)).settle(side, at: time)
          }
          settled.conflicts.append(found.id)
          if isWritten { touched.insert(found.table) }
        } catch let error as SeedbedError where error.isOfOneRow && connection.isInTransaction {
          settled.refused.append(.init(conflict: listed.id, error: error))
        }
      }
    } isDone: { [ledger] in
      guard let first = settled.conflicts.first else { return true }
      let found = try ledger.conflicts(on: $0, after: first - 1, limit: 1).first
      return found?.settledAt?.text == time
    }
    settled.touchedTables = touched.sorted()
    return settled
  }

  /// Leaves a row to the user for good, or ends that.
  func pin(_ key: Migrator.Row, in table: String, _ isPinned: Bool) throws {
    var (name, entry) = (table, "")
    try writing { tables in
      let rows = try tables.rows(of: table)
      let values = try rows.keyValues(key)
      (name, entry) = (rows.target.name, rows.collated(values))
      let reason = try ledger.leftToUser(table: name, on: connection)
        .first { $0.key == entry }?.kind
      let text = Reseed.text(values)
      switch (isPinned, reason) {
      case (true, Ledger.pinned): return
      case (true, let reason?): throw SeedbedError.leftAlready(name, text, reason)
      case (true, nil):
        if try rows.isDisposable() { throw SeedbedError.disposablePin(name) }
        guard try rows.wanted(values) != nil else {
          throw SeedbedError.noSuchSeedRow(text, name, key: rows.target.key.map(\.name))
        }
        try ledger.leaveToUser(
          table: name, key: entry, Ledger.pinned, version: 0, on: connection)
      case (false, Ledger.pinned):
        try ledger.takeBack(table: name, key: entry, on: connection)
      case (false, _): throw SeedbedError.notPinned(name, text)
      }
    } isDone: { [ledger] in
      let left = try ledger.leftToUser(table: name, on: $0)
      return left.contains { $0.key == entry && $0.kind == Ledger.pinned } == isPinned
    }
  }

  /// Whose a row is; nil if neither the database nor the catalog has it.
  func origin(of key: Migrator.Row, in table: String) throws -> Migrator.Origin? {
    let rows = try seededTables().rows(of: table)
    let values = try rows.keyValues(key)
    let (current, wanted) = (try rows.current(values), try rows.wanted(values))
    let reason = try ledger.leftToUser(table: rows.target.name, on: connection)
      .first { $0.key == rows.collated(values) }?.kind
    let isUsers = reason == Migrator.Conflict.Kind.keyTaken.rawValue
    let kind: Migrator.Origin.Kind
    switch (current, wanted) {
    case (nil, nil): return nil
    case (nil, _): kind = .deleted
    case (_, nil): kind = .user
    case (let current?, let wanted?):
      kind = isUsers ? .user : current.has(wanted) ? .seed : .edited
    }
    return Migrator.Origin(kind: kind, original: wanted, isPinned: reason == Ledger.pinned)
  }

  /// A key as a person writes it, `de,Berlin`.
  func key(written text: String, in table: String) throws -> Migrator.Row {
    try seededTables().rows(of: table).key(written: text)
  }

  // MARK: the catalog beside the database

  /// The tables of the catalog as it was at the database's version, each read once.
  final class SeededTables {
    private let read: (String) throws -> Reseed
    private var tables: [String: Reseed] = [:]

    init(_ read: @escaping (String) throws -> Reseed) { self.read = read }

    func rows(of table: String) throws -> Reseed {
      if let known = tables[table] { return known }
      let found = try read(table)
      tables[table] = found
      return found
    }
  }

  private func seededTables() throws -> SeededTables {
    try connection.refuseCoreData()
    let plan = try catalog.plan(for: ledger, on: connection)
    if plan.current > plan.target {
      throw SeedbedError.newer(current: plan.current, target: plan.target)
    }
    try plan.refuseDrift(lineEndings)
    let scratch = try ScratchDatabase(
      catalog, to: plan.current, ledger: options.ledger, cancellation: cancellation)
    return SeededTables { [context] in
      try Reseed($0, scratch: scratch, version: plan.current, context)
    }
  }

  /// One write transaction, of a database at the version whose catalog it sees.
  private func writing(
    _ body: (SeededTables) throws -> Void, isDone: (Connection) throws -> Bool
  ) throws {
    do {
      let tables = try connection.inReadTransaction { try seededTables() }
      let version = try ledger.head(on: connection)?.version
      try connection.beginImmediate()
      guard try ledger.head(on: connection)?.version == version else {
        throw SeedbedError.appliedMeanwhile(try ledger.head(on: connection)?.version ?? 0)
      }
      try connection.interruptible { try body(tables) }
      try commit(isDone: isDone)
    } catch {
      connection.rollBack()
      throw error
    }
  }

  private func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.execute("SAVEPOINT seedbed_settle")
    do {
      let result = try body()
      try connection.execute("RELEASE seedbed_settle")
      return result
    } catch {
      if connection.isInTransaction {
        try connection.execute("ROLLBACK TO seedbed_settle")
        try connection.execute("RELEASE seedbed_settle")
      }
      throw error
    }
  }
}

extension SeedbedError {
  /// Whether others may be settled although this one cannot be.
  fileprivate var isOfOneRow: Bool {
    switch code {
    case .conflict, .constraint, .foreignKey, .usage, .sql: true
    default: false
    }
  }
}
