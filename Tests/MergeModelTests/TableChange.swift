import TestSupport

/// What `make` would write for one table.
struct TableChange {
  let table: Int
  let shape: TableShape
  let old: [[Cell]]
  let new: [[Cell]]

  func files(_ dice: inout Dice) -> [SeedFile] {
    let before = Dictionary(uniqueKeysWithValues: old.map { (key($0), $0) })
    let after = Set(new.map(key))
    let wholeRow = { (row: [Cell]) in
      SeedRow(key: shape.key.map { row[$0] }, values: shape.seeded.map { row[$0] })
    }
    var pairs = new.compactMap { row in before[key(row)].map { (old: $0, new: row) } }
    let changed = shape.settable.filter { column in
      pairs.contains { !$0.old[column].isSame(as: $0.new[column]) }
    }
    pairs.removeAll { pair in changed.allSatisfy { pair.old[$0].isSame(as: pair.new[$0]) } }
    // A CSV is rectangular: columns without any change may stand there too.
    let columns = shape.settable.filter {
      changed.contains($0) || shape.identity.contains($0) || dice.chance(30)
    }
    let updates = pairs.map { pair in
      SeedRow(
        key: shape.key.map { pair.old[$0] }, values: columns.map { pair.new[$0] },
        was: columns.map { pair.old[$0] })
    }
    let files = [
      SeedFile(table: table, kind: .update, columns: columns, rows: updates),
      SeedFile(
        table: table, kind: .delete, columns: shape.seeded,
        rows: old.filter { !after.contains(key($0)) }.map(wholeRow)),
      SeedFile(
        table: table, kind: .insert, columns: shape.seeded,
        rows: new.filter { before[key($0)] == nil }.map(wholeRow)),
    ]
    return files.filter { !$0.rows.isEmpty }.flatMap { file in
      var file = file
      if dice.chance(40) { file.rows.shuffle(using: &dice) }
      return dice.chance(20) && shape.isSplit ? split(file, &dice) : [file]
    }
  }

  /// The same rows in two files with tags.
  private func split(_ file: SeedFile, _ dice: inout Dice) -> [SeedFile] {
    let place = dice.below(file.rows.count)
    let parts = [("a", file.rows[..<place]), ("b", file.rows[place...])]
    return parts.filter { !$0.1.isEmpty }.map { tag, rows in
      var part = file
      (part.tag, part.rows) = (tag, Array(rows))
      return part
    }
  }

  private func key(_ row: [Cell]) -> [Cell] { shape.folded(shape.key, of: row) }
}
