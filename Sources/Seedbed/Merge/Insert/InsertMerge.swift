/// Inserts the rows of files as they are read, with one statement for each file.
struct InsertMerge {
  let plans: PlanSet
  private var context: MergeContext { plans.context }
  private var connection: any DatabaseSession { context.connection }

  /// Inserts each file with one statement. Returns the first file of which a row was not inserted.
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

  /// The number from the lock; without a lock, a cautious guess from the size.
  private static func expectedRows(_ file: MigrationFile) -> Int64 {
    file.locked?.rows.map(Int64.init) ?? file.size / (file.isCompressed ? 32 : 64)
  }

  /// Whether keys of its table or of a parent are left to the user: each row must be compared.
  private func isLeftToUser(_ file: RowFile) throws -> Bool {
    try ([file.target.name] + file.parents.map(\.parent)).contains {
      try !context.ledger.keysLeftToUser(table: $0, on: connection).isEmpty
    }
  }

  /// Inserts the file with one statement. Returns the number of rows; nil if one did not go in.
  private func insertAll(_ file: RowFile) throws -> Int? {
    if file.isTable { return try insertCopies(file) }
    if try canLoad(file) { return try load(file) }
    // With a trigger, SQLite reads the whole file before it inserts the first row.
    let isStaged = !file.target.triggers.isEmpty
    let rows = try context.rows(of: file, isStaged: isStaged)
    do {
      try connection.execute(InsertStatement(file: file, connection: connection).sql())
    } catch {
      if let failure = rows.failure { throw failure }
      // With a trigger, the refused row is unknown. It is found row by row.
      if context.isBrokenRow(error), rows.currentLine == nil { return nil }
      throw Self.located(error, file, line: rows.currentLine)
    }
    let inserted = Int(connection.changes)
    context.digests[file.migrationFile.name] = rows.totals.digest
    if isStaged { context.onAdvance(file, .handled(rows.rowCount, of: rows.rowCount)) }
    let copies = file.isPerOwner ? try Owners.count(on: connection) : 1
    return inserted == rows.rowCount * copies ? inserted : nil
  }

  /// The same with rows that are in a table.
  private func insertCopies(_ file: RowFile) throws -> Int? {
    do {
      try connection.execute(InsertStatement(file: file, connection: connection).sql())
    } catch  where context.isBrokenRow(error) {
      return nil
    }
    let inserted = Int(connection.changes)
    return try inserted == Int(connection.count("SELECT count(*) FROM \(file.source) AS s"))
      ? inserted : nil
  }

  /// Whether the table is empty, and each field of the file goes into a column as it is.
  private func canLoad(_ file: RowFile) throws -> Bool {
    guard connection.loadsDirectly, file.fields.allSatisfy({ $0.source == .file }),
      file.valueIndexes.count == file.fields.count
    else { return false }
    return try !connection.finds("SELECT 1 FROM \(file.target.sql) LIMIT 1")
  }

  /// Returns the number of rows; nil if one was not inserted.
  private func load(_ file: RowFile) throws -> Int? {
    var rows: (any FileRows)?
    do {
      try context.load(file) { rows = $0 }
    } catch let failure as any EngineFailure {
      // The rows that collide are found row by row.
      if failure.isUniqueness || failure.isForeignKey { return nil }
      throw Self.located(failure, file, line: rows?.currentLine)
    }
    guard let rows, Int(connection.changes) == rows.rowCount,
      try !file.parents.contains(where: { try hasOrphan($0, file) })
    else { return nil }
    context.digests[file.migrationFile.name] = rows.totals.digest
    return rows.rowCount
  }

  /// Whether a row's parent is missing. A deferred foreign key would report that only at COMMIT.
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

  /// The error of a row of ours that breaks a constraint of the table, with its line.
  private static func located(_ error: any Error, _ file: RowFile, line: Int?) -> any Error {
    guard let failure = error as? any EngineFailure, failure.isConstraint || failure.isMismatch
    else { return error }
    return SeedbedError.rowRefused(failure, of: file, SeedbedError.Place(file.place, line: line))
  }
}
