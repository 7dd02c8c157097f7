// Errors of a handle that the app lends.
extension SeedbedError {
  static func handleInTransaction() -> SeedbedError {
    SeedbedError(
      .usage,
      "The handle is inside a transaction, and up(on:) and plan(on:) begin their own. Call them "
        + "outside, or apply one migration inside yours with applyIfPending(_:on:).")
  }

  static func handleNotInTransaction() -> SeedbedError {
    SeedbedError(
      .usage,
      "The handle is not inside a transaction, and applyIfPending(_:on:) is part of the caller's. "
        + "Begin one, or let up(on:) begin its own.")
  }

  static func foreignKeysAreOn(_ folder: String, _ reason: String) -> SeedbedError {
    SeedbedError(
      .needsConnection,
      "\(folder) needs foreign keys off, because \(reason), and the handle has them on. Run PRAGMA "
        + "foreign_keys=OFF outside of any transaction, call this again, and switch them on "
        + "afterwards: Seedbed checks the references itself meanwhile.")
  }

  static func openViolations() -> SeedbedError {
    SeedbedError(
      .foreignKey,
      "The transaction already has rows that refer to rows that do not exist, and they could not "
        + "be distinguished from those of the migration. Fix them before applyIfPending(_:on:).")
  }

  static func appliedFirst(_ version: Version, _ label: MigrationLabel) -> SeedbedError {
    SeedbedError(
      .outOfOrder,
      "Migration \(label.version) '\(label.name)' is pending and comes before \(version). Apply it "
        + "first.")
  }

  static func appliedBySnapshot(_ version: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog's old folders were dropped, so an empty database begins with a snapshot. Call "
        + "up(on:), which uses it, instead of applying \(version) on its own.", version: version)
  }

  /// SQLite ends a transaction by itself after some errors: a full disk, no memory.
  var withLostTransaction: SeedbedError {
    with {
      $0.message += " SQLite rolled your whole transaction back."
      $0.remedies = []
    }
  }
}
