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
/// A row that is on neither side changed since, and stays. What leaves the database is in the log:
/// a whole row is logged as it goes, and the one that came as it came.
final class Settlement {
  let rows: Reseed
  let conflict: Migrator.Conflict
  let key: [Value]
  /// Who refers to whom.
  let context: MergeContext
  /// What the log is to have of both sides; nil leaves it as it is.
  private var (loggedMine, loggedSeed): (Migrator.Row?, Migrator.Row?) = (nil, nil)

  typealias Conflict = Migrator.Conflict
  typealias Row = Migrator.Row
  var connection: any DatabaseSession { rows.connection }
  var ledger: Ledger { rows.ledger }
  var target: TableTarget { rows.target }

  enum Outcome {
    case written, same
    /// The user changed the row since, and chose to keep it.
    case changedSince
  }

  init(_ conflict: Conflict, in rows: Reseed) throws {
    (self.conflict, self.rows) = (conflict, rows)
    key = try rows.keyValues(conflict.key)
    context = try rows.mergeContext()
  }

  func settle(_ side: Conflict.Side, at time: String) throws -> Outcome {
    let outcome = try side == .seed ? takeSeed() : takeMine()
    if conflict.isOfRow {
      let entry = rows.collated(key)
      if side == .seed {
        try ledger.takeBack(table: target.name, key: entry, on: connection)
      } else {
        try ledger.leaveToUser(
          table: target.name, key: entry, conflict.kind.rawValue, version: conflict.version,
          on: connection)
      }
    }
    try ledger.settle(
      conflict.id, side, mine: loggedMine, seed: loggedSeed, at: time, on: connection)
    return outcome
  }

  // MARK: the seed's side

  private func takeSeed() throws -> Outcome {
    if conflict.givesKey {
      throw conflict.unsettled("a row would get another key, and only a release can give it one")
    }
    if try rows.reason(key) == Ledger.pinned { throw rows.pinned(key) }
    let (current, wanted) = (try rows.current(key), try rows.wanted(key))
    if conflict.retires {
      if wanted != nil {
        throw conflict.unsettled("a later release has the row again. There is nothing to choose")
      }
      guard let current else { return .same }
      try require(current, is: conflict.mine)
      loggedMine = current
      try delete(current)
      return .written
    }
    guard let wanted else {
      throw conflict.unsettled(
        "the catalog no longer has the row under this key. There is nothing to choose")
    }
    let seed = try conflict.isOfColumns ? wanted.only(columns(conflict.mine, in: wanted)) : wanted
    if let current, self.is(current, seed) {
      if conflict.isOfColumns { loggedSeed = logged(seed) }
      return .same
    }
    if conflict.isParents { throw parentFirst }
    try require(current, is: conflict.isOfColumns || hasMine ? conflict.mine : nil)
    let written = try write(seed, over: current, isSeeds: true)
    loggedSeed = conflict.isOfColumns ? logged(seed) : written
    loggedMine = conflict.isOfColumns ? nil : current
    return .written
  }

  /// The logged values with those that were written in their places.
  private func logged(_ written: Row) -> Row {
    guard var seed = conflict.seed, written.columns.allSatisfy({ seed[$0] != nil }) else {
      return written
    }
    seed.take(written)
    return seed
  }

  private var parentFirst: SeedbedError {
    let fate = conflict.kind == .parentDeleted ? "gone" : "the user's"
    return conflict.unsettled(
      "the row to which it refers was \(fate). Decide about that row first, and then put this one "
        + "back"
    ).remedied(by: .reseed(conflict.table, key: Reseed.text(conflict.key.values)))
  }

  // MARK: the user's side

  private func takeMine() throws -> Outcome {
    if conflict.isParents || conflict.givesKey || conflict.resolution == .moved { return .same }
    let current = try rows.current(key)
    guard try seedWon(current) else {
      // Whatever the user has is theirs.
      if self.is(current, hasMine || conflict.isOfColumns ? conflict.mine : nil) { return .same }
      return .changedSince
    }
    if conflict.isOfRow, !hasMine {
      guard let current else { return .same }
      try delete(current)
      return .written
    }
    guard let mine = conflict.mine else { return .same }
    _ = try columns(mine)
    // What no file sets is as it was only if nobody wrote to the row since.
    let isExact = current == nil || conflict.settled == .seed || conflict.isOfColumns
    let back = try isExact ? mine : mine.only(rows.wanted(key)?.columns ?? [])
    if self.is(current, back) { return .same }
    _ = try write(back, over: current, isSeeds: false)
    return .written
  }

  /// Whether the seed won, and the row is still as it was then.
  private func seedWon(_ current: Row?) throws -> Bool {
    let byPolicy = conflict.resolution == .tookSeed
    guard conflict.settled == .seed || conflict.settled == nil && byPolicy else { return false }
    if conflict.retires { return current == nil }
    let names = conflict.mine?.columns ?? []
    if conflict.settled == .seed, let seed = conflict.seed {
      if conflict.isOfColumns { return self.is(current, seed.only(names)) }
      let isWhole = target.schema.columns.allSatisfy { seed[$0.name] != nil }
      if isWhole { return self.is(current, seed) }
    }
    guard byPolicy, let wanted = try rows.wanted(key, parent: false) else { return false }
    return self.is(current, conflict.isOfColumns ? wanted.only(names) : wanted)
  }

  // MARK: comparing

  /// Whether the user had a row under this key. If another row is in the way, that one is what the
  /// log calls the user's.
  private var hasMine: Bool {
    guard let own = try? (conflict.mine?.only(rows.keyNames)).map(rows.keyValues) else {
      return false
    }
    return rows.collated(own).utf8.elementsEqual(rows.collated(key).utf8)
  }

  /// Whether a row is as a side says, but for its key, in which it may be spelled otherwise, and
  /// for columns that hold no edits.
  func `is`(_ row: Row?, _ side: Row?) -> Bool {
    guard let row, let side else { return row == nil && side == nil }
    let passed = Set((rows.keyNames + target.options.ignore).map { $0.asciiLowercased() })
    return side.columns.allSatisfy {
      passed.contains($0.asciiLowercased()) || row[$0] == side[$0]
    }
  }

  private func require(_ row: Row?, is side: Row?) throws {
    if self.is(row, side) { return }
    var now = row == nil ? "it is gone" : "another has its key"
    if let row, let side {
      let name = side.columns.first { row[$0] != side[$0] } ?? ""
      now = "\(name) is \((row[name] ?? .null).json.shortened(to: 60)) now"
    }
    throw conflict.unsettled("the row changed since, \(now)")
  }

  /// The columns of a logged row, which the table must still have, and the catalog's row, too.
  private func columns(_ row: Row?, in wanted: Row? = nil) throws -> [String] {
    let names = row?.columns ?? []
    guard !names.isEmpty, names.allSatisfy({ target.schema.column($0) != nil }),
      wanted.map({ names.allSatisfy($0.columns.contains) }) ?? true
    else { throw conflict.unsettled("the table no longer has a column that it is about") }
    return names
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
    "Conflict \(id) (\("\(table) \(key.json)".shortened(to: 80))) is not settled"
  }

  @inline(never)
  func unsettled(_ reason: String, _ code: SeedbedError.Code = .conflict) -> SeedbedError {
    SeedbedError(code, "\(notSettled): \(reason).")
  }

  /// Any other error, as what kept it from being settled.
  func unsettled(by error: SeedbedError) -> SeedbedError {
    if error.message.hasPrefix(notSettled) { return error }
    return SeedbedError(error.code, "\(notSettled). \(error.message)").remedied(as: error)
  }

  private var seedHasKey: Bool { key.columns.allSatisfy { seed?[$0] != nil } }

  /// Whether the release gives the row another key, which its children would have to follow.
  var givesKey: Bool {
    (kind == .keyTaken || kind == .referenced) && seed != nil && base == key
  }

  /// Whether it is about a parent.
  var isParents: Bool { kind == .parentDeleted || kind == .parentTaken }

  /// Whether the seed wants the row to go.
  var retires: Bool { kind == .editedRetired || kind == .referenced && seed == nil }

  /// Whether it is about a whole row, whose key is the seed's or the user's.
  var isOfRow: Bool { !isOfColumns && !isParents && !givesKey && resolution != .moved }

  /// Whether it is about some columns of a row that is there, and not about the row.
  @inline(never) package var isOfColumns: Bool {
    switch kind {
    case .edited: true
    case .parentDeleted, .parentTaken: base != nil
    case .uniqueTaken, .referenced: seed != nil && !seedHasKey && !givesKey
    case .deletedByUser, .editedRetired, .keyTaken: false
    }
  }

  /// Whether others are about all its values.
  func isCovered(by others: [Self]) -> Bool {
    guard isOfColumns, others.allSatisfy(\.isOfColumns) else { return true }
    let names = Set(others.flatMap { $0.mine?.columns ?? [] })
    return mine?.columns.allSatisfy(names.contains) ?? true
  }

  /// Leaves the values to others that those are about; false if none are left.
  mutating func leave(to others: [Self]) -> Bool {
    if !others.isEmpty, isCovered(by: others) { return false }
    let names = Set(others.flatMap { $0.mine?.columns ?? [] })
    mine = mine?.only(mine?.columns.filter { !names.contains($0) } ?? [])
    return true
  }
}
