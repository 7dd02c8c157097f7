import TestSupport

/// UNIQUE columns that others refer to, and that releases change.
extension Shape {
  /// The UNIQUE columns of a table that others refer to and that releases change. Keys that would
  /// change with them, and tables that refer to each other, are left out.
  func movable(_ table: Int) -> Set<Int> {
    let keys = tables.enumerated().flatMap { child, other in
      other.foreignKeys.filter { $0.parent == table }.map { (child, $0) }
    }
    let referred = Set(keys.flatMap { $0.1.parentColumns }).subtracting(tables[table].key)
    return referred.filter { column in
      keys.filter { $0.1.parentColumns.contains(column) }.allSatisfy { child, key in
        Set(key.columns).isDisjoint(with: tables[child].key) && !reaches(table, child)
      }
    }
  }

  /// Whether a table refers to another, over any number of references.
  func reaches(_ start: Int, _ end: Int) -> Bool {
    var seen: Set = [start]
    var open = [start]
    while let table = open.popLast() {
      if table == end { return true }
      for parent in tables[table].foreignKeys.map(\.parent) where seen.insert(parent).inserted {
        open.append(parent)
      }
    }
    return false
  }
}

extension SourceMaker {
  /// A UNIQUE value that others refer to changes, and most of those follow.
  mutating func changeReferred(_ dice: inout Dice) {
    let tables = shape.tables.indices.filter { !shape.movable($0).isEmpty && !source[$0].isEmpty }
    guard !tables.isEmpty else { return }
    let table = dice.pick(tables)
    let column = dice.pick(shape.movable(table).sorted())
    let row = dice.below(source[table].count)
    let value =
      dice.chance(25) ? .null : Pool.distinct(shape.tables[table].columns[column], &dice)
    let before = source
    for (child, key) in shape.references(to: table) where key.parentColumns == [column] {
      for index in before[child].indices
      where shape.refers(before[child][index], key, to: before[table][row]) {
        set(child, index, key.columns[0], to: dice.chance(80) ? value : nil, &dice)
      }
    }
    set(table, row, column, to: value, &dice)
    if !isSound || passesOn { source = before }
  }
}
