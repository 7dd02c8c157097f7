extension MigrationTransaction {
  /// On a database that the app has not opened yet, the app is what is missing, not an up.sql.
  func refuseMissingTableOfApp(_ table: String, _ place: String) throws {
    guard !context.isOnScratch, try connection.object(named: table) == nil else { return }
    let name = table.asciiLowercased()
    let isAppsOwn = try (catalog.migrations() + [migration]).contains { other in
      guard other.version <= migration.version, let file = other.file(.schema) else { return false }
      let bytes = try catalog.open(file, in: other).content(limit: MigrationScripts.limit)
      let sql = String(decoding: bytes, as: UTF8.self)
      return sql.asciiLowercased().contains(name)
    }
    if isAppsOwn { throw SeedbedError.tableOfAppMissing(table, SeedbedError.Place(place)) }
  }
}

extension SeedbedError {
  static func tableOfAppMissing(_ name: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .catalog,
      "There is no table '\(name.shortened(to: 40))' in the database. The app creates this table, "
        + "as schema.sql says: open the database in the app first, then try again.", at: place)
  }
}
