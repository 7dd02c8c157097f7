// Errors of files that change or retire rows.

extension SeedbedError {
  static func baseMissing(_ column: String, table: String, _ place: Place) -> SeedbedError {
    withoutBase("The header sets '\(column)' without 'was:\(column)'", table, place)
  }

  static func deleteWithoutRow(table: String, _ place: Place) -> SeedbedError {
    withoutBase(
      "The file has the keys of the rows to retire, but not the rows as they were", table, place)
  }

  private static func withoutBase(
    _ fact: String, _ table: String, _ place: Place
  ) -> SeedbedError {
    catalog(
      "\(fact), so users' edits cannot be distinguished from the seed. Set \"onEdited\": "
        + "\"overwriteRow\" for the table '\(table)', or generate the file.", place
    ).because(of: .missingBase).remedied(by: .makeMigration)
  }

  static func inTwoFiles(_ key: String, other: Place, _ place: Place) -> SeedbedError {
    csv(
      "The key \(key.shortened(to: 40)) is in \(other) too. One migration has one row for each "
        + "key: remove one.", place
    ).because(of: .duplicate)
  }

  static func duplicate(
    _ what: String, _ key: String, first: Place, _ place: Place
  ) -> SeedbedError {
    let found =
      first.file == place.file
      ? "appears twice in this file, first in line \(first.line ?? 0)" : "is in \(first) too"
    return csv("The \(what) \(key.shortened(to: 40)) \(found). Remove one.", place)
      .because(of: .duplicate)
  }

  static func rowRefused(table: String, reason: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .constraint, "The table '\(table)' does not take this row: \(reason).", at: place
    ).because(of: .rowRefused(table: table))
  }

  static func cannotFollow(_ table: String, child: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .csv,
      "The file gives rows of '\(table)' new keys, and '\(child)' refers to them by a foreign key "
        + "that is checked after each statement. Declare it DEFERRABLE.", at: place)
  }

  static func cannotWait(table: String, reason: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .constraint,
      "The table '\(table)' does not take this row: \(reason). The row that it refers to comes "
        + "later, and the foreign key is checked after each statement. Declare it DEFERRABLE.",
      at: place)
  }

  static func cannotGo(table: String, reason: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .constraint,
      "This row of '\(table)' cannot be deleted: \(reason). The row that refers to it goes later, "
        + "and the foreign key is checked after each statement. Declare it DEFERRABLE, and not ON "
        + "DELETE RESTRICT.", at: place)
  }

  /// `triggers`: those that may have done it.
  static func swallowed(table: String, triggers: [String], _ place: Place) -> SeedbedError {
    let names = triggers.map { "'\($0)'" }.joined(separator: " or ")
    let who =
      switch triggers.count {
      case 0: "A trigger of the table '\(table)'"
      case 1: "The trigger \(names) of the table '\(table)'"
      default: "A trigger of the table '\(table)' (\(names))"
      }
    return SeedbedError(
      .constraint, "\(who) ignored this row without an error (RAISE(IGNORE)). \(letItPass)",
      at: place)
  }

  static func keyStays(table: String) -> SeedbedError {
    SeedbedError(
      .constraint,
      "Rows of '\(table)' did not take the new key of a row: a trigger silently ignored them "
        + "(RAISE(IGNORE)). \(letItPass)")
  }

  private static let letItPass =
    "Let it pass while Seedbed applies: WHEN NOT EXISTS (SELECT 1 FROM seedbed_applying)."

  static func aboveReserve(
    _ id: String, table: String, reserve: Int64, option: Place, _ place: Place
  ) -> SeedbedError {
    catalog(
      "The id \(id) of '\(table)' is above \(reserve), the reserve of \(option): those ids are for "
        + "users. Ship a lower id, or raise the reserve.", place)
  }

  static func parentNotFound(
    isAmbiguous: Bool, table: String, parent: String, key: String, _ place: Place
  ) -> SeedbedError {
    let why =
      isAmbiguous
      ? "matches several rows. Name the row by enough UNIQUE columns to make it unambiguous."
      : "does not exist; this run created '\(parent)', so no user can have deleted it. Ship the "
        + "parent's row."
    return SeedbedError(
      .foreignKey,
      "This row of '\(table)' refers to \(key.shortened(to: 40)) of '\(parent)', which \(why)",
      at: place)
  }
}
