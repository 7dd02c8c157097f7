// Errors of tables that were changed on a device: for its user, and for who helps them.

extension SeedbedError {
  static func tableIsGone(
    _ table: String, _ filler: String, version: Version, _ error: SeedbedError
  ) -> SeedbedError {
    error.saying(
      "The table '\(table.shortened(to: 40))' is gone from this database: \(filler) filled it. Put "
        + "a backup back that has it: migrate restore. Or create it again as the migrations make "
        + "it, and put its rows back: migrate reseed \([table].shellOperands). Or pass over this "
        + "migration here: migrate baseline \(version). If a migration renamed the table, name the "
        + "file after it.")
  }

  static func columnIsGone(
    _ column: String, table: String, _ filler: String, _ error: SeedbedError
  ) -> SeedbedError {
    error.saying(
      "The table '\(table)' has no column '\(column.shortened(to: 40))' in this database any more: "
        + "\(filler) filled it. Put a backup back that has it: migrate restore. Or add the column "
        + "again, and put its values back: migrate reseed \([table].shellOperands). If a migration "
        + "renamed the column, use its new name in the header.")
  }

  static func rowRefused(
    sinceChange table: String, _ filler: String, _ error: SeedbedError
  ) -> SeedbedError {
    error.saying(
      "\(error.message) If migrate lint accepts the row, the table was changed in this database "
        + "since \(filler) filled it: undo that change, or put a backup back: migrate restore.")
  }

  private func saying(_ message: String) -> SeedbedError {
    var error = SeedbedError(code, message, at: place, version: version, applied: applied)
    error.cause = cause
    error.isDatabaseUnchanged = isDatabaseUnchanged
    return error
  }
}
