package import Seedbed

/// The differences between a database and the state that the catalog would have given it.
package enum BaselinePreview {
  /// Plans to insert all rows that the catalog has at a version: existing rows are *unchanged*,
  /// rows that differ are *keyTaken*, and missing rows would be inserted.
  ///
  /// Nothing is changed.
  ///
  /// - Returns: nil if the catalog has no rows at that version.
  /// - Throws: `SeedbedError` if a table does not exist, or is a different one.
  package static func report(
    version: Migrator.Version, of migrator: Migrator
  ) throws -> Migrator.Report? {
    do {
      return try migrator.choosing(needingFilesAbove: 0) { try plan($0, version, migrator) }
    } catch {
      throw SeedbedError.from(error).with {
        // The folder of the plan does not exist outside it.
        if $0.place?.file.hasPrefix(folder + "/") == true { $0.place = nil }
      }
    }
  }

  private static let folder = "1_baseline"

  private static func plan(
    _ resolved: ResolvedCatalog, _ version: Version, _ migrator: Migrator
  ) throws -> Migrator.Report? {
    let catalog = resolved.catalog
    try catalog.require(version)
    let scratch = try ScratchDatabase(
      resolved, to: version,
      ScratchSettings(
        ledger: migrator.options.ledger, setup: migrator.hooks.setup))
    let schema = try SnapshotSchema(scratch)
    let rows = try SnapshotRows(
      scratch, schema, try SnapshotColumns(scratch, schema, leavesComputed: true),
      onlyServed: true)
    if rows.files.isEmpty { return nil }
    // If a table does not exist, all its rows are missing.
    let missing = try Connection.missing(
      rows.files.map(\.table), at: migrator.path, migrator.hooks.setup,
      lockTimeoutSeconds: migrator.options.lockTimeout.inSeconds)
    if let missing { throw SeedbedError.baselineWithoutTable(missing, version) }
    var files: [String: [UInt8]] = [:]
    for file in rows.files { files["\(folder)/\(file.table).csv"] = file.bytes }
    if try catalog.hasOptions() {
      files[Lock.optionsName] = try catalog.bytes(of: Lock.optionsName)
    }
    if !rows.options.isEmpty {
      let text = "{\"tables\": {\n" + SnapshotOptions.entries(rows.options) + "\n}}"
      files[folder + "/migration.json"] = Array(text.utf8)
    }
    var options = migrator.options
    options.takesBackup = false
    // A separate ledger, rolled back with the rest: the database may already have one.
    options.ledger += "_baseline"
    options.policies = Migrator.Policies(onEdited: .keepEdits, onTaken: .keepUser)
    do {
      var trial = try Migrator(catalog: Catalog(files: files), at: migrator.path, options: options)
      trial.hooks.setup = migrator.hooks.setup
      return try trial.plan()
    } catch {
      // The column is missing in the database. The header is correct, since it is the catalog's
      // own.
      guard case .noColumn(let column, let table) = error.cause else { throw error }
      throw SeedbedError.baselineWithoutColumn(column, table, version)
    }
  }
}

extension SeedbedError {
  fileprivate static func baselineWithoutTable(
    _ table: String, _ version: Version
  ) -> SeedbedError {
    SeedbedError(
      .sql,
      "The database has no table '\(table)', so it cannot have the catalog's rows of version "
        + "\(version). Name the version whose rows it has, or fill it: migrate up.")
  }

  fileprivate static func baselineWithoutColumn(
    _ column: String, _ table: String, _ version: Version
  ) -> SeedbedError {
    SeedbedError(
      .sql,
      "The database's table '\(table)' has no column '\(column)', so it cannot have the catalog's "
        + "rows of version \(version). Name the version whose rows it has, or add the column.")
  }
}
