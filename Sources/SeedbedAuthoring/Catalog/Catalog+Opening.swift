import Seedbed

// Catalogs as the author's tools open them.

extension Catalog {
  /// As if there were no lock: for who writes it.
  package init(withoutLock directory: String) throws {
    let source = CatalogSource(directory: directory, .real)
    self.init(source, nil, try CatalogContents.Loaded(reading: try source.root()))
  }

  /// As it is before a migration that is about to be written: there may be none yet, and one that
  /// is to be made again is passed over, by its folder.
  package init(authoring directory: String, passingOver folder: String? = nil) throws {
    let source = CatalogSource(directory: directory, .real)
    let loaded = try CatalogContents.Loaded(
      reading: try source.root(), passingOver: folder, mayBeEmpty: true)
    self.init(source, nil, loaded)
  }

  /// As it is, lock or no lock, for reporting everything that is wrong with it: what may not be
  /// there is reported, and the rest is read.
  init(inspecting directory: String, refuse: @escaping (SeedbedError) throws -> Void) throws {
    let source = CatalogSource(directory: directory, .real)
    self.init(
      source, nil, try CatalogContents.Loaded(reading: try source.root(), refuse: refuse))
  }

  /// The same folder with other migrations than it holds.
  init(_ other: Catalog, _ migrations: [Migration], _ options: [String: MigrationOptions]) {
    var loaded = CatalogContents.Loaded(joined: migrations, [], base: nil)
    loaded.options = options
    self.init(other.source, nil, loaded)
  }
}

extension SeedbedError {
  static func belowBase(_ folder: String, base: Version) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The lock says that all up to \(base) was dropped, so nobody reads this folder. Remove it, "
        + "or give it a number above the catalog's last.", at: Place(folder))
  }
}
