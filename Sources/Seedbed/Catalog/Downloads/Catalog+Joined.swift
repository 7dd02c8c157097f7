extension Catalog {
  /// The catalog that a migration comes from.
  @inline(never) func owner(of migration: Migration) -> Catalog {
    parts.isEmpty ? self : parts[migration.part]
  }

  /// The head of all parts together; nil if one part has no lock. The first part's lock is not read
  /// beyond its head.
  static func joinedHead(_ parts: [Catalog]) throws -> LockHead? {
    guard var head = parts[0].head, parts.allSatisfy({ $0.head != nil }) else { return nil }
    head.otherChain = nil
    for migration in try parts.dropFirst().flatMap({ try $0.migrations() })
    where migration.version > head.version {
      head.chain = Checksum.chain(
        after: head.version == 0 ? nil : head.chain, version: migration.version,
        checksum: migration.checksum ?? "")
      head.version = migration.version
    }
    return head
  }

  /// All migrations in version order, each version once; and the snapshots.
  func joined() throws -> CatalogContents.Loaded {
    let base = try parts[0].base()
    var all: [Migration] = []
    for (index, part) in parts.enumerated() {
      let last = all.last?.version ?? base?.version ?? 0
      // Below the first part's base, no migration is known any more.
      if index > 0, let other = try part.base(), other.version >= base?.version ?? 0 {
        if other.version > last {
          throw SeedbedError.inCatalog(
            "This catalog begins after \(other.version), which the preceding catalogs do not "
              + "reach. Join one that continues where they end.", part.path)
        }
        try refuseOther(other, of: part, among: [base].compactMap(\.self) + all, isBase: true)
      }
      for var migration in try part.migrations() {
        if migration.version > last {
          migration.part = index
          all.append(migration)
        } else {
          try refuseOther(migration, of: part, among: all)
        }
      }
    }
    if head != nil { all = try chained(all, after: base) }
    return CatalogContents.Loaded(
      joined: all, try joinedSnapshots(all, after: base), base: base)
  }

  /// One snapshot for each version, in version order: the one of the last catalog that has it. A
  /// snapshot of another chain than the joined one lacks the data of the other catalogs.
  private func joinedSnapshots(
    _ migrations: [Migration], after base: Migration?
  ) throws -> [Migration] {
    let all = try parts.map { try $0.snapshots() }
    if all.allSatisfy(\.isEmpty) { return [] }
    let known = try [base].compactMap(\.self) + chained(migrations, after: base)
    var found: [Version: Migration] = [:]
    for (index, part) in parts.enumerated() {
      for var snapshot in all[index] {
        snapshot.part = index
        let made = try snapshot.chain ?? part.options(of: snapshot).snapshot?.chain
        if made == known.chain(of: snapshot.version) { found[snapshot.version] = snapshot }
      }
    }
    return found.values.ordered(by: \.version)
  }

  /// The same migrations, each with the joined catalog's chain up to it.
  private func chained(_ migrations: [Migration], after base: Migration?) throws -> [Migration] {
    var migrations = migrations
    var chain = base?.chain
    for index in migrations.indices {
      chain = Checksum.chain(
        after: chain, version: migrations[index].version,
        checksum: try checksum(of: migrations[index]))
      migrations[index].chain = chain
    }
    return migrations
  }

  /// Throws if a later catalog has another migration under a version that an earlier one has.
  private func refuseOther(
    _ migration: Migration, of part: Catalog, among earlier: [Migration], isBase: Bool = false
  ) throws {
    let path = part.path + "/" + migration.folder
    guard let same = earlier.first(where: { $0.version == migration.version }) else {
      throw SeedbedError.inCatalog(
        "Migration \(migration.version) is older than the last migration of the preceding catalog, "
          + "which lacks it. A joined catalog may only add later versions.", path)
    }
    if try checksum(of: same) == part.checksum(of: migration) { return }
    let difference =
      isBase
      ? "This catalog begins after a '\(migration.folder)' that differs from that of the preceding "
        + "catalogs."
      : "Migration \(migration.version) is different in '\(owner(of: same).path)', to which this "
        + "is joined."
    throw SeedbedError.inCatalog(
      "\(difference) Released migrations do not change: use the matching release.", path)
  }
}
