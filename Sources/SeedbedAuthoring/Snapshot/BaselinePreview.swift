public import Seedbed

/// What differs between a database and what the catalog would have made of it.
public enum BaselinePreview {
  /// Plans to insert all rows that the catalog has at a version: those that are there are
  /// *unchanged*, those that differ *keyTaken*, and those that are not there would be inserted.
  ///
  /// Nothing is changed.
  ///
  /// - Returns: nil where the catalog has no rows by then.
  /// - Throws: `SeedbedError` where a table is not there, or is another one.
  public static func report(
    directory: String, version: Version, database: String, options: Migrator.Options
  ) throws -> Report? {
    do {
      return try plan(directory, version, database, options)
    } catch {
      throw SeedbedError.from(error)
    }
  }

  private static func plan(
    _ directory: String, _ version: Version, _ database: String, _ options: Migrator.Options
  ) throws -> Report? {
    let catalog = try Catalog(authoring: directory)
    try requireVersion(version, in: catalog)
    let scratch = try Scratch(catalog, to: version, ledger: options.ledger)
    let schema = try SnapshotSchema(scratch)
    let rows = try SnapshotRows(
      scratch, schema, try SnapshotColumns(scratch, schema, leavesComputed: true),
      onlyServed: true)
    if rows.files.isEmpty { return nil }
    let folder = "1_baseline"
    var files: [String: [UInt8]] = [:]
    for file in rows.files { files[folder + "/" + file.name] = file.bytes }
    if try catalog.hasOptions() {
      files[Lock.optionsName] = try catalog.bytes(of: Lock.optionsName)
    }
    if !rows.options.isEmpty {
      let text = "{\"tables\": {\n" + SnapshotOptions.entries(rows.options) + "\n}}"
      files[folder + "/migration.json"] = Array(text.utf8)
    }
    var options = options
    options.backs = false
    // A ledger of its own, rolled back with the rest: the database may have one already.
    options.ledger += "_baseline"
    options.policies = Policies(onEdited: .keepEdits, onTaken: .keepUser)
    return try Migrator(
      catalog: Catalog(files: files), database: .file(database), options: options
    ).plan()
  }

  private static func requireVersion(_ version: Version, in catalog: Catalog) throws {
    let migrations = try catalog.migrations()
    let isBase = try catalog.base()?.version == version
    if isBase || migrations.contains(where: { $0.version == version }) { return }
    throw SeedbedError.unknownVersion(
      version, first: migrations.first?.version, last: migrations.last?.version ?? 0)
  }
}
