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
    let old = try conflicts.grouped(by: \.table).compactMap { group in
      let old = try group.filter { try scratch.retires(rowsOf: $0.table, after: $0.version) }
      // Errors about a table are those of its conflicts.
      return old.isEmpty ? nil : (try? rows(of: old[0].table)).map { (seeded: $0, conflicts: old) }
    }
    if old.isEmpty { return }
    let shipped = try EarlierEditions(old.map(\.seeded), of: scratch, playing: editions())
    for (table, (seeded, conflicts)) in old.enumerated() {
      for conflict in conflicts {
        let key = try? seeded.catalogs(
          seeded.keyValues(conflict.key), seeded.keyNames, seeded.scratchTarget)
        if let key, try shipped.hasRetired(key, since: conflict.version, in: table) {
          retired.insert(conflict.id)
        }
      }
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

extension Scratch {
  /// Whether a later migration, but for the last, has a file of rows to retire.
  fileprivate func retires(rowsOf table: String, after version: Version) throws -> Bool {
    migrations.dropLast().contains { migration in
      migration.version > version
        && files(in: migration, of: table).contains {
          if case .delete = $0.kind { true } else { false }
        }
    }
  }
}
