// Errors of files that change or retire rows.

extension SeedbedError {
  static func baseMissing(_ column: String, table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The header sets '\(column)' without 'was:\(column)', so what a user edited cannot "
        + "be told from the seed. Set \"onEdited\": \"overwriteRow\" for the table '\(table)', or "
        + "have the file written.", at: place
    ).because(of: .missingBase).remedied(by: .makeMigration)
  }

  static func deleteWithoutRow(table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The file has the keys of the rows to retire, but not the rows as they were, so "
        + "what a user edited cannot be told from the seed. Set \"onEdited\": \"overwriteRow\" for "
        + "the table '\(table)', or have the file written.", at: place
    ).because(of: .missingBase).remedied(by: .makeMigration)
  }

  static func baseWithoutValue(_ column: String, _ place: Place) -> SeedbedError {
    csv(
      "The header has 'was:\(column)', but no '\(column)' to set. Add it, or take the old "
        + "value out.",
      place)
  }

  static func nothingToSet(table: String, _ place: Place) -> SeedbedError {
    csv(
      "The header sets no column of '\(table)' besides its key. An update needs the "
        + "columns to set.",
      place)
  }

  static func inTwoFiles(
    _ key: String, other: Place, _ place: Place
  ) -> SeedbedError {
    csv(
      "The key \(key.shortened(to: 40)) is retired here and changed in \(other). Take one out.",
      place
    ).because(of: .duplicate)
  }

  static func rowRefused(table: String, reason: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .constraint, "The table '\(table)' does not take this row: \(reason).", at: place
    ).because(of: .rowRefused(table: table))
  }
}
