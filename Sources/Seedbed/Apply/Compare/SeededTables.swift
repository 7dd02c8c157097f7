/// The tables of the catalog at the database's version, each read once.
final class SeededTables {
  private let context: RunContext
  let scratch: Scratch
  let version: Version
  /// The conflicts whose rows a release retired since.
  private(set) var retired: Set<Int64> = []
  private let onlyReads: Bool
  private var tables: [ExactText: SeededTable] = [:]

  init(_ run: Run, onlyReads: Bool = false) throws {
    (context, self.onlyReads) = (run.context, onlyReads)
    (scratch, version) = try run.scratchAsApplied()
  }

  func findRetired(
    _ conflicts: [Migrator.Conflict], editions: () throws -> Scratch
  ) throws {
    // What is read before the lock does not count under it.
    defer { tables = [:] }
    // Errors about a table are those of its conflicts.
    retired = try RetiredSince(scratch: scratch).find(among: conflicts, editions: editions) {
      try? rows(of: $0)
    }
  }

  /// - Parameter missing: the error to throw if the database has no such table.
  func rows(of table: String, missing: (() -> SeedbedError)? = nil) throws -> SeededTable {
    if let known = tables[table] { return known }
    if try context.connection.object(named: table) == nil {
      throw missing?()
        ?? SeedbedError(.usage, "The database has no table '\(table.shortened(to: 60))'.")
    }
    let found = try SeededTable(table, scratch: scratch, version: version, context)
    found.passesOverMissingParents = onlyReads
    tables[table] = found
    return found
  }
}
