/// What makes a catalog a pack: optional content of a database that has a base.
package struct Pack: Sendable, Equatable {
  package var name: String
  /// The release of the base that it needs.
  package var needs: Migrator.Version

  /// The prefix of its ledger's tables.
  package var ledger: String { "pack_" + name }
}

extension Catalog {
  /// What makes it a pack; nil for a base. If catalog.json cannot be read, the error is reported
  /// when its other options are needed.
  package var pack: Pack? {
    contents.state.withLock { state in
      if let known = state.pack { return known }
      let options = try? generalOptions()
      let pack = options.flatMap { options in
        options.packName.map { Pack(name: $0, needs: options.baseVersion ?? 0) }
      }
      state.pack = .some(pack)
      return pack
    }
  }

  package var packName: String? { pack?.name }

  /// The base of a pack, if it was given.
  var packBase: Catalog? { pack == nil ? nil : others.first { $0.pack == nil } }

  /// Whether SQL of the catalog may name a table as its own: a pack's begin with its name.
  package func mayMake(_ table: String) -> Bool {
    guard let name = packName else { return true }
    return table.asciiLowercased().hasPrefix(name + "_")
  }

  /// The prefix of the ledger's tables in a database whose base has the given one.
  package func ledger(beside base: String) -> String { pack?.ledger ?? base }
}

extension SeedbedError {
  static func twice(_ catalog: Catalog, among all: [Catalog]) -> SeedbedError {
    // Without its options, a pack seems to be a base.
    for unread in all {
      do { _ = try unread.generalOptions() } catch { return SeedbedError.from(error) }
    }
    let what =
      if let name = catalog.packName {
        "Two catalogs are the pack '\(name)'. Give each a name of its own."
      } else {
        "'\(catalog.path)' has no \"name\", so that it is a base, and a database has one. Give "
          + "each pack a \"name\" in its catalog.json."
      }
    return SeedbedError(.usage, what)
  }
}
