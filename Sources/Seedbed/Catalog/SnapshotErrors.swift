// What can be wrong with a snapshot's folder.

extension SeedbedError {
  package static func snapshotStale(_ folder: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This snapshot was made of other migrations than those that are there, or before one was "
        + "withdrawn. If the first folders were dropped, put back the lock with its line 'base' "
        + "first. Then remove the folder, and make it again.", at: Place(folder)
    ).remedied(by: .makeSnapshot)
  }

  static func twoBases(_ folder: String, _ other: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The lock has two lines 'base' for one version, '\(folder)' and '\(other)', with different "
        + "chains: two branches dropped other migrations. Keep the line of the branch that was "
        + "released, and write the lock again.", at: Place("seedbed.lock")
    ).remedied(by: .writeLock)
  }

  static func snapshotUnmarked(_ folder: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This snapshot has no migration.json with \"snapshot\". Snapshots are not written by "
        + "hand: remove the folder, and make one.", at: Place(folder)
    ).remedied(by: .makeSnapshot)
  }

  static func snapshotTooOld(_ version: Version, base: Version) -> SeedbedError {
    SeedbedError(
      .tooOld,
      "What the catalog makes up to \(version) cannot be told: it begins behind \(base), and has "
        + "no snapshot that old. On a database, apply what is pending first; to make a migration "
        + "again, put the dropped folders back, with the lock that they had.", version: version)
  }

  static func joinedGap(_ base: Version, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This catalog begins behind \(base), which the catalogs before it do not reach. Join one "
        + "that goes on where they end.", at: place)
  }

  static func joinedOtherBase(_ folder: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This catalog begins behind another '\(folder)' than the catalogs before it have. Released "
        + "migrations do not change: take the release that belongs to them.", at: place)
  }
}
