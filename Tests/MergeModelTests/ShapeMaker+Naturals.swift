import TestSupport

extension Shape {
  /// Some tables give their rows numbers of their own, to which all that refers to them refers.
  mutating func assignNumbers(_ dice: inout Dice) {
    for index in tables.indices where !tables[index].isKeyPrimary && dice.chance(50) {
      tables[index].hidden.removeAll { $0.hasPrefix("row ") }
      tables[index].columns.append(
        ColumnShape(name: "number", kind: .integer, role: .assigned))
      for child in tables.indices { refer(child, to: index) }
    }
  }

  private mutating func refer(_ child: Int, to parent: Int) {
    let number = tables[parent].columns.count - 1
    for place in tables[child].foreignKeys.indices {
      let key = tables[child].foreignKeys[place]
      guard key.parent == parent, key.parentColumns == tables[parent].key else { continue }
      var column = ColumnShape(name: tables[child].columns[key.columns[0]].name, kind: .integer)
      if key.action.contains("SET DEFAULT") { column.standard = 3 }
      tables[child].columns[key.columns[0]] = column
      tables[child].foreignKeys[place].parentColumns = [number]
    }
  }

  /// Rows without the numbers that the database chose for some of them: the key of such a row is
  /// in place of its number where others refer to it.
  func withoutNumbers(
    _ rows: [[[Cell]]], where isMeant: (Int, [Cell]) -> Bool
  ) -> [[[Cell]]] {
    var known = rows
    for (parent, target) in tables.enumerated() {
      guard let number = target.assigned else { continue }
      var keys: [Cell: Cell] = [:]
      for index in rows[parent].indices where isMeant(parent, rows[parent][index]) {
        let key = rows[parent][index][target.key[0]]
        // A user's row.
        if key.isNull { continue }
        keys[rows[parent][index][number]] = .text("row \(key)")
        known[parent][index][number] = .null
      }
      for (child, table) in tables.enumerated() {
        for key in table.foreignKeys where key.parent == parent && key.parentColumns == [number] {
          for index in rows[child].indices {
            let value = rows[child][index][key.columns[0]]
            known[child][index][key.columns[0]] = keys[value] ?? value
          }
        }
      }
    }
    return known
  }
}
