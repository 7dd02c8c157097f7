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

extension Catalog {
  /// Whether a file that changes or retires rows lacks their old values. Only the header is read,
  /// since the table may no longer exist.
  package func isWithoutBase(
    _ file: MigrationFile, in migration: Migration, on connection: any DatabaseSession
  ) throws -> Bool {
    guard let (table, operation) = file.kind.rows, operation != "insert" else { return false }
    let reader = try rows(of: file, in: migration)
    guard let found = try connection.object(named: table), found.kind == .table else {
      return false
    }
    let schema = try connection.schema(of: found.name)
    let key = try options(of: migration).table(table).key ?? schema.primaryKey.names
    let keys = Set(key.map { $0.asciiLowercased() })
    let reading = HeaderParser(schema, on: connection)
    func columns(_ names: [String]) throws -> [String] {
      // The merge reports a name that no longer exists.
      try names.flatMap { name in
        let columns = try reading.columns(name)
        return columns.isEmpty ? [name] : columns.names
      }.map { $0.asciiLowercased() }
    }
    let names = reader.header.map(\.name)
    let set = try columns(names.filter { !$0.hasPrefix("was:") }).filter { !keys.contains($0) }
    if operation == "delete" {
      return set.isEmpty && schema.columns.contains { !keys.contains($0.name.asciiLowercased()) }
    }
    let bases = try columns(names.filter { $0.hasPrefix("was:") }.map { String($0.dropFirst(4)) })
    return !Set(set).isSubset(of: bases)
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
