/// The catalogs of a database whose rows are in the way of another's. `lint` finds most before a
/// release; here are those of catalogs that were never checked together.
///
/// Each catalog is played on a scratch database, once, if a key was taken at all.
final class CatalogOwners {
  private typealias Other = (name: String, ledger: Ledger, scratch: Scratch)
  private var scratches: [Other]?

  /// Says in conflicts whose row is in the way, or refers to one that stays for it. A key with an
  /// id that the database chose says nothing in another one.
  func name(_ conflicts: inout [Migrator.Conflict], in run: Run) throws {
    for index in conflicts.indices {
      let conflict = conflicts[index]
      guard [.keyTaken, .referenced].contains(conflict.kind),
        [.keptUser, .skipped].contains(conflict.resolution)
      else { continue }
      conflicts[index].heldBy = try played(run).first { other in
        conflict.kind == .referenced
          ? try Self.refers(other.scratch, conflict)
          : try Self.has(other, conflict, on: run.connection)
      }?.name
    }
  }

  private static func has(
    _ other: Other, _ conflict: Migrator.Conflict, on connection: any DatabaseSession
  ) throws -> Bool {
    let scratch = other.scratch
    guard try scratch.serving(conflict.table) != nil else { return false }
    let target = try scratch.seededTarget(conflict.table)
    let key = RowJSON.collatedKey(target.key, conflict.key.values(of: target.key))
    return try finds("SELECT 1 FROM \(scratch.own(target).sql) AS p", conflict, scratch)
      && !other.ledger.leavesToUser(table: target.name, key: key, on: connection)
  }

  private static func refers(_ scratch: Scratch, _ conflict: Migrator.Conflict) throws -> Bool {
    try scratch.fileTables().contains { name in
      let child = try scratch.session.schema(of: name)
      return try scratch.session.parentKeys(of: child).sound.contains { key in
        guard key.parent.isSameName(as: conflict.table) else { return false }
        let same = zip(key.childColumns, key.parentColumns).map {
          "c.\($0.quoted) = p.\($1.quoted)"
        }
        let parent = try scratch.session.schema(of: conflict.table).sql
        return try finds(
          "SELECT 1 FROM \(child.sql) AS c JOIN \(parent) AS p ON \(same.allTrue)",
          conflict, scratch)
      }
    }
  }

  private static func finds(
    _ select: String, _ conflict: Migrator.Conflict, _ scratch: Scratch
  ) throws -> Bool {
    let keys = try scratch.session.parentKeys(of: scratch.session.schema(of: conflict.table))
    let key = conflict.key.columns
    guard keys.sound.flatMap(\.childColumns).asNames.isDisjoint(with: key.asNames) else {
      return false
    }
    let isRow = key.map { "p.\($0.quoted) = ?" }.allTrue
    return try scratch.session.finds("\(select) WHERE \(isRow)", conflict.key.values)
  }

  private func played(_ run: Run) throws -> [Other] {
    if let scratches { return scratches }
    let all = [run.catalog] + run.catalog.others
    let found = try run.catalog.others.compactMap { other -> Other? in
      let ledger = try Ledger(
        of: other, beside: run.options.ledger, run.connection.dialect)
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
      return (other.packName ?? "base", ledger, scratch)
    }
    scratches = found
    return found
  }
}
