/// Reads a database without leaving a trace next to it.
extension Connection {
  /// Opens for reading only.
  ///
  /// A read-only connection to a WAL database that was closed cleanly creates `-shm` and `-wal`
  /// files and leaves them, and fails in a folder without write permission. `immutable=1` creates
  /// nothing, but misses a committed WAL. So `immutable=1` is used only if the database is in WAL
  /// mode and has no `-wal` file, and `stat` is called again afterwards.
  ///
  /// - Throws: `SQLiteFailure` whose `needsRecovery` is true if a hot journal waits for the
  ///   next writer.
  package static func reading<Result>(
    _ path: String, setup: ConnectionSetup?, lockTimeoutSeconds: Double,
    cancellation: Migrator.Cancellation? = nil, _ body: (Connection) throws -> Result
  ) throws -> Result {
    // If a writer came in between, look again.
    for _ in 0..<100 {
      let (connection, isQuiet) = try open(path, setup, lockTimeoutSeconds, cancellation)
      if !isQuiet { return try connection.look(body) }
      let result = Swift.Result { try connection.look(body) }
      if !Paths.exists(path + "-wal") { return try result.get() }
    }
    throw SeedbedError.databaseBusy()
  }

  private static func open(
    _ path: String, _ setup: ConnectionSetup?, _ lockTimeoutSeconds: Double,
    _ cancellation: Migrator.Cancellation?
  ) throws -> (Connection, isQuiet: Bool) {
    func open(_ mode: Mode) throws -> Connection {
      try Connection(
        path, mode, setup: setup, lockTimeoutSeconds: lockTimeoutSeconds,
        cancellation: cancellation)
    }
    let plain = try open(.readOnly)
    let isQuiet = try plain.isMarkedWAL() && !Paths.exists(path + "-wal")
    return try (isQuiet ? open(.immutable) : plain, isQuiet)
  }

  private func look<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try configureForReading()
    return try inReadTransaction { try body(self) }
  }

  /// Runs `body` in a transaction that only reads, so that all queries see the same state.
  package func inReadTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    defer { rollBack() }
    return try body()
  }

  /// The same on a lent handle, whether or not the app has a transaction open.
  ///
  /// The app's observers are not called. A ROLLBACK would call them, but the end of a savepoint
  /// that wrote nothing does not.
  func inSavepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("SAVEPOINT seedbed")
    defer { try? execute("RELEASE seedbed") }  // It fails only if SQLite has ended it already.
    return try body()
  }

  /// Whether byte 18 of the header, the file format write version, is 2 for WAL.
  func isMarkedWAL() throws -> Bool {
    // A file that is too short reads as zeros, which do not mean WAL.
    try RawFile(of: self)?.read(at: 18, count: 1) == [2]
  }
}
