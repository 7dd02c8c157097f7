/// What a catalog has read so far, shared by its copies.
package final class CatalogContents: Sendable {
  /// The folders and files.
  package struct Loaded: Sendable {
    /// In version order.
    var migrations: [Migration]
    /// In version order too.
    var snapshots: [Migration] = []
    var base: CatalogBase?
    /// Whether there is a catalog.json, and what the lock says of it.
    var hasOptions: Bool
    var lockedOptions: LockedFile?
    /// Of a catalog without a lock, all of them; with a lock they are read where they are needed.
    package var options: [String: MigrationOptions] = [:]

    init(_ lock: Lock) {
      migrations = lock.migrations
      snapshots = lock.snapshots
      base = lock.base
      hasOptions = lock.options != nil
      lockedOptions = lock.options
    }

    /// As the other engine reads it.
    ///
    /// - Throws: `catalog` if the catalog is not for PostgreSQL, or lacks SQL for it.
    func ofOtherEngine(of path: String) throws -> Loaded {
      var loaded = self
      loaded.migrations = try migrations.map { migration in
        guard let other = migration.ofOtherEngine else { throw SeedbedError.otherEngine(path) }
        try other.refuseMissingTwins()
        return other
      }
      loaded.snapshots = snapshots.compactMap(\.ofOtherEngine)
      loaded.base = try base?.ofOtherEngine()
      return loaded
    }

    /// Each part has options of its own.
    package init(joined migrations: [Migration], _ snapshots: [Migration], base: CatalogBase?) {
      (self.migrations, self.snapshots, self.base) = (migrations, snapshots, base)
      hasOptions = false
    }

    /// - Parameter refuse: called with the error for what may not be there; throws it unless the
    ///   rest is to be read without it.
    package init(
      reading root: any ReadableFolder, passingOver amended: String? = nil,
      mayBeEmpty: Bool = false,
      refuse: (SeedbedError) throws -> Void = { throw $0 }
    ) throws {
      func options(
        over general: MigrationOptions, _ read: () throws -> MigrationOptions
      ) throws -> MigrationOptions {
        do {
          return try read()
        } catch let error as SeedbedError {
          try refuse(error)
          return general
        }
      }
      let hasOptions = try root.kind(of: Lock.optionsName) == .file
      // If catalog.json cannot be read, nobody knows that it does not name an engine.
      var unread = MigrationOptions()
      unread.engines = EngineName.allCases
      let general = try options(over: unread) {
        try OptionsFile.general(in: root, isThere: hasOptions, locked: nil)
      }
      let folder = try CatalogFolder(
        reading: root, hasTwins: general.engines.contains(.postgresql), passingOver: amended,
        mayBeEmpty: mayBeEmpty, refuse: refuse)
      self.hasOptions = hasOptions
      migrations = folder.migrations
      snapshots = folder.snapshots
      base = try CatalogBase.read(in: root)
      for folder in migrations + snapshots {
        self.options[folder.folder] = try options(over: general) {
          try OptionsFile.options(of: folder, over: general, in: root)
        }
      }
      for index in migrations.indices {
        migrations[index].isWithdrawn = self.options[migrations[index].folder]?.isWithdrawn == true
      }
    }
  }

  struct State: Sendable {
    var loaded: Loaded?
    /// The options of catalog.json, once they were read.
    var general: MigrationOptions?
    /// Of files, by their places; computed if there is no lock.
    var digests: [String: String] = [:]
  }

  let state: Guarded<State>

  init(_ loaded: Loaded?) {
    state = Guarded(State(loaded: loaded))
  }
}

/// Reads catalog.json and migration.json.
enum OptionsFile {
  /// The options for all migrations.
  static func general(
    in root: any ReadableFolder, isThere: Bool, locked: LockedFile?
  ) throws -> MigrationOptions {
    var options = MigrationOptions()
    if isThere {
      let bytes = try content(of: Lock.optionsName, in: root, place: Lock.optionsName, locked)
      try OptionsReader(file: Lock.optionsName, scope: .catalog).read(bytes, over: &options)
    }
    return options
  }

  /// The options of one migration, laid over those for all.
  static func options(
    of migration: Migration, over general: MigrationOptions, in root: any ReadableFolder
  ) throws -> MigrationOptions {
    guard let file = migration.file(.options) else {
      if migration.isSnapshot { throw SeedbedError.snapshotUnmarked(migration.folder) }
      return general
    }
    var options = general
    let place = migration.folder + "/" + file.name
    let folder = try root.folder(migration.folder)
    let bytes = try content(of: file.name, in: folder, place: place, file.locked)
    let scope: OptionsReader.Scope = migration.isSnapshot ? .snapshot : .migration
    try OptionsReader(file: place, scope: scope).read(bytes, over: &options)
    if migration.isSnapshot, options.snapshot == nil {
      throw SeedbedError.snapshotUnmarked(migration.folder)
    }
    return options
  }

  /// The bytes, which must be those that the lock promises.
  private static func content(
    of name: String, in folder: any ReadableFolder, place: String, _ locked: LockedFile?
  ) throws -> [UInt8] {
    let bytes = try folder.open(name).content(limit: OptionsReader.sizeLimit)
    guard let locked else { return bytes }
    try LockedFile.require("size", Int64(bytes.count), locked.size, place)
    try LockedFile.require("SHA-256", Digest.of(bytes), locked.digest, place)
    return bytes
  }
}
