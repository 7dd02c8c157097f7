/// The content of a catalog that was read so far, shared by the catalog's copies.
package final class CatalogContents: Sendable {
  /// The folders and files.
  package struct Loaded: Sendable {
    /// The migrations in version order.
    var migrations: [Migration]
    /// The snapshots in version order.
    var snapshots: [Migration]
    /// The last migration whose folder was dropped; nil if all folders exist.
    var base: Migration?
    /// The lock's facts about catalog.json; nil if there is no such file, or no lock.
    var lockedOptions: LockedFile?
    /// Without a lock: what makes it a pack.
    package var pack: Pack?
    /// Without a lock, the options of all migrations. With a lock, options are read when they are
    /// needed.
    package var options: [String: MigrationOptions] = [:]

    init(_ lock: Lock) {
      (migrations, snapshots, base) = (lock.migrations, lock.snapshots, lock.base)
      lockedOptions = lock.options
    }

    /// The same content as the other engine reads it.
    ///
    /// - Throws: `catalog` if the catalog is not for PostgreSQL, or lacks SQL for it.
    func ofOtherEngine(of path: String) throws -> Loaded {
      var loaded = self
      loaded.migrations = try migrations.map { migration in
        guard let other = migration.ofOtherEngine else { throw SeedbedError.otherEngine(path) }
        try other.refuseMissingTwins()
        return other
      }
      // Snapshots are for SQLite: a server applies the migrations.
      loaded.snapshots = []
      loaded.base = try base?.baseOfOtherEngine()
      return loaded
    }

    package init(joined migrations: [Migration], _ snapshots: [Migration], base: Migration?) {
      (self.migrations, self.snapshots, self.base) = (migrations, snapshots, base)
    }

    /// - Parameter refuse: called with the error for each file that is not allowed. It throws the
    ///   error, unless the rest is to be read without the file.
    package init(
      reading root: any ReadableFolder, passingOver amended: String? = nil,
      mayBeEmpty: Bool = false,
      refuse: @escaping (SeedbedError) throws -> Void = { throw $0 }
    ) throws {
      let hasOptions = try root.kind(of: Lock.optionsName) == .file
      var general = MigrationOptions()
      do {
        general = try OptionsFile.general(in: root, isThere: hasOptions, locked: nil)
      } catch let error as SeedbedError {
        try refuse(error)
        // If catalog.json cannot be read, it may name either engine.
        general.engines = EngineName.allCases
      }
      pack = general.pack
      let folder = try CatalogFolder(
        root, for: general.engines, passingOver: amended,
        mayBeEmpty: mayBeEmpty, refuse: refuse)
      (migrations, snapshots) = (folder.migrations, folder.snapshots)
      base = try Lock.base(in: root)
      for folder in migrations + snapshots {
        options[folder.folder] = general
        do {
          options[folder.folder] = try OptionsFile.options(of: folder, over: general, in: root)
        } catch let error as SeedbedError {
          try refuse(error)
        }
      }
      for index in migrations.indices {
        migrations[index].isWithdrawn = options[migrations[index].folder]?.isWithdrawn == true
      }
    }
  }

  final class State {
    var loaded: Loaded?
    /// The options of catalog.json, after they were read.
    var general: MigrationOptions?
    /// The digests of files, by their places; computed if there is no lock.
    var digests: [String: String] = [:]

    init(loaded: Loaded?) { self.loaded = loaded }
  }

  let state: Guarded<State>

  init(_ loaded: Loaded?) { state = Guarded(State(loaded: loaded)) }
}

/// Reads catalog.json and migration.json.
enum OptionsFile {
  /// The options for all migrations.
  static func general(
    in root: any ReadableFolder, isThere: Bool, locked: LockedFile?
  ) throws -> MigrationOptions {
    guard isThere else { return MigrationOptions() }
    let reader = OptionsReader(file: Lock.optionsName, scope: .catalog)
    return try read(Lock.optionsName, in: root, locked, reader, over: MigrationOptions())
  }

  /// The options of one migration, over those for all.
  static func options(
    of migration: Migration, over general: MigrationOptions, in root: any ReadableFolder
  ) throws -> MigrationOptions {
    var options = general
    if let file = migration.file(.options) {
      let reader = OptionsReader(
        file: migration.place(of: file),
        scope: migration.isSnapshot ? .snapshot : .migration)
      options = try read(
        file.name, in: root.folder(migration.folder), file.locked, reader, over: general)
    }
    if !migration.isSnapshot || options.snapshot != nil { return options }
    throw SeedbedError.inCatalog(
      "This snapshot has no migration.json with \"snapshot\". Snapshots are not written by "
        + "hand: remove the folder, and make one.", migration.folder, .makeSnapshot)
  }

  /// Reads a file whose bytes must match the lock.
  private static func read(
    _ name: String, in folder: any ReadableFolder, _ locked: LockedFile?,
    _ reader: OptionsReader, over general: MigrationOptions
  ) throws -> MigrationOptions {
    let bytes = try folder.open(name).content(limit: OptionsReader.sizeLimit)
    if let locked {
      try LockedFile.require("size", Int64(bytes.count), locked.size, reader.file)
      try LockedFile.require("SHA-256", Digest.of(bytes), locked.digest, reader.file)
    }
    var options = general
    do {
      try reader.read(bytes, over: &options)
    } catch let error as SeedbedError where locked != nil {
      // These bytes were checked when the lock was written.
      throw error.because(of: .laterSeedbed)
    }
    return options
  }
}
