/// How far a catalog that comes from elsewhere is trusted.
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
    if chain != nil { try checkSums(loaded.migrations, after: loaded.base) }
  }

  private func refuseSQL(_ migrations: [Migration]) throws {
    for migration in migrations {
      guard let file = migration.files.first(where: \.isSQL) else { continue }
      throw SeedbedError.inCatalog(NameWords.sqlRefused, migration.folder + "/" + file.name)
    }
  }

  /// Nobody doubts these sums in a lock of one's own; a forger would leave the head as it is and
  /// change the digests of files.
  private func checkSums(_ migrations: [Migration], after base: CatalogBase?) throws {
    var chain = base?.chain
    for migration in migrations {
      let files = migration.files.filter(\.changesData)
      let checksum = Checksum.of(files.map { ($0.name, $0.locked?.digest ?? "") })
      chain = Checksum.chain(after: chain, version: migration.version, checksum: checksum)
      guard checksum == migration.checksum, chain == migration.chain else {
        throw SeedbedError.lockEdited(line: nil)
      }
    }
  }
}

extension MigrationFile {
  fileprivate var isSQL: Bool {
    switch kind {
    case .schema, .up, .after, .afterDown, .down, .verify: true
    case .insert, .update, .delete, .options: false
    }
  }
}
