/// What can be known before anything is changed: why a migration cannot be undone.
package struct DownRefusals {
  let catalog: Catalog
  let ledger: Ledger
  let connection: any DatabaseSession

  package init(catalog: Catalog, ledger: Ledger, connection: any DatabaseSession) {
    (self.catalog, self.ledger, self.connection) = (catalog, ledger, connection)
  }

  func check(_ migration: Migration) throws {
    if let reason = try reason(migration) {
      throw SeedbedError.downRefused(migration.version, migration.name, reason)
    }
  }

  private func reason(_ migration: Migration) throws -> String? {
    if migration.isWithdrawn { return nil }
    if migration.file(.up) != nil, migration.file(.down) == nil {
      return "it has an up.sql and no down.sql that undoes it"
    }
    if migration.file(.after) != nil, migration.file(.afterDown) == nil {
      return "it has an after.sql and no after.down.sql that undoes it"
    }
    for file in migration.files where try isWithoutBase(file, migration) {
      return "\(file.name) has no old values, so the earlier state is unknown"
    }
    return nil
  }

  /// By the header alone: the table may not exist any more.
  package func isWithoutBase(_ file: MigrationFile, _ migration: Migration) throws -> Bool {
    guard let (table, operation) = file.kind.rows, operation != "insert" else { return false }
    let reader = try catalog.rows(of: file, in: migration)
    guard let found = try connection.object(named: table), found.kind == .table else {
      return false
    }
    let schema = try connection.schema(of: found.name)
    let key = try catalog.options(of: migration).table(table).key ?? schema.primaryKey.map(\.name)
    let keys = Set(key.map { $0.asciiLowercased() })
    let reading = HeaderParser(schema, on: connection)
    func columns(_ names: [String]) throws -> [String] {
      // The merge reports a name that no longer exists.
      try names.flatMap { name in
        let columns = try reading.columns(name)
        return columns.isEmpty ? [name] : columns.map(\.name)
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
    _ version: Version, _ name: String, _ reason: String, _ code: Code = .catalog
  ) -> SeedbedError {
    SeedbedError(
      code,
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

  static func downToUnknown(_ version: Version, current: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "There is no migration \(version) to go down to; the database is at \(current). List the "
        + "migrations."
    ).remedied(by: .lookAtStatus)
  }

  static func takesUserRows(_ statement: String, _ table: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .conflict,
      "This \(statement) would delete users' rows with '\(table)'. The migration was not undone. "
        + "Move them first, or discard them.", at: place
    ).remedied(by: .discardUserRows)
  }

  static func takesUserValues(_ table: String, _ column: String, _ place: Place) -> SeedbedError {
    SeedbedError(
      .conflict,
      "This DROP COLUMN would delete users' values in '\(column)' of '\(table)'. The migration was "
        + "not undone. Move them first, or discard them.", at: place
    ).remedied(by: .discardUserRows)
  }
}
