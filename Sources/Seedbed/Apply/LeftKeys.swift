/// Keys that are left to the user, if a migration knows the rows of their table by other columns
/// than those that left them.
///
/// An entry is about one row of the seed, and gets the key by which the release knows that row now:
///
///     the user has, or had, the seed's row    the row in the database, else the catalog's
///     (editedRetired, referenced, pinned)
///     the seed's row is not there             the catalog's row, else the one that the user has
///     (keyTaken, uniqueTaken, deletedByUser)  under the key
///
/// The catalog's row is looked up in a scratch database, made only for this; if a release retired
/// it, in one of the time when the key was left to the user. An entry whose row has no such key says
/// nothing about the rows of this migration: it waits, and counts again once rows are known by its
/// columns.
final class LeftKeys {
  private let migration: Migration
  private let options: MigrationOptions
  private let context: RunContext
  private let isDown: Bool
  /// By the last version that was applied to each; nil for the catalog's rows of now.
  private var scratches: [Version?: Scratch] = [:]
  private var connection: any DatabaseSession { context.connection }

  init(
    _ migration: Migration, _ options: MigrationOptions, _ context: RunContext, isDown: Bool
  ) {
    (self.migration, self.options) = (migration, options)
    (self.context, self.isDown) = (context, isDown)
  }

  /// - Parameter option: what the option `key` says; nil for the primary key.
  func follow(_ table: String, key option: [String]?) throws {
    // On a scratch database nothing is a user's.
    if context.isOnScratch { return }
    let entries = try context.ledger.leftToUser(table: table, on: connection)
    if entries.isEmpty { return }
    let schema = try connection.schema(of: table)
    let key = option.map { $0.compactMap(schema.column) } ?? schema.primaryKey
    let others = entries.filter { entry in
      !entry.key.hasColumns(key) && entry.key.columns.allSatisfy { schema.column($0) != nil }
    }
    let keys = try others.compactMap { entry -> (old: String, new: String)? in
      try newKey(of: entry, key, schema).map { values in
        (entry.key.json, RowJSON.collatedKey(key, values))
      }
    }
    try context.ledger.renameKeysLeftToUser(table: table, keys, on: connection)
  }

  private func newKey(
    of entry: Migrator.LeftRow, _ key: [ColumnSchema], _ schema: TableSchema
  ) throws -> [Value]? {
    let find = { (session: any DatabaseSession) in
      try Self.values(key, of: entry.key, in: schema.name, on: session)
    }
    let kind = Migrator.Conflict.Kind(rawValue: entry.reason)
    let isOfUsersRow = kind == .editedRetired || kind == .referenced || entry.isPinned
    if isOfUsersRow, let values = try find(connection) { return values }
    // The release brought the row that a user's kept out, or found it there to change or to retire.
    let wasBrought = kind == .keyTaken || kind == .uniqueTaken
    let then = entry.version.map { wasBrought ? $0 : $0 - 1 }
    for version in then == nil ? [nil] : [nil, then] {
      if let scratch = try scratch(at: version, knowing: key.names + entry.key.columns, of: schema),
        let values = try find(scratch.session)
      {
        return values
      }
    }
    return isOfUsersRow ? nil : try find(connection)
  }

  /// What the row that has one key has in the columns of another; nil if that is no key.
  private static func values(
    _ columns: [ColumnSchema], of key: Migrator.Row, in table: String,
    on session: any DatabaseSession
  ) throws -> [Value]? {
    let row = try session.rows(
      """
      SELECT \(columns.names.quotedList) FROM \(session.dialect.table(table))
      WHERE \(Reseed.isRow(key.columns))
      """, key.values
    ).first
    return row?.contains(.null) == true ? nil : row
  }

  /// nil if the catalog has no such columns at that version, or each database chose their values.
  private func scratch(
    at version: Version?, knowing columns: [String], of schema: TableSchema
  ) throws -> Scratch? {
    if let version, try version < context.catalog.base()?.version ?? 0 { return nil }
    let scratch = try scratches[version] ?? makeScratch(at: version)
    scratches[version] = scratch
    guard let found = try scratch.session.object(named: schema.name) else { return nil }
    let known = try scratch.session.schema(of: found.name)
    let keyOptions = try KeyOptions(options, ledger: context.ledger, on: connection)
    let isChosen = try connection.parentKeys(of: schema, and: keyOptions).contains { parent in
      try !Set(parent.childColumns).isDisjoint(with: columns)
        && scratch.targetWithChosenIDs(parent) != nil
    }
    return isChosen || columns.contains { known.column($0) == nil } ? nil : scratch
  }

  /// nil: as the rows are for the merge, in `up` before those of the migration come, in `down`
  /// before they go.
  private func makeScratch(at version: Version?) throws -> Scratch {
    guard let engine = context.engine else {
      throw SeedbedError(.usage, "The run has no engine, so it cannot make a scratch database.")
    }
    let now = isDown ? migration.version : migration.version - 1
    let scratch = try Scratch(
      context.catalog, to: version ?? now,
      on: engine.empty(context.options, connection.cancellation), ledger: context.options.ledger)
    if version != nil { return scratch }
    try scratch.begin(isDown ? [.afterDown] : [.schema, .up], of: migration)
    return scratch
  }
}

extension MigrationTransaction {
  /// Before the rows of files are decided.
  func followLeftKeys(_ files: [RowFile]) throws {
    let tables = Set(files.map(\.target.name) + files.flatMap(\.parents).map(\.parent))
    for table in tables.ordered() { try leftKeys.follow(table, key: options.table(table).key) }
  }

  /// In `down`, to the migration before, and before SQL may drop the columns by which this one knows
  /// rows.
  func giveLeftKeysBack() throws {
    let earlier = try catalog.migrations().filter { $0.version < migration.version }
    for table in Set(migration.files.compactMap(\.table)).ordered() {
      guard let last = earlier.last(where: { $0.files.contains { $0.serves(table) } }),
        let found = try connection.object(named: table)
      else { continue }
      try leftKeys.follow(found.name, key: catalog.options(of: last).table(table).key)
    }
  }
}

extension Migrator.Row {
  /// Whether it is a key of these columns.
  func hasColumns(_ key: [ColumnSchema]) -> Bool {
    columns.count == key.count && key.allSatisfy { columns.contains($0.name) }
  }
}
