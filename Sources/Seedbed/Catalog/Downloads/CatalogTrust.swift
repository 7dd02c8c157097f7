/// How far a catalog from another source is trusted.
package struct CatalogTrust: Sendable {
  var allowsSQL = true
  /// The chain that the lock's head must have; nil accepts any.
  var chain: String?

  func check(_ head: LockHead?, _ path: String) throws {
    guard let chain, head?.chain != chain else { return }
    guard let head else { throw SeedbedError.lockMissing(path) }
    throw SeedbedError.lock(
      "The catalog ends in the chain \(head.chain), expected \(chain.shortened(to: 80)). It is not "
        + "the release that was announced: download it again.", line: 2)
  }

  func check(_ loaded: CatalogContents.Loaded) throws {
    for migration in allowsSQL ? [] : loaded.migrations + loaded.snapshots {
      guard let file = migration.allFiles.first(where: \.isSQL) else { continue }
      throw SeedbedError.inCatalog(
        "This catalog may only contain rows, but this is an SQL file. Ship it with the app.",
        migration.place(of: file))
    }
    if chain != nil, loaded.migrations.firstForged(after: loaded.base) != nil {
      throw SeedbedError.lockEdited(line: nil)
    }
  }
}

extension [Migration] {
  /// The first migration whose checksum or chain does not follow from the digests of its files in
  /// the lock. In one's own lock these sums are always right. A forger would keep the head and
  /// change the digests.
  func firstForged(after base: Migration?) -> Migration? {
    var previous = base
    return first { migration in
      defer { previous = migration }
      return !migration.hasSums(after: previous)
    }
  }

  /// Whether there is SQL, and all of it is for PostgreSQL.
  package var haveSQLForPostgreSQLAlone: Bool {
    contains { $0.other?.sql.isEmpty == false } && !contains { $0.files.contains(where: \.isSQL) }
  }

  /// The chain up to a version; nil if the version is not in the list.
  package func chain(of version: Version) -> String? { first { $0.version == version }?.chain }
}

extension Migration {
  /// Whether its checksum and chain follow from the digests of its files in the lock, for both
  /// engines. A snapshot has the chain of its migrations.
  func hasSums(after previous: Migration?) -> Bool {
    func isRight(_ migration: Migration, _ previous: String?) -> Bool {
      var summed = migration
      summed.sum(after: previous)
      return summed.checksum == migration.checksum
        && (isSnapshot || summed.chain == migration.chain)
    }
    return isRight(self, previous?.chain)
      && ofOtherEngine.map { isRight($0, previous?.other?.chain) } != false
  }
}
