import TestSupport

/// What `make` would write for one table.
struct TableDifference {
  let table: Int
  let shape: TableShape
  let old: [[Cell]]
  /// The old rows once they refer to keys that changed.
  let followed: [[Cell]]
  let new: [[Cell]]
  /// The old keys of rows that have another one, by their new ones.
  let keys: [[Cell]: [Cell]]
  /// The old keys of those of them that a file has to tell of.
  let told: Set<[Cell]>
  /// Foreign keys that a file has as a whole or not at all.
  let whole: [[Int]]

  func files(_ dice: inout Dice, _ keyDice: inout Dice?) -> [SeedFile] {
    let before = Dictionary(uniqueKeysWithValues: zip(old, followed).map { (key($0), ($0, $1)) })
    let freed = Set(keys.values.map(shape.folded(key:)))
    // The key that a row had before; nil for a new one, also where another gave up its key.
    let oldKey = { (row: [Cell]) -> [Cell]? in
      if let old = keys[key(row)] { return shape.folded(key: old) }
      return freed.contains(key(row)) ? nil : key(row)
    }
    let after = Set(new.compactMap(oldKey))
    let wholeRow = { (row: [Cell]) in
      SeedRow(key: shape.key.map { row[$0] }, values: shape.seeded.map { row[$0] })
    }
    var pairs = new.compactMap { row in
      oldKey(row).flatMap { before[$0] }.map { (old: $0.0, followed: $0.1, new: row) }
    }
    let changed = shape.settable.filter { column in
      pairs.contains { !$0.followed[column].isSame(as: $0.new[column]) }
    }
    let lists = keyDice?.chance(20) ?? false
    pairs.removeAll { pair in
      changed.allSatisfy { pair.followed[$0].isSame(as: pair.new[$0]) }
        && !told.contains(key(pair.old))
        && !(lists && shape.seeded.contains { !pair.old[$0].isSame(as: pair.new[$0]) })
    }
    // A CSV is rectangular: columns without any change may stand there too.
    var columns = shape.settable.filter {
      changed.contains($0) || shape.identity.contains($0) || dice.chance(30)
    }
    for set in whole where !Set(columns).isDisjoint(with: set) {
      columns = Set(columns + set).subtracting(shape.key).sorted()
    }
    // Rows that only follow may stand there under their old keys.
    let tells = pairs.contains { told.contains(key($0.old)) } || keyDice?.chance(50) == true
    let changedKey =
      !tells
      ? []
      : shape.key.filter { column in
        pairs.contains { $0.old[column] != $0.new[column] }
      }
    let updates = pairs.map { pair in
      SeedRow(
        key: shape.key.map { pair.old[$0] },
        newKey: changedKey.isEmpty ? nil : shape.key.map { pair.new[$0] },
        values: columns.map { pair.new[$0] }, was: columns.map { pair.old[$0] })
    }
    // Rows that only follow may be all there is.
    let isEmpty = columns.isEmpty && changedKey.isEmpty
    let files = [
      SeedFile(
        table: table, kind: .update, columns: columns, rows: isEmpty ? [] : updates,
        keyChanges: changedKey),
      SeedFile(
        table: table, kind: .delete, columns: shape.seeded,
        rows: old.filter { !after.contains(key($0)) }.map(wholeRow)),
      SeedFile(
        table: table, kind: .insert, columns: shape.seeded,
        rows: new.filter { oldKey($0).flatMap { before[$0] } == nil }.map(wholeRow)),
    ]
    return files.filter { !$0.rows.isEmpty }.flatMap { file in
      var file = file
      if dice.chance(40) { file.rows.shuffle(using: &dice) }
      return dice.chance(20) ? split(file, &dice) : [file]
    }
  }

  /// The same rows in two files with tags.
  private func split(_ file: SeedFile, _ dice: inout Dice) -> [SeedFile] {
    let place = dice.below(file.rows.count)
    if !file.keyChanges.isEmpty { return splitByKeys(file) }
    let parts = [("a", file.rows[..<place]), ("b", file.rows[place...])]
    return parts.filter { !$0.1.isEmpty }.map { tag, rows in
      var part = file
      (part.tag, part.rows) = (tag, Array(rows))
      return part
    }
  }

  private func key(_ row: [Cell]) -> [Cell] { shape.folded(shape.key, of: row) }
}

extension TableDifference {
  /// Keys that pass from row to row stay in one file.
  func splitByKeys(_ file: SeedFile) -> [SeedFile] {
    var (one, other) = (file, file)
    (one.tag, other.tag) = ("a", "b")
    one.rows = file.rows.filter { $0.newKey != $0.key }
    other.rows = file.rows.filter { $0.newKey == $0.key }
    other.keyChanges = []
    for index in other.rows.indices { other.rows[index].newKey = nil }
    // Without columns the others say nothing.
    return [one, other].filter { !$0.rows.isEmpty && !($0.columns + $0.keyChanges).isEmpty }
  }
}
