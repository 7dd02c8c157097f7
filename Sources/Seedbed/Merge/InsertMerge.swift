/// Inserts the rows of files as they stream by, each file by one statement.
struct InsertMerge {
  let plans: PlanSet
  private var context: MergeContext { plans.context }
  private var connection: any DatabaseSession { context.connection }

  /// Inserts files as one statement each; returns the first of which a row did not go in.
  func stream(_ files: [RowFile]) throws -> RowFile? {
    for group in LoadOrder.groups(of: files) {
      let indexes = try group.files.grouped(by: \.target.name).map { files in
        let rows = files.reduce(0) { $0 + Self.expectedRows($1.migrationFile) }
        return try SecondaryIndexes.setAside(for: files[0].target, rows: rows, on: connection)
      }
      for file in group.files {
        guard try !isLeftToUser(file), let rows = try insertAll(file) else { return file }
        context.count(file.target.name) { $0.inserted += rows }
      }
      for index in indexes { try index.putBack() }
    }
    return nil
  }

  /// From the lock; without one, a cautious guess from the size.
  private static func expectedRows(_ file: MigrationFile) -> Int64 {
    file.locked?.rows.map(Int64.init) ?? file.size / (file.isCompressed ? 32 : 64)
  }

  /// Whether the user won keys of this table or of a parent: then every row must be looked at. In
  /// `down` the ledger does not say so.
  private func isLeftToUser(_ file: RowFile) throws -> Bool {
    try ([file.target.name] + file.parents.map(\.parent)).contains { table in
      let fates = plans.plan(of: table)?.outcomes.compactMap(\.fate) ?? []
      return try fates.contains(where: PlanSet.fatesOfUsers.contains)
        || !context.ledger.keysLeftToUser(table: table, on: connection).isEmpty
    }
  }

  /// One statement for the whole file; returns the number of rows, nil if one did not go in.
  private func insertAll(_ file: RowFile) throws -> Int? {
    if try canLoad(file) { return try load(file) }
    // A trigger makes SQLite read the whole file before the first row goes in.
    let isStaged = !file.target.triggers.isEmpty
    let rows = try context.rows(of: file, isStaged: isStaged)
    do {
      try connection.execute(InsertStatement(file: file, connection: connection).sql())
    } catch {
      if let failure = rows.failure { throw failure }
      // With a trigger it is unknown which row it is; row by row, the one that fails is found.
      if context.isBrokenRow(error), rows.currentLine == nil { return nil }
      throw Self.located(error, file, line: rows.currentLine)
    }
    let inserted = Int(connection.changes)
    context.digests[file.migrationFile.name] = rows.totals.digest
    if isStaged { context.onAdvance(file, .settled(rows.rowCount, of: rows.rowCount)) }
    return inserted == rows.rowCount ? inserted : nil
  }

  /// Whether nothing is there that a row could meet, and the file has the row as the table does.
  private func canLoad(_ file: RowFile) throws -> Bool {
    guard connection.loadsDirectly, file.fields.allSatisfy({ $0.source == .file }),
      file.valueIndexes.count == file.fields.count
    else { return false }
    return try !connection.finds("SELECT 1 FROM \(file.target.sql) LIMIT 1")
  }

  /// Returns the number of rows, nil if one did not go in.
  private func load(_ file: RowFile) throws -> Int? {
    var rows: (any FileRows)?
    do {
      try context.load(file) { rows = $0 }
    } catch let failure as any EngineFailure {
      // Which row is in whose way is found row by row.
      if failure.isUniqueness || failure.isForeignKey { return nil }
      throw Self.located(failure, file, line: rows?.currentLine)
    }
    guard let rows, Int(connection.changes) == rows.rowCount,
      try !file.parents.contains(where: { try hasOrphan($0, file) })
    else { return nil }
    context.digests[file.migrationFile.name] = rows.totals.digest
    return rows.rowCount
  }

  /// Whether a row refers to none; a deferred foreign key would say so at COMMIT only.
  private func hasOrphan(_ parent: ParentKey, _ file: RowFile) throws -> Bool {
    let columns = parent.childColumns.map { "s.\($0.quoted)" }
    let matches = zip(parent.parentColumns, columns).map { "p.\($0.quoted) = \($1)" }
    return try connection.finds(
      """
      SELECT 1 FROM \(file.target.sql) AS s WHERE \(columns.map { "\($0) IS NOT NULL" }.allTrue)
        AND NOT EXISTS (
          SELECT 1 FROM \(connection.schema(of: parent.parent).sql) AS p WHERE \(matches.allTrue))
      LIMIT 1
      """)
  }

  /// A constraint of the table that a row of ours breaks, at its line.
  private static func located(_ error: any Error, _ file: RowFile, line: Int?) -> any Error {
    guard let failure = error as? any EngineFailure, failure.isConstraint || failure.isMismatch
    else { return error }
    return SeedbedError.rowRefused(failure, of: file, SeedbedError.Place(file.place, line: line))
  }
}
