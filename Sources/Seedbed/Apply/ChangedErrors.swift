// Errors of tables that were changed on a device: for its user, and for who helps them.

extension SeedbedError {
  static func tableIsGone(
    _ table: String, _ filler: String, version: Version, _ error: SeedbedError
  ) -> SeedbedError {
    error.saying(
      "The table '\(table.shortened(to: 40))' is gone from this database: \(filler) filled it. If "
        + "a migration renamed the table, name the file after it. Else restore a backup that has "
        + "it, create it again as the migrations make it and put its rows back, or pass over this "
        + "migration here.", .restoreBackup, .reseed(table, key: nil), .markBaseline(version))
  }

  static func columnIsGone(
    _ column: String, table: String, _ filler: String, _ error: SeedbedError
  ) -> SeedbedError {
    error.saying(
      "The table '\(table)' has no column '\(column.shortened(to: 40))' in this database any more: "
        + "\(filler) filled it. If a migration renamed the column, use its new name in the header. "
        + "Else restore a backup that has it, or add the column again and put its values back.",
      .restoreBackup, .reseed(table, key: nil))
  }

  static func rowRefused(
    sinceChange table: String, _ filler: String, _ error: SeedbedError
  ) -> SeedbedError {
    error.saying(
      "\(error.message) If the row is as it should be, the table was changed in this database "
        + "since \(filler) filled it: undo that change, or restore a backup.", .restoreBackup)
  }

  private func saying(_ message: String, _ remedies: Remedy...) -> SeedbedError {
    var error = SeedbedError(code, message, at: place, version: version, applied: applied)
    error.cause = cause
    error.remedies = remedies
    error.isDatabaseUnchanged = isDatabaseUnchanged
    return error
  }
}
