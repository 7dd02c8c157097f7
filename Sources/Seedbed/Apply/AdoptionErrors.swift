// Errors of adopting a database that the app filled before it had Seedbed.
extension SeedbedError {
  static func filledBefore(_ error: SeedbedError) -> SeedbedError {
    SeedbedError(
      error.code,
      "\(error.message) The database has tables and no ledger. If an app filled it before it had "
        + "Seedbed, mark what it has as a baseline instead of applying it again: 'Adopt an old "
        + "database' on Seedbed's page 'Coming from something else'. Check first what differs.",
      at: error.place
    ).remedied(by: .checkBaseline)
  }

  static func adoptsUnknown(_ version: Version, last: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "The adoption names migration \(version), which the catalog does not have: its last is "
        + "\(last). Name one of the catalog's.")
  }

  static func adoptsOtherTable(
    _ table: String, _ folder: String, _ seeded: [String]
  ) -> SeedbedError {
    SeedbedError(
      .usage,
      "The adoption reported rows of '\(table)', but \(folder) inserts into "
        + (seeded.isEmpty ? "no table" : seeded.sorted().joined(separator: ", "))
        + ". Count the rows of those.")
  }

  static func adoptsLessThanNothing(_ table: String, _ count: Int) -> SeedbedError {
    SeedbedError(
      .usage, "The adoption reported \(count) rows of '\(table)'. Row counts cannot be negative.")
  }
}
