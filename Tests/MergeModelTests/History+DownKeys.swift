/// A key that a file changed, and the row that has it.
struct KeyMove {
  var table: Int
  var old: [Cell]
  var new: [Cell]
}

/// Reads rows as if they had the keys that a release gave them, so that they can be told from each
/// other, whoever has their keys before and afterwards.
struct KeyReading {
  let shape: Shape
  private var new: [RowKey: [Cell]] = [:]
  private var given: Set<RowKey> = []

  /// Of some moves only others than the rows themselves have the new keys.
  init(_ shape: Shape, _ moves: [KeyMove], passed: [KeyMove] = []) {
    self.shape = shape
    for move in passed { given.insert(key(move.new, move.table)) }
    for move in moves {
      new[key(move.old, move.table)] = move.new
      given.insert(key(move.new, move.table))
    }
  }

  private func key(_ cells: [Cell], _ table: Int) -> RowKey {
    RowKey(table: table, key: shape.tables[table].folded(key: cells))
  }

  func rows(_ rows: [[Cell]], of table: Int) -> [[Cell]] {
    let target = shape.tables[table]
    return rows.map { row in
      var read = row
      for key in target.foreignKeys where key.parentColumns == shape.tables[key.parent].key {
        let values = key.columns.map { row[$0] }
        if values.contains(.null) { continue }
        for (column, value) in zip(key.columns, self.read(values, key.parent)) {
          read[column] = value
        }
      }
      let own = target.key.map { row[$0] }
      if own.contains(.null) { return read }
      for (column, value) in zip(target.key, self.read(own, table)) { read[column] = value }
      return read
    }
  }

  func read(_ cells: [Cell], _ table: Int) -> [Cell] {
    let own = key(cells, table)
    if let new = new[own] { return new }
    // A retired row, or what refers to it: another row has its key by now.
    if given.contains(own) { return cells.map(\.retired) }
    let target = shape.tables[table]
    var read = cells
    for key in target.foreignKeys where key.parentColumns == shape.tables[key.parent].key {
      let places = key.columns.compactMap { target.key.firstIndex(of: $0) }
      guard places.count == key.columns.count else { continue }
      for (place, value) in zip(places, self.read(places.map { cells[$0] }, key.parent)) {
        read[place] = value
      }
    }
    return read
  }
}

extension Cell {
  var retired: Cell {
    switch self {
    case .integer(let number): .integer(number + 1_000_000)
    case .text(let text): .text(text + " retired")
    default: self
    }
  }
}

extension Model {
  /// The keys that files changed, as they were and as they are.
  func keyMoves(of release: Release) -> [KeyMove] {
    release.files.flatMap { file in
      file.rows.compactMap { seed in
        guard let new = seed.newKey, keys.changed.contains(rowKey(seed.key, file.table)) else {
          return nil
        }
        return KeyMove(table: file.table, old: seed.key, new: new)
      }
    }
  }
}

extension History {
  /// Those of the rows that the user deleted.
  func deleted(_ moves: [KeyMove], _ mine: [[[Cell]]]) -> [KeyMove] {
    moves.filter { move in
      let table = shape.tables[move.table]
      let new = table.folded(key: move.new)
      return !mine[move.table].contains { table.folded(table.key, of: $0) == new }
    }
  }

  /// Those of the rows that `down` gave their old keys back: they are there, and it logged nothing.
  func movesBack(_ moves: [KeyMove], _ mine: [[[Cell]]], _ clashes: [Clash]) -> [KeyMove] {
    moves.filter { move in
      let table = shape.tables[move.table]
      let new = table.folded(key: move.new)
      let isLogged = clashes.contains { clash in
        let isOfKey =
          clash.kind == "deletedByUser"
          || clash.seed?[table.columns[table.key[0]].name] != nil && clash.base != nil
        return clash.table == table.name && isOfKey
          && table.folded(key: table.key.map { clash.key[table.columns[$0].name] ?? .null }) == new
      }
      return !isLogged && mine[move.table].contains { table.folded(table.key, of: $0) == new }
    }
  }
}
