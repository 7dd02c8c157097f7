/// What a run of a pack does besides, and what a run of a base asks of its packs.
extension Run {
  /// The pack that this run is of, in a user's database.
  private var pack: Pack? { context.isOnScratch ? nil : catalog.pack }

  /// Throws unless the base has what the pack needs, and the pack's ledger has its name.
  ///
  /// - Parameter takesOver: whether a ledger whose name the author chose gets that name.
  func preparePack(takesOver: Bool = false) throws {
    guard let pack else { return }
    if let policy = options.onTaken, policy.strength < 2 {
      throw SeedbedError.mayTakeRows(pack, policy)
    }
    if options.adopt != nil || hooks.adoption != nil { throw SeedbedError.notAdopted(pack) }
    let version = try ledger.baseVersion(on: connection)
    if version < max(pack.needs, 1) { throw SeedbedError.baseTooOld(pack, version) }
    guard let first = try catalog.migrations().first,
      let other = try ledger.chosenByHand(
        for: (first.version, catalog.checksum(of: first)), on: connection)
    else { return }
    if !takesOver { throw SeedbedError.ledgerByHand(pack, other.prefix) }
    defer { connection.rollBack() }
    let changed = try lock().withoutBackup().changing {
      try other.rename(to: ledger, on: connection)
      try notePack(.added)
    }
    try commit(changed) { [ledger] in try ledger.exists(on: $0) }
    report.notes.append(
      "The ledger '\(other.prefix)' is '\(ledger.prefix)' now: the pack is named '\(pack.name)'.")
  }

  func notePack(_ state: Migrator.Pack.State) throws {
    if let pack { try ledger.note(pack, state, on: connection) }
  }

  /// Throws if the ledger that was named is not that of the pack's base.
  func requireRegistered() throws {
    guard let pack, try ledger.exists(on: connection), try ledger.head(on: connection) != nil,
      try !ledger.packs(on: connection).contains(where: { $0.name == pack.name })
    else { return }
    throw SeedbedError.notRegistered(pack, ledger.basePrefix)
  }

  /// Throws if the base, at a version, lacks what packs need.
  func refusePacksAbove(_ version: Version) throws {
    if catalog.pack != nil { return }
    // One whose removal was interrupted still has rows.
    let packs = try ledger.packs(on: connection).filter {
      ($0.isAdded || $0.version > 0) && $0.needs > version
    }
    if !packs.isEmpty { throw SeedbedError.packsNeed(version, packs) }
  }

  /// Says whose rows are in the way, where that is another catalog of the database.
  func nameOwners() throws {
    if context.isOnScratch || catalog.others.isEmpty { return }
    let owners = CatalogOwners()
    for index in report.done.indices {
      try owners.name(&report.done[index].conflicts, in: self)
    }
  }
}

extension Migrator.Pack {
  var isAdded: Bool { state == .added }
}
