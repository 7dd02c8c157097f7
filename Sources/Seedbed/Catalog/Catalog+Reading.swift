extension Catalog {
  /// All migrations in version order. No migration's files are read.
  ///
  /// With a lock, each migration has its checksum, chain and number of rows. Without one, the
  /// checksums are those of `checksum(of:)`, computed here only for the versions that the caller
  /// wants to compare.
  package func migrations(readingChecksumsOf versions: Set<Version> = []) throws -> [Migration] {
    var migrations = try loaded().migrations
    guard head == nil, !versions.isEmpty else { return migrations }
    for index in migrations.indices where versions.contains(migrations[index].version) {
      migrations[index].checksum = try checksum(of: migrations[index])
    }
    return migrations
  }

  /// The snapshots in version order. The chain does not cover their rows, so there are none if only
  /// the chain is trusted.
  package func snapshots() throws -> [Migration] {
    trust.chain == nil ? try loaded().snapshots : []
  }

  /// The last migration whose folder was dropped; nil if all folders exist.
  @inline(never) package func base() throws -> Migration? { try loaded().base }

  /// All migrations whose checksum the catalog knows. If there is a base, it comes first.
  package func migrationsFromBase() throws -> [Migration] {
    try [base()].compactMap(\.self) + migrations()
  }

  /// The tables that migrations give rows.
  func filledTables() throws -> [String] {
    try migrations().flatMap(\.files).compactMap { $0.kind.rows?.table }.asTexts.texts
  }

  /// The snapshot that a scratch database begins with. If the first folders were dropped, it is the
  /// oldest one, so that as many migrations as possible run; nil if all folders exist.
  package func beginning(to version: Version = .max) throws -> Migration? {
    guard let base = try base() else { return nil }
    let snapshot = try snapshots().first { $0.version >= base.version && $0.version <= version }
    if let snapshot { return snapshot }
    let missing = min(version, base.version)
    throw SeedbedError(
      .tooOld,
      "The state at \(missing) is unknown: the catalog begins after \(base.version), and has no "
        + "snapshot that old. On a database, apply the pending migrations first; to make a "
        + "migration again, put back the dropped folders and their lock.", version: missing)
  }

  /// - Throws: if the version does not exist, unless the catalog begins after it.
  package func require(_ version: Version) throws {
    let versions = try migrationsFromBase().map(\.version)
    if versions.contains(version) { return }
    throw SeedbedError.unknownVersion(version, first: versions.first, last: versions.last ?? 0)
  }

  /// Reads the lock and the catalog's own folder, once.
  func loaded() throws -> CatalogContents.Loaded {
    try contents.state.withLock { state in
      if let loaded = state.loaded { return loaded }
      let loaded = try parts.isEmpty ? locked() : joined()
      state.loaded = loaded
      return loaded
    }
  }

  private func locked() throws -> CatalogContents.Loaded {
    let root = try source.root()
    guard let lock = try Self.lock(in: root) else { throw SeedbedError.lockMissing(path) }
    // The head was read earlier. An update of the app may have changed the files since.
    if (engine == .sqlite ? lock.head : lock.head.ofOtherEngine) != head {
      throw SeedbedError.lock("The lock was replaced while it was in use. Try again.")
    }
    try LockComparison(lock: lock, root: root).check()
    let loaded = CatalogContents.Loaded(lock)
    try trust.check(loaded)
    return engine == .sqlite ? loaded : try loaded.ofOtherEngine(of: path)
  }

  /// The options of a migration: migration.json over catalog.json over the defaults.
  ///
  /// With a lock they are read only here, since applied migrations need none.
  @inline(never) package func options(of migration: Migration) throws -> MigrationOptions {
    var options = try writtenOptions(of: migration)
    if engine == .sqlite { return options }
    // This option is for rebuilding a table in SQLite. PostgreSQL has its own SQL, and always
    // checks.
    options.foreignKeys = .on
    return options
  }

  private func writtenOptions(of migration: Migration) throws -> MigrationOptions {
    let catalog = owner(of: migration)
    let loaded = try catalog.loaded()
    if let known = loaded.options[migration.folder] { return known }
    let options = try OptionsFile.options(
      of: migration, over: catalog.writtenGeneralOptions(), in: catalog.source.root())
    if cache != nil {
      catalog.contents.state.withLock { $0.loaded?.options[migration.folder] = options }
    }
    return options
  }

  /// The options of catalog.json, checked against the lock.
  func writtenGeneralOptions() throws -> MigrationOptions {
    let (loaded, root) = (try loaded(), try source.root())
    return try contents.state.withLock { state in
      if let general = state.general { return general }
      let general = try OptionsFile.general(
        in: root, isThere: loaded.lockedOptions != nil, locked: loaded.lockedOptions)
      if let head, head.pack != general.pack { throw SeedbedError.lockEdited(line: 2) }
      state.general = general
      return general
    }
  }

  /// Reads catalog.json before the first of many databases, since an error in it would make each of
  /// them fail.
  package func checkGeneralOptions() throws {
    for catalog in parts.isEmpty ? [self] : parts { _ = try catalog.writtenGeneralOptions() }
  }

  /// The options of catalog.json.
  package func generalOptions() throws -> MigrationOptions {
    let root = try source.root()
    return try OptionsFile.general(in: root, isThere: try hasOptions(), locked: nil)
  }

  /// Whether the catalog serves SQLite, or was made for it.
  package func servesSQLite() throws -> Bool {
    for part in parts.isEmpty ? [self] : parts where !part.isMirrored {
      // A lock was compared with catalog.json when that was read.
      let options = try part.head == nil ? part.generalOptions() : part.writtenGeneralOptions()
      if !options.engines.contains(.sqlite) { return false }
    }
    return true
  }

  /// Refuses SQLite's side of a catalog that is for PostgreSQL alone.
  package func refuseOnSQLite() throws {
    if engine == .sqlite, try !servesSQLite() { throw SeedbedError.onlyForPostgreSQL(path) }
  }

  package func hasOptions() throws -> Bool {
    try source.root().kind(of: Lock.optionsName) != nil
  }

  /// The bytes of a file as they are in the folder, by its path in the catalog, such as
  /// `catalog.json`.
  package func bytes(of file: String, in folder: String? = nil) throws -> [UInt8] {
    let root = try source.root()
    let place = try folder.map { try root.folder($0) } ?? root
    return try place.open(file).content(limit: Int.max)
  }

  /// Opens one of the migration's files for reading. A symbolic link, or anything but a regular
  /// file, is refused.
  @inline(never)
  package func open(_ file: MigrationFile, in migration: Migration) throws -> any ReadableFile {
    if let content = file.content { return MemoryFile(content, migration.place(of: file)) }
    return try owner(of: migration).source.root().folder(migration.folder).open(file.name)
  }

  /// Throws unless the folder of a migration holds exactly the files in the lock.
  func checkNames(of migration: Migration) throws {
    let catalog = owner(of: migration)
    if catalog.head != nil { try LockComparison.check(migration, in: catalog.source.root()) }
  }

  /// Throws unless the folder holds exactly the files in the lock, with the sizes in the lock.
  /// Reads none.
  func checkPresence(of migration: Migration) throws {
    try checkNames(of: migration)
    let folder = try owner(of: migration).source.root().folder(migration.folder)
    for file in migration.files where file.content == nil {
      let place = migration.place(of: file)
      guard let size = folder.size(of: file.name) else { throw SeedbedError.fileGone(place) }
      try LockedFile.require("size", size, file.locked?.size ?? size, place)
    }
  }

  // MARK: digests

  /// The migration's checksum: from the lock, or computed from the content of its files.
  package func checksum(of migration: Migration) throws -> String {
    if let checksum = migration.checksum { return checksum }
    let state = owner(of: migration).contents.state
    return Checksum.of(
      try migration.files.filter(\.changesData).map { file in
        let place = migration.place(of: file)
        if let known = state.withLock({ $0.digests[place] }) { return (file.name, known) }
        let digest = try digest(of: file, in: migration)
        state.withLock { $0.digests[place] = digest }
        return (file.name, digest)
      })
  }

  /// The digest of a file's content. The content is not checked.
  func digest(of file: MigrationFile, in migration: Migration) throws -> String {
    try LockedFile.read(
      try open(file, in: migration), place: migration.place(of: file),
      isCompressed: file.isCompressed, isRows: false
    ).digest
  }

  /// Reads a whole file for the lock: its digest, and the size and number of rows of its content.
  ///
  /// - Throws: `csv` if a row file is not CSV that could be applied.
  package func summary(of file: MigrationFile, in migration: Migration) throws -> LockedFile {
    try LockedFile.read(
      try open(file, in: migration), place: migration.place(of: file),
      isCompressed: file.isCompressed, isRows: file.isRows, limits: .ofAuthor)
  }
}
