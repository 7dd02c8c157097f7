/// How far a catalog from elsewhere is trusted.
package struct CatalogTrust: Sendable {
  var allowsSQL = true
  /// What the lock's head must say; nil for anything.
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
  /// The first whose checksum or chain is not that of the digests of its files, as the lock has
  /// them. Nobody doubts these sums in a lock of one's own; a forger would leave the head as it is
  /// and change the digests.
  func firstForged(after base: Migration?) -> Migration? {
    var previous = base
    return first { migration in
      defer { previous = migration }
      return !migration.hasSums(after: previous)
    }
  }

  /// The chain up to a version; nil if it is none of these.
  package func chain(of version: Version) -> String? { first { $0.version == version }?.chain }
}

extension Migration {
  /// Whether its digests are those of its files, as the lock has them, on both engines. The chain
  /// of a snapshot is that of its migrations.
  @inline(never) func hasSums(after previous: Migration?) -> Bool {
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
