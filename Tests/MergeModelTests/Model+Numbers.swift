/// Numbers that the database chooses.
extension Model {
  /// Numbers of nobody's, until the engine's are known.
  mutating func giveNumbers(_ release: Release) {
    for file in release.files
    where file.kind == .insert && shape.tables[file.table].assigned != nil {
      for seed in file.rows {
        numbers[rowKey(seed.key, file.table)] = .integer(-(1 << 60) - Int64(numbers.count))
      }
    }
  }

  /// The model with the numbers that the database gave the rows.
  func numbered(like rows: [[[Cell]]]) -> Model {
    var known: [Cell: Cell] = [:]
    for (key, number) in numbers {
      let table = shape.tables[key.table]
      let row = rows[key.table].first { table.folded(table.key, of: $0) == key.key }
      if let row, let column = table.assigned { known[number] = row[column] }
    }
    if known.isEmpty { return self }
    let row = { (row: [Cell]) in row.map { known[$0] ?? $0 } }
    let object = { (object: [String: Cell]?) in object?.mapValues { known[$0] ?? $0 } }
    var model = self
    model.tables = tables.map { $0.map { $0.map(row) } }
    model.left = Set(left.map { RowKey(table: $0.table, key: row($0.key)) })
    model.holders = Set(
      holders.map {
        let key = { (key: RowKey) in RowKey(table: key.table, key: row(key.key)) }
        return Holder(row: key($0.row), instead: key($0.instead), columns: $0.columns)
      })
    model.clashes = clashes.map { clash in
      var clash = clash
      clash.key = object(clash.key) ?? [:]
      (clash.base, clash.mine, clash.seed) =
        (object(clash.base), object(clash.mine), object(clash.seed))
      return clash
    }
    return model
  }
}
