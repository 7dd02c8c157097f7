/// The checks and the backup before a restore changes anything.
extension Restore {
  /// - Throws: `diskFull` with the needed and the free bytes. The folder of backups needs room for
  ///   the copy to restore and for the database that is kept. The database's own folder needs room
  ///   for SQLite to roll back and for growth.
  func checkSpace(for file: Migrator.Backup) throws {
    let old = Paths.size(store.databasePath) ?? 0
    try store.checkSpace(for: old + file.bytes)
    let folder = Paths.split(store.databasePath).folder
    guard Paths.identity(folder)?.device == store.device else { return }
    try store.checkSpace(for: old + file.bytes + max(old, file.bytes))
  }

  /// > The page size may not be changed in WAL mode. (PRAGMA page_size)
  func refusePageSize(_ source: Source, _ target: RestoreTarget) throws {
    let found = try target.connection.pageSize()
    guard found != source.pageSize, try !target.isEmpty(), try target.isWAL() else { return }
    throw SeedbedError.pageSizeInWAL(
      source.file.path, backup: source.pageSize, database: found)
  }

  /// Creates the database as an empty file with the backup's mode; true if it did not exist.
  ///
  /// A `-wal` or `-journal` left by an older database does no harm: SQLite deletes it when it finds
  /// the database empty (tried with 3.40.1).
  func createIfMissing(like file: String) throws -> Bool {
    guard !Paths.exists(store.databasePath) else { return false }
    let (above, name) = Paths.split(store.databasePath)
    let folder = try Folder(above, host: store.host)
    _ = try folder.create(name, like: file)
    try folder.sync()
    return true
  }

  /// Removes the file that this restore created and did not fill. A connection that has opened it
  /// since notices before it writes that the file is gone (SQLITE_READONLY_DBMOVED).
  func removeIfEmpty() {
    guard Paths.size(store.databasePath) == 0 else { return }
    let (above, name) = Paths.split(store.databasePath)
    // An empty file is an empty database. The cause is the error to report.
    try? Folder(above, host: store.host).remove(name)
  }

  /// Keeps the database that is replaced, even a damaged one, since some data may still be
  /// recovered. nil if there is nothing to keep.
  func keep(
    _ target: RestoreTarget, version: Version, in folder: Folder
  ) throws -> Migrator.Backup? {
    if try target.isEmpty() { return nil }
    do {
      return try store.keep(in: folder, version: version) { temporary, content in
        if target.isReadable {
          do {
            content.condition = try store.copyAndCheck(temporary, cancellation).condition
            return
          } catch let failure as SQLiteFailure where failure.isDamage {
            // SQLite cannot read all pages.
          }
        }
        try copyBytes(of: target, to: temporary, &content, in: folder)
      }
    } catch {
      throw SeedbedError.oldNotKept(.from(error))
    }
  }

  /// Copies the file and its `-wal` byte by byte, since SQLite cannot read them.
  private func copyBytes(
    of target: RestoreTarget, to temporary: TemporaryBackup, _ content: inout BackupStore.Content,
    in folder: Folder
  ) throws {
    guard let file = RawFile(of: target.connection) else {
      throw SeedbedError.unreadable(store.databasePath)
    }
    try temporary.file.empty()
    try copy(file, to: temporary)
    if try target.isWAL(), let log = RawFile(of: target.connection, isLog: true), try log.size() > 0
    {
      let second = try TemporaryBackup(in: folder, base: store.base, like: store.databasePath)
      content.log = second
      try copy(log, to: second)
    }
    store.host.reached(.backupCopied)
  }

  private func copy(_ file: RawFile, to temporary: TemporaryBackup) throws {
    let size = try file.size()
    let piece: Int64 = 1 << 20
    for offset in stride(from: 0, to: size, by: Int64.Stride(piece)) {
      try cancellation?.check()
      try temporary.file.write(file.read(at: offset, count: Int(min(piece, size - offset))))
    }
  }
}
