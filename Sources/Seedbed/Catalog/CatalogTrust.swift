/// How far a catalog from elsewhere is trusted.
package struct CatalogTrust: Sendable {
  var allowsSQL = true
  /// What the lock's head must say; nil for anything.
  var chain: String?

  func check(_ head: LockHead?, _ path: String) throws {
    guard let chain, head?.chain != chain else { return }
    guard let head else { throw SeedbedError.lockMissing(path) }
    throw SeedbedError.otherChain(found: head.chain, expected: chain)
  }

  func check(_ loaded: CatalogContents.Loaded) throws {
    if !allowsSQL { try refuseSQL(loaded.migrations + loaded.snapshots) }
    if chain != nil, loaded.migrations.firstForged(after: loaded.base) != nil {
      throw SeedbedError.lockEdited(line: nil)
    }
  }

  private func refuseSQL(_ migrations: [Migration]) throws {
    for migration in migrations {
      guard let file = migration.allFiles.first(where: \.isSQL) else {
        continue
      }
      throw SeedbedError.inCatalog(NameWords.sqlRefused, migration.folder + "/" + file.name)
    }
  }
}

extension [Migration] {
  /// The first whose checksum or chain is not that of the digests of its files, as the lock has
  /// them. Nobody doubts these sums in a lock of one's own; a forger would leave the head as it is
  /// and change the digests.
  func firstForged(after base: CatalogBase?) -> Migration? {
    firstForged(after: base?.chain)
      ?? compactMap(\.ofOtherEngine).firstForged(after: base?.other?.chain)
  }

  private func firstForged(after previous: String?) -> Migration? {
    var previous = previous
    return first { migration in
      var summed = migration
      summed.sum(after: previous)
      previous = summed.chain
      return summed.checksum != migration.checksum || summed.chain != migration.chain
    }
  }
}
