import TestSupport

/// Rows of disposable tables go with a retired row.
extension Model {
  /// Whether the row may go though no file names it.
  func isDisposable(_ place: Place) -> Bool {
    shape.tables.contains { $0.disposable.contains(place.table) }
      && !listed.contains(place)
  }

  /// Of the rows to retire, those that no row refers to which stays, and what goes with them. A
  /// disposable row that has to stay keeps what it refers to.
  func leaving(_ retired: Set<Place>) -> (retired: Set<Place>, disposed: Set<Place>) {
    var retired = retired
    var staying: Set<Place> = []
    while true {
      let gone = following(retired, besides: staying)
      let held = gone.filter { isReferred(to: $0, besides: gone) }
      if held.isEmpty { return (retired, gone.subtracting(retired)) }
      retired.subtract(held)
      staying.formUnion(held)
    }
  }

  /// Rows, and the disposable ones that refer to them, over any number of tables.
  private func following(_ rows: Set<Place>, besides staying: Set<Place>) -> Set<Place> {
    var gone = rows
    var open = Array(rows)
    while let next = open.popLast() {
      guard let parent = self[next] else { continue }
      for child in shape.tables[next.table].disposable {
        for key in shape.tables[child].foreignKeys where key.parent == next.table {
          for index in tables[child].indices {
            let place = Place(table: child, index: index)
            guard let row = self[place], shape.refers(row, key, to: parent),
              !staying.contains(place), isDisposable(place), gone.insert(place).inserted
            else { continue }
            open.append(place)
          }
        }
      }
    }
    return gone
  }
}

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

  /// Whether a row goes with one that is in `before` and not in `after`.
  func isDisposed(_ row: [Cell], of table: Int, _ before: [[[Cell]]], _ after: [[[Cell]]]) -> Bool {
    tables[table].foreignKeys.contains { key in
      tables[key.parent].disposable.contains(table)
        && before[key.parent].contains { refers(row, key, to: $0) }
        && !after[key.parent].contains { refers(row, key, to: $0) }
    }
  }

  /// The keys of rows that went for good, and of those that referred to them: these may come back
  /// without what they referred to, or not at all.
  func affected(by gone: Set<Place>, in rows: [[[Cell]]]) -> Set<RowKey> {
    var gone = gone
    var count = -1
    while count < gone.count {
      count = gone.count
      for (child, table) in tables.enumerated() {
        for (index, row) in rows[child].enumerated() {
          let misses = table.foreignKeys.contains { key in
            gone.contains {
              $0.table == key.parent && refers(row, key, to: rows[key.parent][$0.index])
            }
          }
          if misses { gone.insert(Place(table: child, index: index)) }
        }
      }
    }
    return Set(
      gone.map { place in
        let table = tables[place.table]
        return RowKey(
          table: place.table, key: table.folded(table.key, of: rows[place.table][place.index]))
      })
  }

  func rows(_ rows: [[[Cell]]], without keys: Set<RowKey>) -> [[[Cell]]] {
    rows.enumerated().map { index, rows in
      let table = tables[index]
      return rows.filter {
        !keys.contains(RowKey(table: index, key: table.folded(table.key, of: $0)))
      }
    }
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
              shape.refers(row, key, to: shape.tables[key.parent].row($0.values, parent.columns))
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
