import Seedbed

// The parts of a scratch database that a snapshot's maker needs.

extension ScratchDatabase {
  /// Applies all migrations up to a version, and records the tables that SQL files write to
  /// directly.
  convenience init(
    notingWritesOf catalog: Catalog, to version: Version, _ settings: ScratchSettings
  ) throws {
    final class Writes { var tables: Set<Name> = [] }
    let writes = Writes()
    try self.init(.authored(catalog), to: version, settings) { kind, statement in
      // The app's own SQL does not count.
      if kind == .schema { return }
      for effect in statement.effects {
        switch effect {
        case .insert(let table), .delete(let table), .update(let table, _):
          writes.tables.insert(table)
        case .create, .drop, .alter: continue
        }
      }
    }
    written = writes.tables
  }

  /// Whether a table is the ledger's own, or SQLite's.
  func isOwn(_ table: String) -> Bool { ledger.owns(table) }

  func isServed(_ table: String) throws -> Bool { try serving(table) != nil }

  /// Whether a table of the app's has rows from the catalog's files or SQL.
  func isFilled(_ table: String) throws -> Bool {
    if try isServed(table) || written.contains(table) { return true }
    guard let start else { return false }
    return try catalog.options(of: start).snapshot?.fills.contains(name: table) ?? false
  }

  /// The table, by the options of the last migration that fills it; nil if nothing distinguishes
  /// its rows.
  func servedTarget(_ table: String) throws -> TableTarget? {
    let options = try servingOptions(of: table)
    let keys = try KeyOptions(options, ledger: ledger, on: connection)
    if options.table(table).key == nil, try connection.schema(of: table).primaryKey.isEmpty {
      return nil
    }
    return try TableTarget.read(
      table, options: options.table(table), keyOptions: keys, place: SeedbedError.Place(table),
      ledger: ledger, on: connection
    ).ofAnyOwner
  }

  /// The names by which the catalog's files fill a table, and the names of all other columns that
  /// they fill.
  func filledNames(of target: TableTarget) throws -> [String] {
    let names = try seededNames(of: target)
    let reading = HeaderParser(target.schema, on: connection)
    let known = try names.flatMap { try reading.columns($0) }.map(\.name).asNames
    return try names + seededColumns(of: target).map(\.name).filter { !known.contains($0) }
  }

  /// Whether rowids of tables without a name for them may be in use: in an index of a virtual
  /// table, or in the catalog's SQL.
  func knowsRowids() throws -> Bool {
    let virtual = try connection.value(
      "SELECT 1 FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' LIMIT 1")
    if virtual != nil { return true }
    let names: Set<Name> = ["rowid", "_rowid_", "oid", "last_insert_rowid"]
    return try migrations.contains { migration in
      try tokens(of: migration).contains { names.contains($0.text) }
    }
  }

  /// Whether the catalog's SQL uses values that differ on each device: the time, or chance.
  func asksClockOrChance() throws -> Bool {
    let functions: Set<Name> = [
      "random", "randomblob", "date", "time", "datetime", "julianday", "unixepoch", "strftime",
    ]
    return try migrations.contains { migration in
      let tokens = try tokens(of: migration)
      return tokens.indices.contains { index in
        let name = tokens[index].text
        if name.asciiLowercased().hasPrefix("current_") { return true }
        return functions.contains(name) && index + 1 < tokens.count
          && tokens[index + 1].isSign("(")
      }
    }
  }

  /// Makes the same database again, at another time.
  func again() throws -> ScratchDatabase {
    var settings = settings
    settings.mirror = nil
    return try ScratchDatabase(
      resolved, to: migrations.last?.version ?? 0, settings, startingWith: start,
      vfs: OtherTime.vfs)
  }

  private func tokens(of migration: Migration) throws -> [SQLToken] {
    try migration.files.filter { $0.kind == .up || $0.kind == .after }.flatMap { file in
      let bytes = try catalog.open(file, in: migration).content(limit: MigrationScripts.limit)
      return SQLTokens.code(of: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// The fields of a header, by the options of the last migration that fills the table.
  func servedFields(_ names: [String], of target: TableTarget) throws -> [SourceField] {
    try SourceField.read(
      names, place: target.name, of: target, options: servingOptions(of: target.name),
      on: connection)
  }

  /// A key that a row from an SQL file took from a seed row; nil for none, as almost always.
  func takenKey() throws -> (table: String, key: String)? {
    let rows = try connection.rows(
      """
      SELECT table_name, key FROM \(ledger.table("left_to_user"))
      WHERE kind <> '\(Reason.deletedByUser.word)' LIMIT 1
      """)
    return rows.first.map { ($0[0].text ?? "", $0[1].text ?? "") }
  }

  /// The objects that schema.sql creates for the app: their SQL by their names.
  func appObjects() throws -> [Name: String] {
    let own = try Connection("", .temporary, setup: connection.setup)
    for migration in migrations {
      guard let file = migration.file(.schema) else { continue }
      let bytes = try catalog.open(file, in: migration).content(limit: MigrationScripts.limit)
      do {
        try own.executeAll(String(decoding: bytes, as: UTF8.self))
      } catch {
        throw SeedbedError.from(error).located(
          at: SeedbedError.Place(migration.place(of: file)))
      }
    }
    let found = try own.rows("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return Dictionary(
      found.map { (Name($0[0].text ?? ""), $0[1].text ?? "") },
      uniquingKeysWith: { first, _ in first })
  }
}
