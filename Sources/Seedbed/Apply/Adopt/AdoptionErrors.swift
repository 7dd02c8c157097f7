extension SeedbedError {
  static func notAdopted(without table: String, _ version: Version) -> SeedbedError {
    SeedbedError(
      .sql,
      "The database has no table '\(table)', so it cannot have the catalog's rows of version "
        + "\(version). Adopt it at a version before the table came, or create the table first. "
        + "Nothing was changed.")
  }

  static func notAdopted(
    without column: String, of table: String, _ version: Version
  ) -> SeedbedError {
    SeedbedError(
      .sql,
      "The database's table '\(table)' has no column '\(column)', so it cannot have the catalog's "
        + "rows of version \(version). Adopt it at a version before the column came, or add the "
        + "column first. Nothing was changed.")
  }

  static func changedMeanwhile() -> SeedbedError {
    SeedbedError(
      .busy,
      "Another process changed tables of the catalog while the database was about to be adopted. "
        + "Try again. Nothing was changed.")
  }
}
