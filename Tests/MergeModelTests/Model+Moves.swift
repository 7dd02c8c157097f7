/// Users' rows that make way under `moveUser`.
extension Model {
  /// Each row that stands where one of the seed's is to be gets a fresh id, and what refers to it
  /// follows; that may make another row differ from the seed's. Parents first.
  mutating func moveUsers(_ release: Release) {
    let written = release.files.filter { $0.kind != .delete }
    let tables = Set(written.map(\.table))
    let above = { (table: Int) in self.ancestors(of: table, in: tables).union([table]) }
    let groups = Dictionary(grouping: tables, by: above).sorted {
      ($0.key.count, $0.value.min() ?? 0) < ($1.key.count, $1.value.min() ?? 0)
    }
    for (_, group) in groups {
      var hasMoved = true
      while hasMoved {
        hasMoved = false
        for table in group.sorted()
        where onTaken(table) == "moveUser" && shape.tables[table].isRowid {
          if moveUsers(of: table, release) { hasMoved = true }
        }
      }
    }
  }

  private func ancestors(of table: Int, in tables: Set<Int>) -> Set<Int> {
    var found: Set<Int> = []
    var open = [table]
    while let next = open.popLast() {
      for parent in shape.tables[next].foreignKeys.map(\.parent) where tables.contains(parent) {
        if found.insert(parent).inserted { open.append(parent) }
      }
    }
    return found
  }

  private mutating func moveUsers(of table: Int, _ release: Release) -> Bool {
    let retired = Set(
      release.files.filter { $0.kind == .delete && $0.table == table }
        .flatMap(\.rows).map { rowKey($0.key, table) })
    let updates = release.files.filter { $0.table == table && !$0.keyChanges.isEmpty }
    let known = Set(updates.flatMap(\.rows).map { rowKey($0.key, table) })
    // All as they are before the first one moves.
    let before = self
    var moves: [(place: Place, key: [Cell], seed: [String: Cell])] = []
    for file in release.files where file.kind == .insert && file.table == table {
      for seed in file.rows {
        let key = rowKey(seed.key, table)
        guard let place = place(of: seed.key, in: table), let mine = self[place],
          !differing(mine, seed, file).isEmpty, !left.contains(key), !retired.contains(key),
          !movedInVain.contains(key), !known.contains(key)
        else { continue }
        let named = namedNow(seed, file).values
        moves.append((place, seed.key, columns(file, named)))
      }
    }
    // Those under the new keys of rows that are there.
    for file in updates {
      for seed in file.rows {
        guard let new = seed.newKey, new != seed.key, self.place(of: seed.key, in: table) != nil,
          let place = place(of: new, in: table)
        else { continue }
        let key = rowKey(new, table)
        if [left, retired, movedInVain, known].contains(where: { $0.contains(key) }) { continue }
        moves.append((place, new, keyColumns(new, table)))
      }
    }
    var next = highestId(table, release)
    for (place, key, seed) in moves {
      guard let mine = before[place] else { continue }
      next += 1
      var clash = clash(
        "keyTaken", table, key, policy: onTaken(table), "moved", base: nil,
        mine: whole(mine, table), seed: seed)
      clash.movedTo = [shape.tables[table].columns[0].name: .integer(next)]
      clashes.append(clash)
      moved.insert(rowKey(key, table))
      give(place, [0: .integer(next)])
    }
    return !moves.isEmpty
  }

  /// The highest id that the table has or had, or that anybody speaks of.
  private func highestId(_ table: Int, _ release: Release) -> Int64 {
    var ids = tables[table].compactMap { $0?[0] }
    ids += release.files.filter { $0.table == table }.flatMap(\.rows)
      .flatMap { $0.key + ($0.newKey ?? []) }
    for (child, target) in shape.tables.enumerated() {
      for key in target.foreignKeys where key.parent == table {
        for (column, parent) in zip(key.columns, key.parentColumns) where parent == 0 {
          ids += tables[child].compactMap { $0?[column] }
        }
      }
    }
    let numbers = ids.compactMap { id in
      if case .integer(let number) = id { number } else { nil }
    }
    return max(
      numbers.max() ?? 0, lastIds[table] ?? 0, shape.tables[table].reserve ?? 0)
  }

  /// New values for columns of a row's key; what refers to it follows.
  mutating func give(_ place: Place, _ changes: [Int: Cell]) {
    guard let row = self[place] else { return }
    var followers: [(place: Place, changes: [Int: Cell])] = []
    for child in shape.tables.indices {
      for key in shape.tables[child].foreignKeys where key.parent == place.table {
        let new = zip(key.columns, key.parentColumns).compactMap { column, parent in
          changes[parent].map { (column, $0) }
        }
        if new.isEmpty { continue }
        for index in tables[child].indices {
          guard let other = tables[child][index], shape.refers(other, key, to: row) else {
            continue
          }
          followers.append(
            (Place(table: child, index: index), Dictionary(uniqueKeysWithValues: new)))
        }
      }
    }
    self[place] = row.merging(changes)
    for follower in followers { give(follower.place, follower.changes) }
  }

  /// Rows in whose place nothing of the seed's stands in the end: they need not have moved.
  var vainMoves: Set<RowKey> { moved.filter { place(of: $0.key, in: $0.table) == nil } }
}
