import TestSupport

extension Shape {
  /// Draws which tables' rows are disposable; some of those that refer to another.
  mutating func drawDisposable(_ dice: inout Dice) {
    guard dice.chance(40) else { return }
    for parent in tables.indices {
      let children = tables.indices.filter { child in
        tables[child].foreignKeys.contains { $0.parent == parent }
      }
      tables[parent].disposable = children.filter { _ in dice.chance(60) }
    }
  }

  var disposableTables: String {
    tables.filter { !$0.disposable.isEmpty }.map { table in
      "\n\(table.name) has disposable \(table.disposable.map { tables[$0].name })"
    }.joined()
  }
}

extension Release {
  /// Rows that go with a retired one need no delete file of their own.
  mutating func forgetDisposable(_ shape: Shape, _ dice: inout Dice) {
    let retired = files.filter { $0.kind == .delete }
    for index in files.indices where files[index].kind == .delete {
      let (table, columns) = (files[index].table, files[index].columns)
      let keys = shape.tables[table].foreignKeys.filter {
        shape.tables[$0.parent].disposable.contains(table)
      }
      files[index].rows.removeAll { seed in
        let row = shape.tables[table].row(seed.values, columns)
        let goes = keys.contains { key in
          retired.filter { $0.table == key.parent }.contains { parent in
            parent.rows.contains {
              // A row that refers to itself alone goes with none.
              !(key.parent == table && $0.key == seed.key)
                && shape.refers(
                  row, key, to: shape.tables[key.parent].row($0.values, parent.columns))
            }
          }
        }
        return goes && dice.chance(30)
      }
    }
    files.removeAll(where: \.rows.isEmpty)
  }
}

extension TableShape {
  fileprivate func row(_ values: [Cell], _ columns: [Int]) -> [Cell] {
    self.columns.map(\.standard)
      .merging(Dictionary(uniqueKeysWithValues: zip(columns, values)))
  }
}

extension UserMaker {
  /// Rows that refer to rows of tables with disposable children, and rows that refer to those.
  func children(_ dice: inout Dice) -> [String] {
    let parents = shape.tables.indices.filter {
      !shape.tables[$0].disposable.isEmpty && !rows[$0].isEmpty
    }
    guard !parents.isEmpty else { return [] }
    return (0..<dice.below(4)).flatMap { _ in
      let parent = dice.pick(parents)
      return children(of: dice.pick(rows[parent]), in: parent, depth: 0, &dice)
    }
  }

  private func children(
    of parent: [Cell], in table: Int, depth: Int, _ dice: inout Dice
  ) -> [String] {
    let tables = shape.tables.indices.filter { child in
      shape.tables[child].foreignKeys.contains { $0.parent == table }
    }
    guard depth < 3, !tables.isEmpty else { return [] }
    let child = dice.pick(tables)
    let key = dice.pick(shape.tables[child].foreignKeys.filter { $0.parent == table })
    var row = newRow(of: child, nil, &dice)
    for (column, target) in zip(key.columns, key.parentColumns) { row[column] = parent[target] }
    return [insert(row, into: child)]
      + (dice.chance(50) ? children(of: row, in: child, depth: depth + 1, &dice) : [])
  }
}
