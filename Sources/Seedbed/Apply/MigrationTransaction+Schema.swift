extension MigrationTransaction {
  /// On a database that the app has not opened yet, the app is what is missing, not an up.sql.
  func refuseMissingTableOfApp(_ table: String, _ place: String) throws {
    guard !isOnScratch, try connection.object(named: table) == nil else { return }
    let name = table.asciiLowercased()
    let isAppsOwn = try (catalog.migrations() + [migration]).contains { other in
      guard other.version <= migration.version, let file = other.file(.schema) else { return false }
      let sql = String(decoding: try catalog.bytes(of: file.name, in: other.folder), as: UTF8.self)
      return sql.asciiLowercased().contains(name)
    }
    if isAppsOwn { throw SeedbedError.tableOfAppMissing(table, SeedbedError.Place(place)) }
  }
}
