import Seedbed

/// What must come before new keys: rows to retire that have them, with the rows that refer to
/// these, and rows to add to the tables to which they refer.
struct KeyRoom {
  private let differences: [TableDifference]
  private var retired: [Set<[Value]>]
  private var changed: [Set<Int>]
  private var parents: Set<String> = []

  /// - Parameter index: the table whose keys are to change.
  init(_ differences: [TableDifference], of index: Int) throws {
    self.differences = differences
    retired = differences.map { _ in [] }
    changed = differences.map { _ in [] }
    let difference = differences[index]
    let known = try difference.source.keysInTable()
    let held = difference.updates.filter(difference.changesKey).compactMap { known[$0.row] }
    try retire(Set(held).intersection(difference.deletes), of: index)
    addParents(of: difference.target)
  }

  private mutating func addParents(of table: TableTarget) {
    for parent in table.parents.map(\.parent) where parents.insert(parent).inserted {
      differences.first { $0.target.name == parent }.map { addParents(of: $0.target) }
    }
  }

  func rows() -> ReleaseRows {
    ReleaseRows(
      differences.indices.map { index in
        differences[index].only(
          updates: changed[index].sorted(),
          deletes: differences[index].deletes.filter { retired[index].contains($0) },
          inserts: parents.contains(differences[index].target.name)
            ? differences[index].inserts : [])
      })
  }

  private mutating func retire(_ keys: Set<[Value]>, of index: Int) throws {
    let new = keys.subtracting(retired[index])
    if new.isEmpty { return }
    retired[index].formUnion(new)
    let parent = differences[index].target
    for (other, child) in differences.enumerated() {
      for reference in child.target.parents where reference.parent == parent.name {
        let found = try Self.children(of: new, parent, child.target, reference, child.connection)
        let updates = child.updates.indices.filter { place in
          found.contains(child.updates[place].key) && !child.changesKey(child.updates[place])
        }
        changed[other].formUnion(updates)
        try retire(found.intersection(child.deletes), of: other)
      }
    }
  }

  /// The keys of rows that refer to these.
  private static func children(
    of keys: Set<[Value]>, _ parent: TableTarget, _ child: TableTarget, _ reference: ParentKey,
    _ connection: Connection
  ) throws -> Set<[Value]> {
    let own = child.key.map { "m.\($0.name.quoted)" }
    let others = parent.key.map { "p.\($0.name.quoted)" }
    let matches = zip(reference.parentColumns, reference.childColumns).map {
      "p.\($0.quoted) = m.\($1.quoted)"
    }
    let rows = try connection.rows(
      "SELECT \((own + others).joined(separator: ", ")) FROM \(child.sql) AS m "
        + "JOIN \(parent.sql) AS p ON \(matches.allTrue)")
    return Set(
      rows.filter { keys.contains(Array($0.dropFirst(own.count))) }.map {
        Array($0.prefix(own.count))
      })
  }
}
