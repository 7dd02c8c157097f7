import Seedbed

// Ways in which the author's tools open catalogs.

extension Catalog {
  /// Ignores the lock. For the caller that writes it.
  package init(withoutLock directory: String) throws {
    let source = CatalogSource(directory: directory, .real)
    self.init(source, nil, try CatalogContents.Loaded(reading: try source.root()))
  }

  /// Opens the catalog before a migration is written. It may have no migration yet, and the folder
  /// of a migration that is made again is left out.
  package init(authoring directory: String, passingOver folder: String? = nil) throws {
    let source = CatalogSource(directory: directory, .real)
    let loaded = try CatalogContents.Loaded(
      reading: try source.root(), passingOver: folder, mayBeEmpty: true)
    self.init(source, nil, loaded)
  }

  /// Opens the catalog, with or without a lock, to report everything that is wrong with it. Names
  /// that are not allowed are reported, and the rest is read.
  init(inspecting directory: String, refuse: @escaping (SeedbedError) throws -> Void) throws {
    let source = CatalogSource(directory: directory, .real)
    self.init(
      source, nil, try CatalogContents.Loaded(reading: try source.root(), refuse: refuse))
  }

  /// The same folder with other migrations than it contains.
  init(_ other: Catalog, _ migrations: [Migration], _ options: [String: MigrationOptions]) {
    var loaded = CatalogContents.Loaded(joined: migrations, [], base: nil)
    (loaded.options, loaded.pack) = (options, other.pack)
    self.init(other.source, nil, loaded)
    (isMirrored, others) = (other.isMirrored, other.others)
  }
}

extension SeedbedError {
  /// - Parameter what: what is only for SQLite.
  static func servesNoDevice(_ what: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "\(what), and the catalog is for PostgreSQL alone. Servers read the catalog itself, and "
        + "apply its migrations.", at: Place(Lock.optionsName))
  }

  static func belowBase(_ folder: String, base: Version) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The lock says that all up to \(base) was dropped, so this folder is ignored. Remove it, "
        + "or give it a number above the catalog's last.", at: Place(folder))
  }
}
