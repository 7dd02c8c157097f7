// What can be wrong with a handle that the app lends.
extension SeedbedError {
  static func otherSQLite(_ sourceID: String) -> SeedbedError {
    SeedbedError(
      .needsConnection,
      "The handle belongs to another copy of SQLite (\(sourceID.shortened(to: 40))) than the one "
        + "that Seedbed is linked with. Link both with the same one, or let Seedbed open the "
        + "database itself where no other copy has it open.")
  }

  static func handleOnOtherThread() -> SeedbedError {
    SeedbedError(
      .busy, "Another thread is using the handle. Lend it where nobody else works with it.")
  }

  static func handleIsBusy(_ sql: String) -> SeedbedError {
    SeedbedError(
      .busy,
      "The handle is in the middle of '\(sql.shortened(to: 80))'. Read it to its end, or reset it, "
        + "before you lend the handle.")
  }

  static func handleInTransaction() -> SeedbedError {
    SeedbedError(
      .usage,
      "The handle is inside a transaction, and up(on:) makes its own. Call it outside, or apply "
        + "one migration inside yours with applyIfPending(_:on:).")
  }

  static func handleNotInTransaction() -> SeedbedError {
    SeedbedError(
      .usage,
      "The handle is not inside a transaction, and applyIfPending(_:on:) is part of the caller's. "
        + "Begin one, or let up(on:) make its own.")
  }

  static func foreignKeysAreOn(_ folder: String, _ reason: String) -> SeedbedError {
    SeedbedError(
      .needsConnection,
      "\(folder) needs foreign keys off, since \(reason), and the handle has them on. Run "
        + "PRAGMA foreign_keys=OFF outside of any transaction, call this again, and switch them on "
        + "afterwards: Seedbed checks the references itself meanwhile.")
  }

  static func openViolations() -> SeedbedError {
    SeedbedError(
      .foreignKey,
      "The transaction already has rows that refer to rows which do not exist, so that nobody "
        + "could tell them from those of the migration. Mend them before applyIfPending(_:on:).")
  }

  static func appliedFirst(_ version: Version, _ label: MigrationLabel) -> SeedbedError {
    SeedbedError(
      .outOfOrder,
      "Migration \(label.version) '\(label.name)' is pending and comes before \(version). Apply it "
        + "first.")
  }

  /// SQLite ends a transaction by itself after some errors: a full disk, no memory.
  var withLostTransaction: SeedbedError {
    SeedbedError(
      code, message + " SQLite rolled your whole transaction back.", at: place, version: version,
      applied: applied, isDatabaseUnchanged: isDatabaseUnchanged)
  }
}
