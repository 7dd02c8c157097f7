/// Inserts the rows of a migration: all at once where nothing stands in the way, else staged and
/// settled one by one.
struct InsertMerge {
  let context: MergeContext
  /// Decides rows of a stage beforehand; for `down`.
  let prepare: ((Stage) throws -> Void)?
  private var connection: Connection { context.connection }

  /// Fills the tables, parents before children.
  func run(_ files: [RowFile]) throws {
    let byTable = Dictionary(files.map { ($0.target.name, $0) }, uniquingKeysWith: { $1 })
    let parents = byTable.mapValues { Set($0.target.parents.map(\.parent)) }
    for group in LoadOrder.groups(files.map(\.target.name), parents: parents) {
      let members = group.compactMap { byTable[$0] }
      let indexes = try members.map { file in
        try SecondaryIndexes.setAside(
          for: file.target, rows: Self.expectedRows(file.migrationFile), on: connection)
      }
      try load(members, isCyclic: group.contains { parents[$0]?.isDisjoint(with: group) == false })
      for index in indexes { try index.putBack() }
    }
  }

  /// From the lock; without one, a cautious guess from the size.
  private static func expectedRows(_ file: MigrationFile) -> Int {
    file.locked?.rows ?? Int(file.size) / (file.isCompressed ? 32 : 64)
  }

  private func load(_ files: [RowFile], isCyclic: Bool) throws {
    let isPlain = !isCyclic && prepare == nil && !context.collectsKeys
    if isPlain, let file = files.first, try !isLeftToUser(file) {
      if try context.attempt({ try insertAll(file) }) { return }
    }
    try StagedInsert(context: context, prepare: prepare).run(files)
  }

  /// Whether the user won keys of this table or of a parent: then every row must be looked at.
  private func isLeftToUser(_ file: RowFile) throws -> Bool {
    let tables = [file.target.name] + file.target.parents.map(\.parent)
    return try tables.contains { table in
      try !context.ledger.keysLeftToUser(table: table, on: connection).isEmpty
    }
  }

  /// One statement for the whole file; false where a row did not go in.
  private func insertAll(_ file: RowFile) throws -> Bool {
    let rows = try RowTable(file.open(), types: file.types, on: connection) { bytes, count in
      try context.onChunk(file.target.name, file.place, bytes, count)
    }
    do {
      let sql = MergeSQL.insertAll(
        file, from: RowTable.name.quoted,
        where: file.target.parents.map { MergeSQL.hasParent($0, file) })
      try connection.execute(sql)
    } catch {
      if let failure = rows.failure { throw failure }
      // A trigger makes SQLite read the whole file before the first row goes in; row by row, the
      // one that fails is found.
      if context.isBrokenRow(error), rows.currentLine == nil { return false }
      throw Self.located(error, file, line: rows.currentLine)
    }
    let inserted = Int(connection.changes)
    context.note(digest: rows.totals.digest, of: file.migrationFile.name)
    guard inserted == rows.rowCount else { return false }
    context.count(file.target.name) { $0.inserted += inserted }
    return true
  }

  /// A constraint of the table that a row of ours breaks, at its line.
  static func located(_ error: any Error, _ file: RowFile, line: Int?) -> any Error {
    guard let failure = error as? SQLiteFailure, failure.isConstraint || failure.primaryCode == 20
    else { return error }
    return SeedbedError(
      .constraint, "The table '\(file.target.name)' does not take this row: \(failure.message).",
      at: SeedbedError.Place(file.place, line: line))
  }
}
