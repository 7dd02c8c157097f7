/// Settles one conflict: its row goes from the side that it is on to the one that a person chose.
///
/// A side is what it says of the row: values of some columns, a whole row, or that there is none.
///
///     kind                        mine                      seed
///     edited, and what else an    the columns as the user   the same columns as the catalog has
///     update could not write      had them                  them at the database's version
///     keyTaken                    the user's row            the catalog's row
///     deletedByUser, uniqueTaken  no row                    the catalog's row
///     editedRetired, referenced   the user's row            no row
///
/// A row that is on neither side changed since, and stays. What leaves the database is in the log.
struct Settlement {
  let rows: Reseed
  let conflict: Migrator.Conflict
  private let key: [Value]

  typealias Conflict = Migrator.Conflict
  private var connection: Connection { rows.connection }
  private var ledger: Ledger { rows.ledger }
  private var target: TableTarget { rows.target }

  init(_ conflict: Conflict, in rows: Reseed) throws {
    (self.conflict, self.rows) = (conflict, rows)
    if conflict.givesKey || conflict.resolution == .moved {
      throw SeedbedError.cannotSettle(conflict, .newKey)
    }
    key = try rows.keyValues(conflict.key)
  }

  /// - Returns: whether the row was written.
  func settle(_ side: Conflict.Side, at time: String) throws -> Bool {
    let (mine, seed) = try sides()
    let (chosen, other) = side == .mine ? (mine, seed) : (seed, mine)
    let current = try rows.current(key)
    let entry = rows.collated(key)
    let reasons = try ledger.leftToUser(table: target.name, on: connection)
    if reasons.contains(where: { $0.key == entry && $0.kind == Ledger.pinned }), side == .seed {
      throw SeedbedError.pinned(target.name, Reseed.text(key))
    }
    let writes = !Self.is(current, chosen)
    if writes {
      guard Self.is(current, other) else {
        throw SeedbedError.changedSince(conflict, current, other)
      }
      try write(chosen, over: current)
    }
    if !conflict.isOfColumns {
      if side == .seed {
        try ledger.takeBack(table: target.name, key: entry, on: connection)
      } else {
        try ledger.leaveToUser(
          table: target.name, key: entry, conflict.kind, version: conflict.version, on: connection)
      }
    }
    // The user's row may have got columns since, which no log has.
    let leaves = writes && side == .seed && !conflict.isOfColumns ? current : nil
    try ledger.settle(conflict.id, side, mine: leaves, at: time, on: connection)
    return writes
  }

  // MARK: the two sides

  private typealias Side = Migrator.Row?

  private func sides() throws -> (mine: Side, seed: Side) {
    let wanted = try rows.wanted(key)
    switch conflict.kind {
    case .parentDeleted, .parentTaken: throw SeedbedError.cannotSettle(conflict, .parent)
    case .editedRetired where !conflict.isOfColumns, .referenced where !conflict.isOfColumns:
      if wanted != nil { throw SeedbedError.cannotSettle(conflict, .broughtBack) }
      return (conflict.mine, nil)
    case .edited, .deletedByUser, .editedRetired, .referenced, .keyTaken, .uniqueTaken:
      guard let wanted else { throw SeedbedError.cannotSettle(conflict, .retired) }
      if conflict.isOfColumns, let mine = conflict.mine {
        return (mine, wanted.only(mine.columns))
      }
      // If another row is in the way, that one is what the log calls the user's.
      let isOwn = conflict.mine?.has(conflict.key) == true
      return (isOwn ? conflict.mine : nil, wanted)
    }
  }

  private static func `is`(_ row: Migrator.Row?, _ side: Side) -> Bool {
    guard let row, let side else { return row == nil && side == nil }
    return row.has(side)
  }

  // MARK: writing

  private func write(_ side: Side, over current: Migrator.Row?) throws {
    let names = target.key.map(\.name)
    guard let side = side.map(writable) else {
      try refuseIfReferred(current, to: nil)
      return try change("DELETE FROM \(target.sql) WHERE \(Reseed.isRow(names))", key)
    }
    if side.columns != conflict.mine?.columns { try rows.refuseOrphan(side.columns, side.values) }
    guard let current else {
      let marks = side.columns.map { _ in "?" }.joined(separator: ", ")
      return try change(
        "INSERT INTO \(target.sql) (\(side.columns.quotedList)) VALUES (\(marks))", side.values)
    }
    try refuseIfReferred(current, to: side)
    let sets = side.columns.map { "\($0.quoted) = ?" }.joined(separator: ", ")
    try change(
      "UPDATE \(target.sql) SET \(sets) WHERE \(Reseed.isRow(names))", side.values + key)
  }

  /// Without the columns that SQLite computes.
  private func writable(_ row: Migrator.Row) -> Migrator.Row {
    row.only(row.columns.filter { target.schema.column($0)?.generated == .no })
  }

  /// A trigger may say `RAISE(IGNORE)`: then the row is not as the person chose.
  private func change(_ sql: String, _ values: [Value]) throws {
    do {
      try connection.execute(sql, values)
    } catch let failure as SQLiteFailure where failure.isConstraint && connection.isInTransaction {
      throw SeedbedError.cannotSettle(
        conflict, failure.isForeignKey ? .missingParent : .rule(failure))
    }
    // A deferred foreign key speaks up at COMMIT only.
    if try connection.hasForeignKeyViolations() {
      throw SeedbedError.cannotSettle(conflict, .missingParent)
    }
    if connection.changes != 1 { throw SeedbedError.cannotSettle(conflict, .ignored) }
  }

  /// Rows that refer to this one would lose it, or follow it without anybody having chosen that.
  private func refuseIfReferred(_ row: Migrator.Row?, to new: Migrator.Row?) throws {
    guard let row else { return }
    for child in try rows.mergeContext().children(of: target.name) {
      let referred = child.key.parentColumns
      let values = referred.map { row[$0] ?? .null }
      if let new, zip(referred, values).allSatisfy({ new[$0] == nil || new[$0] == $1 }) { continue }
      let matches = child.key.childColumns.map { "\($0.quoted) = ?" }
      let isItself = child.table == target.name ? ["NOT (\(isThisRow))"] : []
      let found = try connection.value(
        "SELECT 1 FROM main.\(child.table.quoted) WHERE \((matches + isItself).allTrue) LIMIT 1",
        values + (isItself.isEmpty ? [] : key))
      if found != nil { throw SeedbedError.cannotSettle(conflict, .referred(by: child.table)) }
    }
  }

  private var isThisRow: String { Reseed.isRow(target.key.map(\.name)) }
}

extension Migrator.Row {
  func only(_ names: [String]) -> Migrator.Row {
    let names = names.filter { self[$0] != nil }
    return Migrator.Row(names, names.map { self[$0] ?? .null })
  }
}

extension Migrator.Conflict {
  private var seedHasKey: Bool { key.columns.allSatisfy { seed?[$0] != nil } }

  /// Whether the release gives the row another key, which its children would have to follow.
  var givesKey: Bool {
    (kind == .keyTaken || kind == .referenced) && seed != nil && base == key
  }

  /// Whether it is about some columns of a row that is there, and not about the row.
  package var isOfColumns: Bool {
    switch kind {
    case .edited: true
    case .uniqueTaken, .referenced: seed != nil && !seedHasKey
    case .deletedByUser, .parentDeleted, .parentTaken, .editedRetired, .keyTaken: false
    }
  }
}
