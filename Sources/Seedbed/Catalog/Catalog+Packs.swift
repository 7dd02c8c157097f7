/// What makes a catalog a pack: optional content of a database that has a base.
package struct Pack: Sendable, Equatable {
  package var name: String
  /// The release of the base that it needs.
  package var needs: Migrator.Version

  /// The prefix of its ledger's tables.
  package var ledger: String { "pack_" + name }
}

extension Catalog {
  /// The same catalog, in databases that also have others: a base with its packs, or a pack with
  /// its base.
  ///
  ///     let base = try Catalog(locked: course).beside([Catalog(locked: german)])
  ///
  /// `up` of a base also brings the packs that the database has. A pack needs its base for all that
  /// plays the catalog, such as `reseed`.
  ///
  /// - Throws: `usage` if a base is beside a base, or if two packs have one name.
  public func beside(_ others: [Catalog]) throws(SeedbedError) -> Catalog {
    var names: Set<String> = []
    for catalog in [self] + others where !names.insert(catalog.packName ?? "").inserted {
      // Without its options, a pack seems to be a base.
      for unread in [self] + others { try SeedbedError.catching { _ = try unread.generalOptions() } }
      throw SeedbedError(
        .usage,
        catalog.pack.map { "Two catalogs are the pack '\($0.name)'. Give each a name of its own." }
          ?? "'\(catalog.path)' has no \"name\", so that it is a base, and a database has one. Give "
          + "each pack a \"name\" in its catalog.json.")
    }
    var catalog = self
    catalog.others = others
    return catalog
  }

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
