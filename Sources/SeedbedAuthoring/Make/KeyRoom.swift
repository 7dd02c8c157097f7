import Seedbed

/// What must come before new keys: rows to retire that have them, with the rows that refer to
/// these, and rows to add to which they refer.
struct KeyRoom {
  private let differences: [TableDifference]
  private var retired: [Set<[Value]>]
  private var changed: [Set<Int>]
  private var added: [Set<Int64>]

  /// - Parameter index: the table whose keys are to change.
  init(_ differences: [TableDifference], of index: Int) throws {
    self.differences = differences
    retired = differences.map { _ in [] }
    changed = differences.map { _ in [] }
    added = differences.map { _ in [] }
    let difference = differences[index]
    let rows = difference.updates.filter(difference.changesKey).map(\.row)
    let known = try difference.source.keysInTable()
    let held = Set(rows.compactMap { known[$0] })
    try retire(held.intersection(difference.deletes), of: index)
    try addParents(of: Set(rows), in: index)
  }

  func rows() -> ReleaseRows {
    ReleaseRows(
      differences.indices.map { index in
        differences[index].only(
          updates: changed[index].sorted(),
          deletes: differences[index].deletes.filter { retired[index].contains($0) },
          inserts: differences[index].inserts.filter { added[index].contains($0) })
      })
  }

  // MARK: rows to retire

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

  // MARK: rows to add

  private mutating func addParents(of rows: Set<Int64>, in index: Int) throws {
    let child = differences[index]
    for (other, parent) in differences.enumerated() where !parent.inserts.isEmpty {
      let inserts = Set(parent.inserts)
      for reference in child.target.parents where reference.parent == parent.target.name {
        guard let pairs = child.source.pairs(to: parent.source, by: reference) else { continue }
        let matches = pairs.map { "p.c\($1) = s.c\($0)" }
        let found = try child.connection.rows(
          "SELECT s.rowid, p.rowid FROM \(child.source.sql) AS s "
            + "JOIN \(parent.source.sql) AS p ON \(matches.allTrue)")
        let named = found.filter { rows.contains($0[0].integer ?? 0) }.compactMap { $0[1].integer }
        let new = inserts.intersection(named).subtracting(added[other])
        if new.isEmpty { continue }
        added[other].formUnion(new)
        try addParents(of: new, in: other)
      }
    }
  }
}

extension SourceTable {
  /// The fields by which a row of this source refers to one of another, each with the other's field
  /// for the same value; nil if the other source has no such field.
  fileprivate func pairs(
    to parent: SourceTable, by reference: ParentKey
  ) -> [(own: Int, other: Int)]? {
    func place(_ fields: [SourceField], _ column: String) -> Int? {
      fields.firstIndex { $0.reference == nil && $0.column.name.isSameName(as: column) }
    }
    let named = fields.indices.filter { fields[$0].reference?.isSame(as: reference) == true }
    let own = named.isEmpty ? reference.childColumns.map { place(fields, $0) } : named.map { $0 }
    let columns = named.isEmpty ? reference.parentColumns : named.map { fields[$0].column.name }
    let pairs = zip(own, columns).compactMap { own, column in
      place(parent.fields, column).flatMap { other in own.map { (own: $0, other: other) } }
    }
    return pairs.count == columns.count ? pairs : nil
  }
}
