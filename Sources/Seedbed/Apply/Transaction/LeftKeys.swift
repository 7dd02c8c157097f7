/// Rewrites keys left to the user when a migration switches a table's key, for example from `id` to
/// `slug`.
///
/// An entry is about one row of the seed. It gets the key by which the release identifies that row
/// now:
///
///     editedRetired, referenced, pinned     by the row in the database, which was the seed's; else
///                                           by the catalog's
///     keyTaken, uniqueTaken, deletedByUser  by the catalog's row: in the database it is not there;
///                                           else by the user's row under the key
///
/// The catalog's row is looked up in a scratch database, created only for this. If a release has
/// retired the row, the scratch database is of the time when the key was left to the user. An entry
/// whose row has no such key says nothing about the rows of this migration. It waits, and counts
/// again when rows are identified by its columns.
final class LeftKeys {
  private let migration: Migration
  private let options: MigrationOptions
  private let context: RunContext
  private let database: any DatabaseKind
  private let isDown: Bool
  /// The scratch databases by the last version that was applied to each; nil for the catalog's
  /// present rows.
  private var scratches: [Version?: Scratch] = [:]
  private var connection: any DatabaseSession { context.connection }

  init(
    _ migration: Migration, _ options: MigrationOptions, _ context: RunContext,
    database: any DatabaseKind, isDown: Bool
  ) {
    (self.migration, self.options, self.context) = (migration, options, context)
    (self.database, self.isDown) = (database, isDown)
  }

  /// - Parameter option: the option `key`; nil for the primary key.
  func follow(_ table: String, key option: [String]?) throws {
    // On a scratch database no row is a user's.
    if context.isOnScratch { return }
    let entries = try context.ledger.leftToUser(table: table, on: connection)
    if entries.isEmpty { return }
    let schema = try connection.schema(of: table)
    let key = option.map { $0.compactMap(schema.column) } ?? schema.primaryKey
    if key.isEmpty || key.count != option?.count ?? key.count { return }
    let others = entries.filter { entry in
      !entry.key.hasColumns(key) && entry.key.columns.allSatisfy { schema.column($0) != nil }
    }
    let keys = try others.compactMap { entry -> (old: String, new: String)? in
      guard let values = try newKey(of: entry, key, schema), !values.contains(.null) else {
        return nil
      }
      return (entry.key.json, RowJSON.collatedKey(key, values))
    }
    try context.ledger.renameKeysLeftToUser(table: table, keys, on: connection)
  }

  private func newKey(
    of entry: Migrator.UserOwnedKey, _ key: [ColumnSchema], _ schema: TableSchema
  ) throws -> [Value]? {
    let mine = try Self.values(of: key, where: entry.key, in: schema, on: connection)
    let reason = Reason(rawValue: entry.reason)
    if reason?.isKept == true || entry.isPinned, let mine, !mine.contains(.null) { return mine }
    return try catalogsKey(of: entry, key, schema) ?? mine
  }

  private func catalogsKey(
    of entry: Migrator.UserOwnedKey, _ key: [ColumnSchema], _ schema: TableSchema
  ) throws -> [Value]? {
    let columns = key.names + entry.key.columns
    func values(_ scratch: Scratch) throws -> [Value]? {
      try Self.values(of: key, where: entry.key, in: schema, on: scratch.session)
    }
    guard let now = try scratch(at: nil, knowing: columns, of: schema) else { return nil }
    if let values = try values(now) { return values }
    // The release had a row that a user's row kept out, or a row that it was to change or retire.
    let wasBrought = Reason(rawValue: entry.reason)?.isTaken == true
    guard let version = entry.version.map({ wasBrought ? $0 : $0 - 1 }),
      let then = try scratch(at: version, knowing: columns, of: schema),
      let values = try values(then)
    else { return nil }
    // Another row of the catalog may have it since.
    let other = try Self.values(
      of: key, where: Migrator.Row(key.names, values), in: schema, on: now.session)
    return other == nil ? values : nil
  }

  /// The values in some columns of the row with a key.
  private static func values(
    of columns: [ColumnSchema], where key: Migrator.Row, in table: TableSchema,
    on session: any DatabaseSession
  ) throws -> [Value]? {
    try session.rows(
      """
      SELECT \(columns.names.quotedList) FROM \(table.sql)
      WHERE \(key.columns.equalsParameters().allTrue)
      """, key.values
    ).first
  }

  /// nil if the catalog has no such columns at that version, or if each database chose their
  /// values.
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
      try !parent.childColumns.asNames.isDisjoint(with: columns.asNames)
        && scratch.targetWithChosenIDs(parent) != nil
    }
    return isChosen || columns.contains { known.column($0) == nil } ? nil : scratch
  }

  /// nil: the rows as the merge sees them: in `up` before the migration's rows are added, in `down`
  /// before they are removed.
  private func makeScratch(at version: Version?) throws -> Scratch {
    do {
      let now = isDown ? migration.version : migration.version - 1
      let scratch = try Scratch(
        context.resolved.asApplied(
          context.resolved.compared(for: context.ledger, on: connection)), to: version ?? now,
        on: database.empty(context.options, connection.cancellation),
        ledger: context.options.ledger, owners: context.ledger.owners(on: connection))
      if version != nil { return scratch }
      try scratch.begin(isDown ? [.afterDown] : [.schema, .up], of: migration)
      return scratch
    } catch let error as SeedbedError where error.code != .cancelled {
      throw error.with {
        $0.message =
          "\(migration.folder) knows rows by other columns than before, and Seedbed looks up in a "
          + "scratch database which keys are left to the user. That failed: \($0.message)"
      }
    }
  }
}

extension MigrationTransaction {
  /// The files, once the keys left to the user are those by which they identify rows.
  func followingLeftKeys(_ files: [RowFile]) throws -> [RowFile] {
    let tables = (files.map(\.target.name) + files.flatMap(\.parents).map(\.parent)).asTexts
    for table in tables.texts {
      try leftKeys.follow(table, key: options.table(table).key)
    }
    return files
  }

  /// In `down`, while there still are the columns by which this migration identifies rows: SQL that
  /// follows may drop them.
  func giveLeftKeysBack() throws {
    let earlier = try catalog.migrations().filter {
      $0.version < migration.version && !$0.isWithdrawn
    }
    for table in migration.files.compactMap(\.table).asTexts.texts {
      guard let last = earlier.last(where: { $0.files.contains { $0.serves(table) } }),
        let found = try connection.object(named: table)
      else { continue }
      try leftKeys.follow(found.name, key: catalog.options(of: last).table(table).key)
    }
  }
}
