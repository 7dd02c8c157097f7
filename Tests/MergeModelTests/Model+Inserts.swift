extension Model {
  struct Coming {
    var key: RowKey
    var row: [Cell]
  }

  /// Rows whose key is free, or that take the user's place: what may become a parent.
  func insertable(_ release: Release) -> [Int: [Coming]] {
    var rows: [Int: [Coming]] = [:]
    for file in release.files where file.kind == .insert {
      for seed in file.rows {
        let key = rowKey(seed.key, file.table)
        let isFree = place(of: seed.key, in: file.table) == nil
        if left.contains(key) || !isFree && onTaken(file.table) != "replaceUser" { continue }
        rows[file.table, default: []].append(Coming(key: key, row: fresh(seed, file)))
      }
    }
    return rows
  }

  private func fresh(_ seed: SeedRow, _ file: SeedFile) -> [Cell] {
    shape.tables[file.table].columns.indices.map { column in
      file.value(of: column, in: seed) ?? shape.tables[file.table].columns[column].standard
    }
  }

  /// Returns the keys under which the seed's rows stand in the end.
  mutating func runInserts(_ release: Release) -> Set<RowKey> {
    var inserted: Set<RowKey> = []
    let files = release.files.filter { $0.kind == .insert }
    // A row that takes the user's place frees the UNIQUE values which the user's row held.
    for standsOnUser in [true, false] {
      for file in files {
        for seed in file.rows {
          let place = place(of: seed.key, in: file.table)
          let key = rowKey(seed.key, file.table)
          guard standsOnUser == (place != nil), !inserted.contains(key) else { continue }
          let isIn = place.map { meet($0, seed, file) } ?? insert(seed, file)
          if isIn { inserted.insert(key) }
        }
      }
    }
    return inserted
  }

  /// The key is there.
  private mutating func meet(_ place: Place, _ seed: SeedRow, _ file: SeedFile) -> Bool {
    let (table, mine) = (file.table, self[place] ?? [])
    if left.contains(rowKey(seed.key, table)) {
      count(table, \.kept)
      return false
    }
    let shape = shape.tables[table]
    let differing = file.columns.indices.filter { index in
      let column = file.columns[index]
      return shape.columns[column].role != .ignored && !shape.key.contains(column)
        && !mine[column].isSame(as: seed.values[index])
    }
    guard !differing.isEmpty else {
      count(table, \.unchanged)
      return true
    }
    if onTaken(table) == "fail" { fails = true }
    guard onTaken(table) == "replaceUser" else {
      taken("keyTaken", seed, file, mine, isKept: true)
      return false
    }
    var row = mine
    for (index, column) in file.columns.enumerated() where !shape.key.contains(column) {
      row[column] = seed.values[index]
    }
    if skipsForParent(row, seed, file) { return false }
    let holders = holders(of: row, besides: place, in: table).map(\.place)
    guard !holders.contains(where: { isReferred(to: $0, besides: [$0]) }) else {
      taken("keyTaken", seed, file, mine, isKept: true)
      return false
    }
    for holder in Set(holders) { self[holder] = nil }
    self[place] = row
    taken("keyTaken", seed, file, mine, isKept: false)
    return true
  }

  private mutating func insert(_ seed: SeedRow, _ file: SeedFile) -> Bool {
    let table = file.table
    if left.contains(rowKey(seed.key, table)) {
      count(table, \.kept)
      return false
    }
    let row = fresh(seed, file)
    if skipsForParent(row, seed, file) { return false }
    let holders = Set(holders(of: row, besides: nil, in: table).map(\.place))
    if let first = holders.first, let mine = self[first] {
      if onTaken(table) == "fail" { fails = true }
      guard onTaken(table) == "replaceUser",
        !holders.contains(where: { isReferred(to: $0, besides: [$0]) })
      else {
        taken("uniqueTaken", seed, file, mine, isKept: true)
        return false
      }
      taken("uniqueTaken", seed, file, mine, isKept: false)
      for holder in holders { self[holder] = nil }
    } else {
      count(table, \.inserted)
    }
    tables[table].append(row)
    return true
  }

  /// Logs the first parent that is not there, or not the seed's.
  private mutating func skipsForParent(
    _ row: [Cell], _ seed: SeedRow, _ file: SeedFile
  ) -> Bool {
    let found = shape.tables[file.table].foreignKeys.map { parent($0, of: row) }
    guard let problem = found.contains(.missing) ? .missing : found.first(where: { $0 == .taken })
    else { return false }
    count(file.table, \.kept)
    clashes.append(
      clash(
        problem == .taken ? "parentTaken" : "parentDeleted", file.table, seed.key, policy: nil,
        "skipped", base: nil, mine: nil, seed: columns(file, seed.values)))
    return true
  }

  private mutating func taken(
    _ kind: String, _ seed: SeedRow, _ file: SeedFile, _ mine: [Cell], isKept: Bool
  ) {
    let table = file.table
    if isKept {
      left.insert(rowKey(seed.key, table))
      count(table, \.kept)
    } else {
      count(table, kind == "keyTaken" ? \.updated : \.inserted)
    }
    clashes.append(
      clash(
        kind, table, seed.key, policy: onTaken(table), isKept ? "keptUser" : "tookSeed",
        base: nil, mine: whole(mine, table), seed: columns(file, seed.values)))
  }
}
