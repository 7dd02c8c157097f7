// What can be wrong with a snapshot's folder.

extension SeedbedError {
  package static func snapshotStale(_ folder: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This snapshot was made from different migrations, or before one was withdrawn. If the first "
        + "folders were dropped, put back the lock with its line 'base' first. Then remove the "
        + "folder, and make the snapshot again.", at: Place(folder)
    ).remedied(by: .makeSnapshot)
  }

  static func snapshotUnproven(_ folder: String, _ files: [String]) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This snapshot has \(files.map { "'\($0)'" }.joined(separator: " and ")), which was not yet "
        + "compared on a server with the migrations. Make the snapshot again, with a server, or "
        + "remove its files for PostgreSQL.", at: Place(folder)
    ).remedied(by: .makeSnapshot)
  }

  static func twoBases(_ folder: String, _ other: String) -> SeedbedError {
    SeedbedError(
      .catalog,
      "The lock has two lines 'base' for one version, '\(folder)' and '\(other)', with different "
        + "chains: two branches dropped different migrations. Keep the line of the branch that was "
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
      "The state at \(version) is unknown: the catalog begins after \(base), and has no snapshot "
        + "that old. On a database, apply what is pending first; to make a migration again, put "
        + "back the dropped folders and their lock.", version: version)
  }

  static func joinedGap(_ base: Version, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This catalog begins after \(base), which the preceding catalogs do not reach. Join one that "
        + "continues where they end.", at: place)
  }

  static func joinedOtherBase(_ folder: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "This catalog begins after a '\(folder)' that differs from that of the preceding catalogs. "
        + "Released migrations do not change: use the matching release.", at: place)
  }
}
