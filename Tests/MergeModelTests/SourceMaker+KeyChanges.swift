import TestSupport

/// Rows of the source that get other keys. A file that says so is alone for its table in its
/// migration, and what refers to the table follows without a file.
extension SourceMaker {
  /// A release that changes keys of one table, beside changes of tables that do not refer to it;
  /// nil if nothing came of it.
  mutating func keyRelease(_ dice: inout Dice) -> Release? {
    let tables = shape.tables.indices
    let referring = tables.filter { reference(inKeyOf: $0) != nil }
    let table = dice.pick(referring.isEmpty || dice.chance(25) ? Array(tables) : referring)
    let start = self
    begin()
    // Tables whose references may follow have no file, over any number of tables.
    let others = shape.tables.indices.filter { $0 != table && !shape.reaches($0, table) }
    for other in others where dice.chance(40) {
      let before = source
      if dice.chance(50) { insert(other, old, &dice) } else { change(other, &dice) }
      if !isSound || passesOn { source = before }
    }
    guard let file = keyFile(table, &dice), isSound, !passesOn else {
      self = start
      return nil
    }
    // Rows go that nothing refers to any more: what did has another key now.
    for other in others where dice.chance(80) {
      for row in source[other].indices.reversed() where dice.chance(80) {
        let before = source
        source[other].remove(at: row)
        if !isSound || passesOn { source = before }
      }
    }
    return Release(version: version, files: files(of: others, &dice) + [file])
  }

  /// Gives a few rows of a table other keys, and has the source follow.
  private mutating func keyFile(_ table: Int, _ dice: inout Dice) -> SeedFile? {
    let target = shape.tables[table]
    let rows = source[table].indices.shuffled(using: &dice)
    if rows.isEmpty { return nil }
    let leaving = dice.chance(60) ? rowsOfOneParent(table, &dice) : []
    let chosen = leaving.isEmpty ? Array(rows.prefix(1 + dice.below(8))) : leaving.map(\.row)
    let keys = leaving.isEmpty ? newKeys(of: chosen, table, &dice) : leaving.map(\.key)
    if keys.joined().contains(.null) { return nil }
    var columns = target.settable.filter { column in
      !target.foreignKeys.contains { $0.parent == table && $0.columns.contains(column) }
        && (dice.chance(30) || target.identity.contains(column))
    }
    let referred = referredColumns(of: table)
    let other = Self.row(of: table, in: shape, source, &dice)
    for row in chosen {
      for column in columns where !referred.contains(column) && !target.refers(column) {
        if dice.chance(30) { source[table][row][column] = other[column] }
      }
    }
    columns = target.foreignKeys.reduce(columns) { columns, key in
      Set(key.columns).isSubset(of: columns)
        ? columns : columns.filter { !key.columns.contains($0) }
    }
    give(Dictionary(uniqueKeysWithValues: zip(chosen, keys)), in: table)
    let changed = target.key.filter { column in
      chosen.contains { source[table][$0][column] != old[table][$0][column] }
    }
    if changed.isEmpty { return nil }
    let listed = rows.filter { chosen.contains($0) || !columns.isEmpty && dice.chance(20) }
    return SeedFile(
      table: table, kind: .update, columns: columns,
      rows: listed.map { row in
        let (old, new) = (old[table][row], source[table][row])
        return SeedRow(
          key: target.key.map { old[$0] }, newKey: target.key.map { new[$0] },
          values: columns.map { new[$0] }, was: columns.map { old[$0] })
      }, keyChanges: changed)
  }

  /// All rows whose keys refer to one row, with keys that refer to another: the first may go.
  private func rowsOfOneParent(_ table: Int, _ dice: inout Dice) -> [(row: Int, key: [Cell])] {
    let target = shape.tables[table]
    guard let key = reference(inKeyOf: table) else { return [] }
    let parents = source[key.parent].shuffled(using: &dice).prefix(2)
    guard let old = parents.first, let new = parents.last?[key.parentColumns[0]] else { return [] }
    return source[table].indices.filter { shape.refers(source[table][$0], key, to: old) }.map {
      row in
      (row, target.key.map { $0 == key.columns[0] ? new : source[table][row][$0] })
    }
  }

  private func reference(inKeyOf table: Int) -> ForeignKey? {
    shape.tables[table].foreignKeys.first {
      $0.parent != table && $0.columns.count == 1
        && shape.tables[table].key.contains($0.columns[0])
    }
  }

  private func newKeys(of rows: [Int], _ table: Int, _ dice: inout Dice) -> [[Cell]] {
    let target = shape.tables[table]
    var keys = rows.map { row in target.key.map { source[table][row][$0] } }
    switch dice.below(6) {
    case 0, 1:
      // A ring: two rows exchange theirs, or more pass them on.
      keys.append(keys.removeFirst())
    case 2:
      keys.append(keys.removeFirst())
      keys[keys.count - 1] = freshKey(table, keys[keys.count - 1], &dice)
    case 3: keys = keys.map { $0.map(\.flipped) }
    default: keys = keys.map { freshKey(table, $0, &dice) }
    }
    return keys
  }

  private func freshKey(_ table: Int, _ key: [Cell], _ dice: inout Dice) -> [Cell] {
    let target = shape.tables[table]
    let other = Self.row(of: table, in: shape, source, &dice)
    let all = target.key.count == 1 || dice.chance(30)
    let place = dice.below(target.key.count)
    return key.indices.map { all || $0 == place ? other[target.key[$0]] : key[$0] }
  }

  /// Sets keys of rows, and what refers to them; all at once.
  private mutating func give(_ keys: [Int: [Cell]], in table: Int) {
    let before = source
    var open: [(place: RowIndex, changes: [Int: Cell])] = keys.map { row, key in
      let changes = Dictionary(uniqueKeysWithValues: zip(shape.tables[table].key, key))
      return (RowIndex(table: table, index: row), changes)
    }
    while let (place, changes) = open.popLast() {
      let row = before[place.table][place.index]
      let new = changes.filter { row[$0.key] != $0.value }
      if new.isEmpty { continue }
      source[place.table][place.index] = source[place.table][place.index].merging(new)
      for (child, key) in shape.references(to: place.table) {
        let followed = zip(key.columns, key.parentColumns).compactMap { column, target in
          new[target].map { (column, $0) }
        }
        if followed.isEmpty { continue }
        for index in before[child].indices
        where shape.refers(before[child][index], key, to: row) {
          open.append(
            (RowIndex(table: child, index: index), Dictionary(uniqueKeysWithValues: followed)))
        }
      }
    }
  }
}

extension Cell {
  /// In the other case.
  var flipped: Cell {
    guard case .text(let text) = self else { return self }
    return .text(text == text.uppercased() ? text.lowercased() : text.uppercased())
  }
}
