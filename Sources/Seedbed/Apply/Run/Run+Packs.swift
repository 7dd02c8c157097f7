/// What a run of a pack does besides, and what a run of a base asks of its packs.
extension Run {
  /// The pack that this run is of, in a user's database.
  private var pack: Pack? { context.isOnScratch ? nil : catalog.pack }

  /// Throws unless the base has what the pack needs, and the pack's ledger has its name.
  func preparePack() throws {
    guard let pack else { return }
    if let policy = options.onTaken, policy.strength < 2 {
      throw SeedbedError.mayTakeRows(pack, policy)
    }
    let version = try ledger.baseVersion(on: connection)
    if version < max(pack.needs, 1) { throw SeedbedError.baseTooOld(pack, version) }
    if let other = try ledgerByHand() { throw SeedbedError.ledgerByHand(pack, other.prefix) }
  }

  /// The ledger of the pack under a name that its author chose.
  private func ledgerByHand() throws -> Ledger? {
    guard pack != nil, let first = try catalog.migrations().first else { return nil }
    return try ledger.chosenByHand(
      for: (first.version, catalog.checksum(of: first)), on: connection)
  }

  /// Gives such a ledger the name that follows from the pack's.
  func takeOverLedger() throws {
    guard let pack, let other = try ledgerByHand() else { return }
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

  /// A kill may have come between the register and the first release.
  func removeEmptyPack() throws {
    guard let pack,
      try ledger.packs(on: connection).contains(where: { $0.name == pack.name && $0.isAdded })
    else { return }
    defer { connection.rollBack() }
    let changed = try lock().withoutBackup().changing { try notePack(.removed) }
    try commit(changed) { [ledger] in
      try !ledger.packs(on: $0).contains { $0.name == pack.name && $0.isAdded }
    }
  }

  /// Throws if the base, at a version, lacks what packs need.
  func refusePacksAbove(_ version: Version) throws {
    if catalog.pack != nil { return }
    let packs = try ledger.packs(on: connection).filter { $0.isAdded && $0.needs > version }
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

  /// Names the packs that this call cannot bring up to date.
  func notePacksLeft() throws {
    if catalog.pack != nil || context.isOnScratch { return }
    let known = Set(catalog.others.compactMap(\.packName))
    for pack in try ledger.packs(on: connection) where pack.isAdded && !known.contains(pack.name) {
      report.notes.append(
        "The pack '\(pack.name)' stays at \(pack.version), since its catalog was not given.")
    }
  }
}

extension Migrator.Pack {
  var isAdded: Bool { state == .added }
}
