// What a snapshot's maker asks of the catalog's state.

extension Scratch {
  /// Whether a table is the ledger's own, or SQLite's.
  package func isOwn(_ table: String) -> Bool { fold.ledger.owns(table) }

  /// The options of the last migration that serves a table, or those for all.
  package func servingOptions(of table: String) throws -> MigrationOptions {
    let serving = fold.migrations.last { $0.files.contains { $0.serves(table) } }
    return try serving.map { try catalog.options(of: $0) } ?? catalog.generalOptions()
  }

  package func isServed(_ table: String) -> Bool {
    fold.migrations.contains { $0.files.contains { $0.serves(table) } }
  }

  /// By the options of the last migration that serves it; nil where nothing tells its rows apart.
  package func servedTarget(_ table: String) throws -> TableTarget? {
    let options = try servingOptions(of: table)
    let keys = try KeyOptions(options, ledger: fold.ledger, on: connection) { _ in false }
    if options.table(table).key == nil, try connection.schema(of: table).primaryKey.isEmpty {
      return nil
    }
    return try TableTarget.read(
      table, options: options.table(table), keyOptions: keys, place: SeedbedError.Place(table),
      ledger: fold.ledger, on: connection)
  }

  /// The columns that the catalog's files fill.
  package func seededColumns(of target: TableTarget) throws -> Set<String> {
    Set(try fold.seededColumns(of: target).map(\.name))
  }

  /// The fields of a header, by the options of the last migration that serves the table.
  package func servedFields(_ names: [String], of target: TableTarget) throws -> [TruthField] {
    try TruthField.read(
      names, place: target.name, of: target, options: servingOptions(of: target.name),
      on: connection)
  }

  /// A key that a row of SQL files took from a seed row; nil for none, as nearly always.
  package func takenKey() throws -> (table: String, key: String)? {
    let rows = try connection.rows(
      "SELECT table_name, key FROM \(fold.ledger.table("left_to_user")) LIMIT 1")
    return rows.first.map { ($0[0].text ?? "", $0[1].text ?? "") }
  }

  /// The names of what schema.sql makes: the app's own, in lower case.
  package func appObjects() throws -> Set<String> {
    let own = try Connection("", .temporary, cancellation: nil)
    for migration in fold.migrations {
      guard let file = migration.file(.schema) else { continue }
      let bytes = try catalog.open(file, in: migration).content(limit: MigrationScripts.limit)
      do {
        try own.executeAll(String(decoding: bytes, as: UTF8.self))
      } catch {
        throw SeedbedError.from(error).located(
          at: SeedbedError.Place(migration.folder + "/" + file.name))
      }
    }
    let names = try own.rows("SELECT lower(name) FROM sqlite_schema")
    return Set(names.compactMap { $0[0].text })
  }
}
