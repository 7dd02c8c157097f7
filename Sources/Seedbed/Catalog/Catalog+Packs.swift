/// What makes a catalog a pack: optional content of a database that has a base.
package struct Pack: Sendable, Equatable {
  package var name: String
  /// The release of the base that it needs.
  package var needs: Migrator.Version

  /// Comes before its name in the lock and in the names of its ledger's tables.
  package static let word = "pack"

  /// The prefix of its ledger's tables.
  package var ledger: String { Self.word + "_" + name }
}

extension Catalog {
  /// What makes it a pack; nil for a base. If a lock says it, nothing else is read.
  package var pack: Pack? {
    if let first = parts.first { return head?.pack ?? first.pack }
    if let head { return head.pack }
    return contents.state.withLock { state in
      if let loaded = state.loaded { return loaded.pack }
      // Of a folder that is not read otherwise, whose other options do not matter.
      return (try? generalOptions())?.pack
    }
  }

  package var packName: String? { pack?.name }

  /// The base of a pack, if it was given.
  package var packBase: Catalog? { pack == nil ? nil : others.first { $0.pack == nil } }

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
    // Without its options, or with a lock of before it had a name, a pack seems to be a base.
    for unread in all {
      do {
        if try unread.generalOptions().pack != unread.pack { return .lockEdited(line: 2) }
      } catch {
        return SeedbedError.from(error)
      }
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
