extension Ledger {
  private struct Subject: Hashable {
    let version: Version
    let table: Name
    let column: Name?
    let kind: Migrator.Conflict.Kind
  }

  /// The number of conflicts by what they are about.
  func counts(on connection: any DatabaseSession) throws -> [Migrator.DeviceCounts.Conflicts] {
    var found: [Subject: (count: Int, open: Int)] = [:]
    try eachConflict(on: connection) { conflict in
      for column in conflict.changedColumns {
        let subject = Subject(
          version: conflict.version, table: Name(conflict.table), column: column.map(Name.init),
          kind: conflict.kind)
        found[subject, default: (0, 0)].count += 1
        if conflict.settled == nil { found[subject]?.open += 1 }
      }
    }
    return found.map { subject, number in
      Migrator.DeviceCounts.Conflicts(
        version: subject.version, table: subject.table.text, column: subject.column?.text,
        kind: subject.kind, count: number.count, open: number.open)
    }
    .ordered(by: \.kind.rawValue).ordered(by: { $0.column ?? "" }).ordered(by: \.table)
    .ordered(by: \.version)
  }
}

extension Migrator.Conflict {
  /// The columns that the user changed; one nil if it is about the whole row.
  fileprivate var changedColumns: [String?] {
    switch kind {
    case .edited, .editedRetired:
      // Of a row to retire, all columns were logged, also those that only users fill.
      let shipped = columns.filter { $0.base != nil || $0.seed != nil }
      let changed = shipped.filter { $0.mine != nil && $0.mine != $0.base }.map(\.name)
      return changed.isEmpty ? [nil] : changed
    case .deletedByUser, .parentDeleted, .parentTaken, .referenced, .keyTaken, .uniqueTaken:
      return [nil]
    }
  }
}
