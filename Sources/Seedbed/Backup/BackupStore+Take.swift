import CSeedbedSQLite

extension BackupStore {
  /// Backs the database up. The caller's connection holds BEGIN IMMEDIATE and has written nothing,
  /// so the copy is exactly the database, and no other process uses the folder.
  ///
  /// `version` is the database's version, for the name. Cancellation is checked after every few
  /// hundred pages, and `progress` gets numbers from 0 to 1.
  ///
  /// - Throws: `backup` or `diskFull`. Nothing is left in the folder then.
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

  /// The content of a new backup.
  struct Content {
    var condition = BackupName.Condition.damaged
    /// The `-wal` of a database that SQLite cannot read, kept next to its copy.
    var log: TemporaryBackup?
  }

  /// Creates a file, calls `fill` to fill it, and publishes it.
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
      // Never sync again after a failure: the kernel may have dropped the pages.
      try file.sync()
    }
    host.reached(.backupSynced)
    let name = freeName(in: folder, version: version, content.condition)
    try content.log?.publish(as: name.text + "-wal")
    try temporary.publish(as: name.text)
    host.reached(.backupPublished)
    return backup(name, in: folder)
  }

  /// A name with the current time, or with a later millisecond if that name exists.
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

  /// Copies the database page by page, opens the copy again and has SQLite check it.
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
    // immutable: SQLite must not create -wal and -shm next to a WAL database.
    let copy = try Connection(
      temporary.path, .immutable, setup: setup, cancellation: cancellation)
    try copy.configureForReading()
    return try IntegrityCheck(of: copy)
  }

  // MARK: space

  /// - Throws: `diskFull` with the needed and the free bytes.
  func checkSpace(for bytes: Int64) throws {
    // The folder and its entry need a little too.
    let needed = bytes + 65_536
    let free = try Paths.freeBytes(existing(path), host: host)
    guard free >= needed else {
      throw SeedbedError.noSpaceForBackup(needed: needed, free: free, folder: path)
    }
  }

  /// The file system of the backups.
  var device: UInt64? { Paths.identity(existing(path))?.device }

  /// The folder itself, or the nearest existing one above it.
  private func existing(_ path: String) -> String {
    if Paths.exists(path) { return path }
    let above = Paths.split(path).folder
    return above == path || above.isEmpty ? "/" : existing(above)
  }
}

extension Connection {
  /// Prepares an empty file, so that the copy equals `source` byte for byte, except for the two
  /// numbers that each commit increases (offsets 24–27 and 92–95).
  func prepareForCopy(of source: Connection) throws {
    // > DEFENSIVE: "PRAGMA schema_version=N" is a no-op. It may be a system's default.
    seedbed_db_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 0)
    // A half-copied file is deleted, so it needs no journal, and a single fsync at the end. No -shm
    // appears if the copy is a WAL database.
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
