// What can be wrong with a snapshot's folder.

extension SeedbedError {
  package static func snapshotStale(_ folder: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This snapshot was made of other migrations than those that are there. Remove the folder, "
        + "and make it anew: migrate snapshot.", at: Place(folder))
  }

  static func snapshotUnmarked(_ folder: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This snapshot has no migration.json with \"snapshot\". Snapshots are not written by "
        + "hand: remove the folder, and make one: migrate snapshot.", at: Place(folder))
  }

  static func snapshotTooOld(_ version: Version, base: Version) -> SeedbedError {
    SeedbedError(
      .tooOld,
      "What the catalog makes up to \(version) cannot be told: it begins behind \(base), and has "
        + "no snapshot that old. Apply what is pending first.", version: version)
  }

  package static func belowBase(_ folder: String, base: Version) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The lock says that all up to \(base) was dropped, so nobody reads this folder. Remove it, "
        + "or give it a number above the catalog's last.", at: Place(folder))
  }

  static func joinedGap(_ base: Version, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This catalog begins behind \(base), which the catalogs before it do not reach. Join one "
        + "that goes on where they end.", at: place)
  }

  static func appliedBySnapshot(_ version: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "The catalog's old folders were dropped, so an empty database begins with a snapshot. Call "
        + "up(on:), which takes it, in place of applying \(version) by itself.", version: version)
  }
}
