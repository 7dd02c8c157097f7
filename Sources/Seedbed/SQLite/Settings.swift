import CSeedbedSQLite

/// The settings of our own connections, made before any other SQL runs.
extension Connection {
  /// Settings for the connection that applies migrations. `foreignKeys` is decided here, since it
  /// cannot change inside a transaction.
  func configureForWriting(foreignKeys: Bool) throws {
    try configureForReading()
    // > EXTRA synchronous is like FULL with the addition that the directory containing a
    // > rollback journal is synced after that journal is unlinked. (PRAGMA synchronous)
    // FULL lost 8 of 1,062 simulated power cuts.
    try set("synchronous", to: 3)
    // Before 3.51.3, a checkpoint at the same time as a write can lose pages. The checkpoint when
    // the last connection closes is safe.
    try set("wal_autocheckpoint", to: 0)
    try set("foreign_keys", to: foreignKeys ? 1 : 0)
    try set("temp_store", to: 1)
    // A temporary file is gone once it is closed. Overwriting deleted content in it takes time, and
    // hides nothing.
    try set("temp.secure_delete", to: 0)
    // Up to this size, written pages stay in memory, so that small releases never spill.
    try set("cache_size", to: -16384)
    // The app's setup may have switched CHECK constraints off.
    try set("ignore_check_constraints", to: 0)
    #if canImport(Darwin)
      try set("fullfsync", to: 1)
      try set("checkpoint_fullfsync", to: 1)
    #endif
    authorizer.install(on: handle)
  }

  /// Settings for a connection that only reads.
  func configureForReading() throws {
    try check(seedbed_db_config_switch(handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
    try check(
      seedbed_db_config_switch(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0))
    try set("cell_size_check", to: 1)
    try set("mmap_size", to: 0)
  }

  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw failure(nil) }
  }

  /// Sets a pragma and reads it back: SQLite silently ignores values that it cannot apply.
  private func set(_ pragma: String, to value: Int64) throws {
    try execute("PRAGMA \(pragma)=\(value)")
    guard let found = try self.value("PRAGMA \(pragma)")?.integer else { return }
    guard found == value else {
      throw SeedbedError(
        .io, "SQLite did not accept PRAGMA \(pragma)=\(value): it stayed at \(found).")
    }
  }
}

extension Connection {
  /// Stops waiting for fsync. Only for a final write that may be lost.
  ///
  /// In WAL mode, pages that a large transaction spilled are still on their way to the disk when it
  /// is rolled back, and the next fsync of that file would wait for all of them.
  package func stopSyncing() throws {
    guard try journalMode() == "wal" else { return }
    // > WAL mode is always consistent with synchronous=NORMAL, but WAL mode does lose durability.
    try set("synchronous", to: 1)
    // The checkpoint at the close would wait too. The next connection that opens the database makes
    // it.
    try check(seedbed_db_config_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1))
  }

  /// Runs `body` with CHECK constraints off.
  package func withoutChecks<Result>(_ body: () throws -> Result) throws -> Result {
    let before = try value("PRAGMA ignore_check_constraints")?.integer ?? 0
    try execute("PRAGMA ignore_check_constraints=1")
    let result = Swift.Result { try body() }
    try execute("PRAGMA ignore_check_constraints=\(before)")
    return try result.get()
  }

  /// Whether a name in double quotes that does not exist is read as a string.
  package func setDoubleQuotedStrings(_ areTaken: Bool) throws {
    for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
      try check(seedbed_db_config_switch(handle, option, areTaken ? 1 : 0))
    }
  }

  package var takesDoubleQuotedStrings: Bool {
    seedbed_db_config_state(handle, SQLITE_DBCONFIG_DQS_DML) == 1
  }

  /// Delays the checks of foreign keys to the end of the transaction. SQLite switches this off at
  /// each COMMIT.
  package func deferForeignKeys() throws { try execute("PRAGMA defer_foreign_keys=1") }

  /// Whether SQLite enforces foreign keys. That cannot change inside a transaction.
  package func enforcesForeignKeys() throws -> Bool { try value("PRAGMA foreign_keys") == 1 }

  /// SQLite silently ignores this inside a transaction.
  package func setForeignKeys(enforced: Bool) throws {
    try execute("PRAGMA foreign_keys=\(enforced ? 1 : 0)")
  }

  package func stateNumber() throws -> Int64? { try pragma("data_version").integer }

  package func storage() throws -> Storage {
    Storage(
      bytes: try pageCount() * pageSize(), temporaryBytes: try temporaryBytes(),
      hasLog: try journalMode() == "wal")
  }

  @inline(never)
  func pragma(_ name: String) throws -> Value { try value("PRAGMA main.\(name)") ?? .null }

  func pageSize() throws -> Int64 { try pragma("page_size").integer ?? 4096 }

  func pageCount() throws -> Int64 { try pragma("page_count").integer ?? 0 }

  /// The size of the file for temporary tables. It does not shrink when they are dropped.
  func temporaryBytes() throws -> Int64 {
    let pages = try value("PRAGMA temp.page_count")?.integer ?? 0
    return try pages * (value("PRAGMA temp.page_size")?.integer ?? 0)
  }

  func journalMode() throws -> String { try pragma("journal_mode").text ?? "delete" }
}
