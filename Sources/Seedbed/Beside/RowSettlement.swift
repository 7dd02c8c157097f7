/// Settles a conflict: its row goes from the side that it is on to the one that a person chose.
///
/// A side consists of values of some columns, of a whole row, or of no row. The seed's side is that
/// of the catalog at the database's version, whichever release set it.
///
///     kind                               mine                     seed
///     edited, and what else an update    the columns as the user  the same columns of the
///     could not write                    had them                 catalog's row
///     keyTaken, editedRetired,           the user's row           the catalog's row, or no row
///     referenced
///     deletedByUser, uniqueTaken,        no row                   the catalog's row, or no row
///     parentDeleted, parentTaken
///
/// A value that neither side has was changed since, and stays. Columns that no file sets also stay
/// if the row does. Values that leave the database are in the log or in the catalog.
final class RowSettlement {
  let rows: SeededTable
  let conflict: Migrator.Conflict
  /// Whether a release retired the conflict's row since, so that one under its key is another.
  private let isRetired: Bool
  let key: [Value]
  /// Knows which tables refer to which.
  let context: MergeContext
  /// The new values of both sides in the log; nil leaves them as they are.
  private var (loggedMine, loggedSeed): (Migrator.Row?, Migrator.Row?) = (nil, nil)
  /// If others are settled with it.
  weak var together: SettledTogether?

  typealias Conflict = Migrator.Conflict
  typealias Row = Migrator.Row
  var connection: any DatabaseSession { rows.connection }
  var dialect: any Dialect { connection.dialect }
  var ledger: Ledger { rows.ledger }
  var target: TableTarget { rows.target }

  enum Outcome {
    case written, same
    /// The user changed the row since, and chose to keep it.
    case changedSince
  }

  init(_ conflict: Conflict, isRetired: Bool, in rows: SeededTable) throws {
    (self.conflict, self.isRetired, self.rows) = (conflict, isRetired, rows)
    key = try rows.keyValues(conflict.key)
    context = try rows.mergeContext()
  }

  /// - Parameter closed: the numbers of the conflicts that this decides.
  func settle(_ side: Conflict.Side, closing closed: [Int64], at time: String) throws -> Outcome {
    assert(!connection.isOutsideTransaction, "A conflict is settled with its row.")
    assert(closed.contains(conflict.id), "It closes others, and not itself.")
    let outcome = try side == .seed ? takeSeed() : takeMine()
    if conflict.isOfRow {
      let entry = rows.collated(key)
      if side == .seed {
        try ledger.takeBack(table: target.name, key: entry, on: connection)
      } else if !conflict.isParents {
        try ledger.leaveToUser(
          table: target.name, key: entry, Reason(conflict.kind), version: conflict.version,
          on: connection)
      }
    }
    for id in closed {
      let isThis = id == conflict.id
      try ledger.settle(
        id, side, mine: isThis ? loggedMine : nil, seed: isThis ? loggedSeed : nil, at: time,
        on: connection)
    }
    return outcome
  }

  // MARK: the two sides

  private func takeSeed() throws -> Outcome {
    if try rows.isPinned(key) { throw rows.pinned(key) }
    let (current, seed) = try (rows.current(key), seed(parent: true))
    if self.is(current, seed) { return .same }
    if conflict.isOfKeys {
      throw conflict.unsettled("a row would get another key, and only a release can give it one")
    }
    try refuseMissingColumn()
    if let change = change(of: current, from: seed) {
      throw conflict.unsettled("the row changed since, \(change)")
    }
    if conflict.isOfRow, !isAsLogged(current) { loggedMine = current }
    if let seed {
      let written = try write(seed, over: current, isSeeds: true)
      if mine == nil { loggedSeed = written }
    } else if let current {
      try delete(current)
    }
    return .written
  }

  private func takeMine() throws -> Outcome {
    if conflict.isOfKeys { return .same }
    let current = try rows.current(key)
    if self.is(current, mine) { return .same }
    // A row under a key that is the user's is theirs, even if the seed has the same row.
    guard try !conflict.isOfRow || isSeedsKey() else { return .changedSince }
    let seed = try seed(parent: false)
    if change(of: current, from: seed) != nil { return .changedSince }
    try refuseMissingColumn()
    if let mine {
      let written = current == nil ? mine : mine.only(seed?.columns ?? [])
      if self.is(current, written) { return .same }
      _ = try write(written, over: current, isSeeds: false)
    } else if let current {
      if isRetired { throw retired }
      guard try isUntouched(current, beyond: seed?.columns ?? []) else { return .changedSince }
      loggedSeed = current
      try delete(current)
    }
    return .written
  }

  /// Whether a side has no row.
  func goes(_ side: Conflict.Side) throws -> Bool {
    try conflict.isOfRow && (side == .mine ? mine : seed(parent: false)) == nil
  }

  /// The user's row under this key; nil for none. If another row is in the way, it is the one that
  /// the log calls the user's.
  private var mine: Row? {
    if conflict.isOfColumns { return conflict.mine }
    guard let own = try? (conflict.mine?.only(rows.keyNames)).map(rows.keyValues),
      rows.collated(own).utf8.elementsEqual(rows.collated(key).utf8)
    else { return nil }
    return conflict.mine
  }

  /// The catalog's row; nil for none.
  private func seed(parent asks: Bool) throws -> Row? {
    let wanted = try rows.wanted(key, parent: asks)
    guard conflict.isOfColumns else { return wanted }
    guard let wanted, !isRetired else { throw retired }
    let names = conflict.mine?.columns ?? []
    let seed = wanted.only(names)
    if seed.columns.count < names.count || names.isEmpty { throw missingColumn }
    return seed
  }

  /// Whether the row under the key is the seed's. If a row was skipped for its parent, no key was
  /// left to the user, so only a person's choice shows that it was inserted later.
  private func isSeedsKey() throws -> Bool {
    if conflict.isParents { return conflict.settled == .seed }
    return try rows.reason(key) == nil
  }

  // MARK: comparing

  /// Whether a row has the values of a side. The spelling of its key, and columns that hold no
  /// edits, may differ.
  func `is`(_ row: Row?, _ side: Row?) -> Bool {
    guard let row, let side else { return row == nil && side == nil }
    return side.columns.allSatisfy { isPassed($0) || target.isSame(row[$0], side[$0], in: $0) }
  }

  private func isPassed(_ name: String) -> Bool {
    (rows.keyNames + target.options.ignore).contains(name: name) || isChosenID(name)
  }

  /// Whether a column has the ids that only this database chose. A row that comes back may get
  /// another.
  func isChosenID(_ name: String) -> Bool {
    target.schema.rowidAlias?.name.isSameName(as: name) == true && !rows.names.contains(name: name)
  }

  /// Whether the log has the user's row already, but for such an id.
  private func isAsLogged(_ row: Row?) -> Bool {
    guard let row, let mine else { return false }
    return row.columns.allSatisfy { isChosenID($0) || row[$0] == mine[$0] }
  }

  /// The difference between the row and both sides; nil if each of its values is on one of them. A
  /// value that only one side has came with a column that a release added since.
  private func change(of current: Row?, from seed: Row?) -> String? {
    guard let current else { return mine == nil || seed == nil ? nil : "it is gone" }
    let sides = [mine, seed].compactMap { $0 }
    let names = sides.first?.columns.filter { name in
      !isPassed(name) && sides.allSatisfy { $0[name] != nil }
    }
    let changed = names?.first { name in
      !sides.contains { target.isSame($0[name], current[name], in: name) }
    }
    if names != nil, changed == nil { return nil }
    guard let changed, mine != nil else { return "another has its key" }
    return "\(changed) is \((current[changed] ?? .null).json.shortened(to: 60)) now"
  }

  /// Whether the columns that no file sets still have their first values, or their defaults.
  private func isUntouched(_ row: Row, beyond names: [String]) throws -> Bool {
    let conditions = try target.schema.columns.filter { column in
      column.generated == .no && column !== target.schema.rowidAlias && !isPassed(column.name)
        && !names.contains(name: column.name)
        && conflict.seed?[column.name] != row[column.name]
    }.compactMap {
      try UserColumns.isAtDefault($0, of: target.schema, in: "t", on: connection)
    }
    return try connection.value(
      "SELECT 1 FROM \(target.sql) AS t WHERE \(([rows.isRow] + conditions).allTrue)", key) != nil
  }

  /// The table must still have the columns of the row that comes back, or that gives way.
  private func refuseMissingColumn() throws {
    let names = mine?.columns ?? []
    if !names.allSatisfy({ target.schema.column($0) != nil }) { throw missingColumn }
  }

  private var retired: SeedbedError {
    conflict.unsettled(
      "the catalog no longer has the row under this key"
        + (isRetired ? ", but another one" : "") + ". There is nothing to choose")
  }

  private var missingColumn: SeedbedError {
    conflict.unsettled("the table no longer has a column that it is about")
  }
}

extension Migrator.Row {
  func only(_ names: [String]) -> Migrator.Row {
    let names = names.filter { self[$0] != nil }
    return Migrator.Row(names, names.map { self[$0] ?? .null })
  }
}

extension Migrator.Conflict {
  /// `Conflict 3 (elements {"number":113}) is not settled`
  private var notSettled: String {
    let row = table + (names.map { " \($0.written)" } ?? "") + " " + key.json
    return "Conflict \(id) (\(row.shortened(to: 80))) is not settled"
  }

  @inline(never)
  func unsettled(_ reason: String, _ code: SeedbedError.Code = .conflict) -> SeedbedError {
    SeedbedError(code, "\(notSettled): \(reason).")
  }

  /// Any other error, as the reason why it was not settled.
  func unsettled(by error: SeedbedError) -> SeedbedError {
    if error.message.hasPrefix(notSettled) { return error }
    return SeedbedError(error.code, "\(notSettled). \(error.message)").remedied(as: error)
  }

  private var seedHasKey: Bool { key.columns.allSatisfy { seed?[$0] != nil } }

  /// Whether a key changes, so that the row's children would have to follow.
  var isOfKeys: Bool {
    switch kind {
    // Once settled, their seed's side is a whole row, which has a key.
    case .edited, .deletedByUser, .editedRetired: false
    case .keyTaken, .referenced, .parentDeleted, .parentTaken, .uniqueTaken:
      resolution == .moved
        || base != nil && seed?.columns.contains(where: key.columns.contains(name:)) == true
    }
  }

  /// Whether it is about a parent.
  var isParents: Bool { Reason(kind).settles == .either }

  /// Whether it is about a whole row, whose key is the seed's or the user's.
  var isOfRow: Bool { !isOfColumns && !isOfKeys }

  /// Whether it is about some columns of an existing row, and not about the row.
  package var isOfColumns: Bool {
    switch Reason(kind).settles {
    case .columns: true
    case .either: base != nil && !isOfKeys
    case .value: seed != nil && !seedHasKey && !isOfKeys
    case .row: false
    }
  }
}
