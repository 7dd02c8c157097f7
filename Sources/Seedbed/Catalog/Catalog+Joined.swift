extension Catalog {
  /// The catalog that a migration comes from.
  func owner(of migration: Migration) -> Catalog {
    parts.isEmpty ? self : parts[migration.part]
  }

  /// The head of all together, of which only the first one's lock need not be read; nil if one
  /// has no lock.
  static func joinedHead(_ parts: [Catalog]) throws -> LockHead? {
    guard var head = parts[0].head else { return nil }
    head.otherChain = nil
    for part in parts.dropFirst() {
      guard part.head != nil else { return nil }
      for migration in try part.migrations() where migration.version > head.version {
        head.chain = Checksum.chain(
          after: head.version == 0 ? nil : head.chain, version: migration.version,
          checksum: migration.checksum ?? "")
        head.version = migration.version
      }
    }
    return head
  }

  /// All migrations in version order, those that come twice once.
  func joinedMigrations() throws -> [Migration] {
    var all: [Migration] = []
    for (index, part) in parts.enumerated() {
      let last = try all.last?.version ?? parts[0].base()?.version ?? 0
      if index > 0, let base = try part.base(), base.version > last {
        throw SeedbedError.joinedGap(base.version, SeedbedError.Place(part.path))
      }
      if index > 0, let base = try part.base() { try refuseOther(base, of: part, among: all) }
      for var migration in try part.migrations() {
        if migration.version > last {
          migration.part = index
          all.append(migration)
        } else {
          try refuseOther(migration, of: part, among: all)
        }
      }
    }
    guard head != nil else { return all }
    var chain = try parts[0].base()?.chain
    for index in all.indices {
      chain = Checksum.chain(
        after: chain, version: all[index].version, checksum: all[index].checksum ?? "")
      all[index].chain = chain
    }
    return all
  }

  /// One of each version, in their order: that of the last catalog which has it. Snapshots of a
  /// chain that is not the joined one's know nothing of what the other catalogs make.
  func joinedSnapshots(_ migrations: [Migration]) throws -> [Migration] {
    let all = try parts.indices.flatMap { index in
      try parts[index].snapshots().map { snapshot in
        var snapshot = snapshot
        snapshot.part = index
        return snapshot
      }
    }
    if all.isEmpty { return [] }
    let base = try parts[0].base()
    var chains: [Version: String] = [:]
    if let base { chains[base.version] = base.chain }
    var chain = base?.chain
    for migration in migrations {
      chain = Checksum.chain(
        after: chain, version: migration.version, checksum: try checksum(of: migration))
      chains[migration.version] = chain
    }
    var found: [Version: Migration] = [:]
    for snapshot in all {
      let made = try snapshot.chain ?? parts[snapshot.part].options(of: snapshot).snapshot?.chain
      if made == chains[snapshot.version] { found[snapshot.version] = snapshot }
    }
    return found.values.sorted { $0.version < $1.version }
  }

  private func refuseOther(
    _ base: CatalogBase, of catalog: Catalog, among earlier: [Migration]
  ) throws {
    let place = SeedbedError.Place(catalog.path + "/" + base.folder)
    let checksum: String
    if let first = try parts[0].base(), first.version >= base.version {
      if first.version > base.version { return }
      checksum = first.checksum
    } else {
      guard let same = earlier.first(where: { $0.version == base.version }) else {
        throw SeedbedError.joinedBetween(base.version, place)
      }
      checksum = try self.checksum(of: same)
    }
    if checksum != base.checksum { throw SeedbedError.joinedOtherBase(base.folder, place) }
  }

  private func refuseOther(
    _ migration: Migration, of catalog: Catalog, among earlier: [Migration]
  ) throws {
    let place = SeedbedError.Place(catalog.path + "/" + migration.folder)
    guard let same = earlier.first(where: { $0.version == migration.version }) else {
      throw SeedbedError.joinedBetween(migration.version, place)
    }
    guard try checksum(of: same) == catalog.checksum(of: migration) else {
      throw SeedbedError.joinedOther(migration.version, owner(of: same).path, place)
    }
  }
}

extension SeedbedError {
  static func joinsNothing() -> SeedbedError {
    SeedbedError(.usage, "There is no catalog to join. Give at least one.")
  }

  static func joinedBetween(_ version: Version, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "Migration \(version) is older than the last migration of the preceding catalog, which lacks "
        + "it. A joined catalog may only add later versions.", at: place)
  }

  static func joinedOther(_ version: Version, _ path: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "Migration \(version) is different in '\(path)', to which this is joined. Released "
        + "migrations do not change: use the matching release.", at: place)
  }
}
