/// The catalogs of a database whose rows are in the way of a pack's rows. `lint` finds such rows
/// before a release; here are those of catalogs that were never checked together.
///
/// Each catalog is played on a scratch database, once, if a key was taken at all.
final class CatalogOwners {
  private var scratches: [(name: String, scratch: Scratch)]?

  /// Says in conflicts whose row is in the way. A key with an id that the database chose says
  /// nothing in another one.
  func name(_ conflicts: inout [Migrator.Conflict], in run: Run) throws {
    for index in conflicts.indices where conflicts[index].kind == .keyTaken {
      let conflict = conflicts[index]
      conflicts[index].takenBy = try played(run).first { _, scratch in
        try Self.has(conflict, scratch)
      }?.name
    }
  }

  private static func has(_ conflict: Migrator.Conflict, _ scratch: Scratch) throws -> Bool {
    guard try scratch.serving(conflict.table) != nil else { return false }
    let target = try scratch.seededTarget(conflict.table)
    let references = target.parents.flatMap(\.childColumns).asNames
    guard references.isDisjoint(with: conflict.key.columns.asNames) else { return false }
    return try scratch.session.finds(
      "SELECT 1 FROM \(target.sql) WHERE \(conflict.key.columns.equalsParameters().allTrue)",
      conflict.key.values)
  }

  private func played(_ run: Run) throws -> [(name: String, scratch: Scratch)] {
    if let scratches { return scratches }
    let all = [run.catalog] + run.catalog.others
    let found = try run.catalog.others.compactMap { other -> (name: String, scratch: Scratch)? in
      let ledger = try Ledger(
        of: other, beside: run.options.ledger, dialect: run.connection.dialect)
      guard try ledger.exists(on: run.connection),
        let version = try ledger.head(on: run.connection)?.version
      else { return nil }
      let base = all.filter { $0.pack == nil }.map { base in
        var base = base
        base.others = []
        return base
      }
      let played = other.pack == nil ? other : try other.beside(base)
      let scratch = try Scratch(
        .authored(played), to: version, on: run.database.empty(run.options, run.cancellation),
        ledger: run.options.ledger, owners: ledger.owners(on: run.connection))
      return (other.packName ?? "base", scratch)
    }
    scratches = found
    return found
  }
}
