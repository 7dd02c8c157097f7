/// An SQLite database in one file.
struct SQLiteFile: DatabaseKind {
  /// Empty for a database that is already open.
  let path: String
  /// Whether it was given as `file:…`. A caller who writes a URI does not mean a file with this
  /// name.
  var isURI = false
  var setup: ConnectionSetup?

  var dialect: any Dialect { SQLiteDialect.shared }
  var name: String { path }
  var size: Int64? { Paths.size(path) }
  var exists: Bool { Paths.exists(path) }

  func refuseMissing() throws {
    if exists { return }
    throw SeedbedError(
      .io, "There is no database at '\(path)'. Name another, or create it."
    ).remedied(by: .nameDatabase, .apply)
  }

  func refuseBadPlace() throws {
    // SQLite would keep such a database in memory, and cut a path at a zero byte.
    if path.isEmpty || path.hasSuffix("/:memory:") || isURI || path.utf8.contains(0) {
      throw SeedbedError(
        .usage,
        "A database needs the path of a file, and not '\(path.shortened(to: 40))'. For one "
          + "in memory, lend its handle: up(on:).")
    }
    let folder = Paths.split(path).folder
    guard !folder.isEmpty, !Paths.isFolder(folder) else { return }
    throw SeedbedError(
      .io,
      "There is no folder '\(folder)' for the database '\(Paths.split(path).name)'. Create the "
        + "folder first.")
  }

  func open(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> any DatabaseSession {
    let connection = try Connection(
      path, options.requiresExistingDatabase ? .readWrite : .create, setup: setup,
      lockTimeoutSeconds: options.lockTimeout.inSeconds, cancellation: cancellation)
    try connection.configureForWriting(foreignKeys: true)
    return connection
  }

  func openAgain(_ options: Migrator.Options) throws -> any DatabaseSession {
    try open(options, nil)
  }

  func nowhere() throws -> any DatabaseSession { try Connection("", .memory, setup: setup) }

  func empty(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> EmptyDatabase {
    let connection = try Connection(
      "", .temporary, setup: setup, cancellation: cancellation)
    try connection.configureForWriting(foreignKeys: true)
    return EmptyDatabase(
      kind: SQLiteFile(path: "", setup: setup), session: connection)
  }

  func reading<Result>(
    _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?,
    _ body: (any DatabaseSession) throws -> Result
  ) throws -> Result {
    try Connection.reading(
      path, setup: setup, lockTimeoutSeconds: options.lockTimeout.inSeconds,
      cancellation: cancellation, body)
  }

  func head(
    of ledger: Ledger, _ options: Migrator.Options, _ cancellation: Migrator.Cancellation?
  ) throws -> (version: Version, chain: String)? {
    guard exists else { return nil }
    // Not read-only: such a connection leaves -shm and -wal files.
    let connection = try Connection(
      path, .readWrite, setup: setup, lockTimeoutSeconds: options.lockTimeout.inSeconds,
      cancellation: cancellation)
    do {
      return try ledger.settledHead(on: connection)
    } catch let failure as SQLiteFailure where failure.isOfStatement {
      // The only possible error is that the table does not exist.
      return nil
    }
  }

  func needs(of tables: [String], _ options: Migrator.Options) throws -> [EngineNeed] {
    [LibraryVersion.need]
  }

  func needsBackup(
    _ ledger: Ledger, of tables: @autoclosure () throws -> [String],
    on session: any DatabaseSession
  ) throws -> Bool {
    try !path.isEmpty && !session.tableNames().allSatisfy(ledger.owns)
  }

  func backUp(
    _ options: Migrator.Options, _ host: Host, _ ledger: Ledger, on session: any DatabaseSession,
    _ cancellation: Migrator.Cancellation?, _ onProgress: () -> Void
  ) throws -> Migrator.Backup {
    let store = BackupStore(of: path, options, host, setup)
    // Another process may have applied some since the run was recorded. The backup's name has the
    // present version.
    let taken = try store.take(
      version: ledger.baseVersion(on: session), cancellation: cancellation
    ) { _ in onProgress() }
    try store.removeSuperseded(by: taken, ledger: ledger, on: session)
    return taken
  }
}
