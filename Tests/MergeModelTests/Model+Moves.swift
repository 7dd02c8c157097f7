/// Users' rows that make way under `moveUser`.
extension Merge {
  /// Only an id can be another, and not one that refers to another row; and rows of the release are
  /// found by their keys.
  func mayMove(_ table: Int) -> Bool {
    shape.tables[table].isRowid
      && !shape.tables[table].foreignKeys.contains {
        $0.columns.contains(shape.tables[table].key[0])
      }
      && !shape.references(to: table).contains { child, key in
        tables.contains(child)
          && !Set(shape.tables[child].key).isDisjoint(with: key.columns)
      }
  }

  /// An id of nobody's, until it is known who moves.
  func freshId(_ decision: Int) -> Cell { .integer(1 << 60 + Int64(decision)) }

  /// The ids that rows get: behind the last that the table has or had, or that anybody speaks of,
  /// in the order of the old ones.
  var newIds: [Cell: Cell] {
    var ids: [Cell: Cell] = [:]
    for table in shape.tables.indices {
      let moves = decisions.indices.filter { decisions[$0].table == table && decisions[$0].moves }
        .sorted { decisions[$0].key.key.isBefore(decisions[$1].key.key) }
      if moves.isEmpty { continue }
      let last = lastId(table)
      for (nth, move) in moves.enumerated() { ids[freshId(move)] = .integer(last + Int64(nth) + 1) }
    }
    return ids
  }

  /// A row as it is, with the id that it gets if it makes way.
  func moved(_ row: [Cell], _ table: Int) -> [Cell] {
    let key = shape.rowKey(of: row, table)
    guard let index = decisions.firstIndex(where: { $0.moves && $0.key == key }),
      let id = newIds[freshId(index)]
    else { return row }
    return row.merging([decisions[index].keyColumns[0]: id])
  }

  private func lastId(_ table: Int) -> Int64 {
    var ids = before[table].map { $0[0] }
    ids += decisions.filter { $0.table == table }.flatMap { $0.seed.key + ($0.seed.newKey ?? []) }
    for (child, key) in shape.references(to: table) {
      for (column, target) in zip(key.columns, key.parentColumns) where target == 0 {
        ids += before[child].map { $0[column] }
      }
    }
    let numbers = ids.compactMap { id in
      if case .integer(let number) = id { number } else { nil }
    }
    return max(numbers.max() ?? 0, lastIds[table] ?? 0, shape.tables[table].reserve ?? 0)
  }
}

extension Decision {
  /// A user's row makes way for this one.
  var moves: Bool { movesUser && goes }
}
