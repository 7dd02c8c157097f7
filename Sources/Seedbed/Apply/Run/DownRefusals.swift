/// Reasons why a migration cannot be undone that are known before anything is changed.
extension Run {
  func refuseDown(_ migration: Migration) throws {
    if migration.isWithdrawn { return }
    func refuse(_ reason: String) throws -> Never {
      throw SeedbedError.downRefused(migration.version, migration.name, reason)
    }
    if migration.file(.up) != nil, migration.file(.down) == nil {
      try refuse("it has an up.sql and no down.sql that undoes it")
    }
    if migration.file(.after) != nil, migration.file(.afterDown) == nil {
      try refuse("it has an after.sql and no after.down.sql that undoes it")
    }
    for file in migration.files
    where try catalog.isWithoutBase(file, in: migration, on: connection) {
      try refuse("\(file.name) has no old values, so the earlier state is unknown")
    }
  }
}

extension SeedbedError {
  static func downRefused(
    _ version: Version, _ name: String, _ reason: String
  ) -> SeedbedError {
    SeedbedError(
      .catalog,
      "Migration \(version) '\(name)' cannot be undone: \(reason). Nothing was changed. Restore a "
        + "backup, or ship a new migration that corrects the data.", version: version)
  }

  static func appliedMeanwhile(_ version: Version) -> SeedbedError {
    SeedbedError(
      .busy,
      "Another process applied migration \(version) meanwhile. Try again after a look at the "
        + "database.", version: version
    ).remedied(by: .lookAtStatus)
  }
}
