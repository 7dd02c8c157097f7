import CSeedbedSQLite

extension BackupStore {
  /// Backs the database up. The caller's connection holds BEGIN IMMEDIATE and has written nothing,
  /// so that the copy is exactly what the database holds, and nobody else is in the folder.
  ///
  /// `version` is the one that the database is at, for the name. The cancellation is asked at each
  /// step of a few hundred pages, and `progress` gets numbers from 0 to 1.
  ///
  /// - Throws: `backup` or `diskFull`; then nothing is left in the folder.
  func take(
    version: Version, cancellation: Migrator.Cancellation? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws -> Migrator.Backup {
    do {
      let folder = try makeFolder(like: databasePath)
      try TemporaryBackup.sweep(folder, base: base)
      return try keep(in: folder, version: version) { temporary, content in
        let check = try copyAndCheck(temporary, cancellation, progress)
        if check.condition == .damaged {
          throw SeedbedError(
            .backup,
            "The copy did not pass SQLite's check (\(check.detail)): the database itself is "
              + "damaged. Restore a backup."
          ).remedied(by: .restoreBackup)
        }
        content.condition = check.condition
      }
    } catch {
      throw SeedbedError.backupFailed(.from(error))
    }
  }

  /// What a new backup is made of.
  struct Content {
    var condition = BackupName.Condition.damaged
    /// The `-wal` of a database that SQLite cannot read, which goes beside it.
    var log: TemporaryBackup?
  }

  /// Makes a file, which `fill` fills, and publishes it.
  func keep(
    in folder: Folder, version: Version,
    _ fill: (TemporaryBackup, inout Content) throws -> Void
  ) throws -> Migrator.Backup {
    let temporary = try TemporaryBackup(in: folder, base: base, like: databasePath)
    defer { temporary.discard() }
    var content = Content()
    defer { content.log?.discard() }
    try fill(temporary, &content)
    return try publish(temporary, content, in: folder, version: version)
  }

  private func publish(
    _ temporary: TemporaryBackup, _ content: Content, in folder: Folder, version: Version
  ) throws -> Migrator.Backup {
    host.reached(.backupChecked)
    for file in [content.log?.file, temporary.file].compactMap({ $0 }) {
      file.excludeFromDeviceBackup()
      // Never a second time after a failure: the kernel may have dropped the pages.
      try file.sync()
    }
    host.reached(.backupSynced)
    let name = freeName(in: folder, version: version, content.condition)
    try content.log?.publish(as: name.text + "-wal")
    try temporary.publish(as: name.text)
    host.reached(.backupPublished)
    return backup(name, in: folder)
  }

  /// Now, or a millisecond later if that name is taken.
  private func freeName(
    in folder: Folder, version: Version, _ condition: BackupName.Condition
  ) -> BackupName {
    while true {
      let name = BackupName(
        base: base, version: version, takenAt: Clock.fileTimestamp(), condition: condition)
      if folder.size(of: name.text) == nil { return name }
      Clock.sleep(milliseconds: 1)
    }
  }

  /// Copies the database page by page, opens the copy again and has SQLite look through it.
  func copyAndCheck(
    _ temporary: TemporaryBackup, _ cancellation: Migrator.Cancellation?,
    _ progress: (Double) -> Void = { _ in }
  ) throws -> IntegrityCheck {
    let source = try Connection(
      databasePath, .readOnly, setup: setup, lockTimeoutSeconds: lockTimeoutSeconds,
      cancellation: cancellation)
    try source.configureForReading()
    try source.inReadTransaction {
      try checkSpace(for: source.pageCount() * source.pageSize())
      let target = try Connection(temporary.path, .unpublished, setup: setup)
      try target.prepareForCopy(of: source)
      try PageCopy(from: source, to: target).run(cancellation, progress)
    }
    host.reached(.backupCopied)
    // immutable: SQLite does not create -wal and -shm beside a WAL database.
    let copy = try Connection(
      temporary.path, .immutable, setup: setup, cancellation: cancellation)
    try copy.configureForReading()
    return try IntegrityCheck(of: copy)
  }

  // MARK: space

  /// - Throws: `diskFull` with both numbers.
  @inline(never) func checkSpace(for bytes: Int64) throws {
    // The folder and its entry take a little too.
    let needed = bytes + 65_536
    let free = try Paths.freeBytes(existing(path), host: host)
    guard free >= needed else {
      throw SeedbedError.noSpaceForBackup(needed: needed, free: free, folder: path)
    }
  }

  /// The file system that the backups are on, or will be.
  var device: UInt64? { Paths.identity(existing(path))?.device }

  /// The folder itself, or the nearest one above it that is there.
  private func existing(_ path: String) -> String {
    if Paths.exists(path) { return path }
    let above = Paths.split(path).folder
    return above == path || above.isEmpty ? "/" : existing(above)
  }
}

extension Connection {
  /// Sets up an empty file of ours, so that the copy equals `source` byte for byte, except for the
  /// two numbers that each commit counts up (offsets 24–27 and 92–95).
  func prepareForCopy(of source: Connection) throws {
    // > DEFENSIVE: "PRAGMA schema_version=N" is a no-op. It may be a system's default.
    seedbed_db_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    // A half-copied file is thrown away, so that neither journal nor fsync is needed: the whole
    // file gets its fsync once. No -shm appears if the copy turns out to be a WAL database.
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    try execute("PRAGMA journal_mode=MEMORY")
    try execute("PRAGMA synchronous=OFF")
    try execute("PRAGMA mmap_size=0")
    try execute("PRAGMA page_size=\(try source.pageSize())")
    // `sqlite3_backup` writes the target's schema cookie plus one, not the source's (seen with
    // 3.40.1: offsets 40–43 were 1 for every source).
    let cookie = try source.pragma("schema_version").integer ?? 0
    try execute("PRAGMA schema_version=\(cookie - 1)")
  }
}
