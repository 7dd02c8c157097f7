extension Model {
  struct Coming {
    var key: RowKey
    var row: [Cell]
  }

  /// Rows whose key is free, or that take the user's place: what may become a parent.
  func insertable(_ release: Release) -> [Int: [Coming]] {
    var hopeful = self
    let inserts = release.files.filter { $0.kind == .insert }
    hopeful.coming = Dictionary(grouping: inserts, by: \.table).mapValues { files in
      files.flatMap { file in file.rows.map { fresh($0, file) } }
    }
    _ = hopeful.changeKeys(release)
    return hopeful.insertableNow(release)
  }

  private func insertableNow(_ release: Release) -> [Int: [Coming]] {
    var rows: [Int: [Coming]] = [:]
    for file in release.files where file.kind == .insert {
      for seed in file.rows {
        let key = rowKey(seed.key, file.table)
        let isFree = place(of: seed.key, in: file.table).map(isDisposable) ?? true
        if left.contains(key) || !isFree && onTaken(file.table) != "replaceUser" { continue }
        rows[file.table, default: []].append(Coming(key: key, row: fresh(seed, file)))
      }
    }
    return rows
  }

  /// Rows of the user's that keep the keys under which this release inserts.
  func clashing(_ release: Release) -> Set<RowKey> {
    var keys: Set<RowKey> = []
    for file in release.files where file.kind == .insert && onTaken(file.table) != "replaceUser" {
      for seed in file.rows {
        guard let place = place(of: seed.key, in: file.table), let mine = self[place] else {
          continue
        }
        if !differing(mine, seed, file).isEmpty { keys.insert(rowKey(seed.key, file.table)) }
      }
    }
    return keys
  }

  /// The user's rows that are to take the seed's values, and what they get.
  func replacing(_ release: Release) -> [Place: [Cell]] {
    var rows: [Place: [Cell]] = [:]
    for file in release.files where file.kind == .insert && onTaken(file.table) == "replaceUser" {
      for seed in file.rows {
        guard let place = place(of: seed.key, in: file.table), let mine = self[place],
          !left.contains(rowKey(seed.key, file.table)), !differing(mine, seed, file).isEmpty
        else { continue }
        rows[place] = replaced(mine, seed, file)
      }
    }
    return rows
  }

  private func replaced(_ mine: [Cell], _ seed: SeedRow, _ file: SeedFile) -> [Cell] {
    let shape = shape.tables[file.table]
    var row = mine
    for (index, column) in file.columns.enumerated()
    where !shape.key.contains(column) && shape.columns[column].role != .ignored {
      row[column] = seed.values[index]
    }
    return row
  }

  /// Whether rows refer to what this one had before, and find nothing there now.
  private func isMissed(_ before: [Cell], _ place: Place) -> Bool {
    let parent = shape.tables[place.table]
    return shape.tables.indices.contains { child in
      shape.tables[child].foreignKeys.contains { key in
        guard key.parent == place.table else { return false }
        let wanted = parent.folded(key.parentColumns, of: before)
        let values = key.parentColumns.map { before[$0] }
        guard !wanted.contains(.null), find(key.parentColumns, values, in: place.table) == nil
        else { return false }
        return tables[child].contains { row in
          guard let row else { return false }
          return wanted
            == zip(key.columns, key.parentColumns).map {
              row[$0].folded(ignoringCase: parent.columns[$1].ignoresCase)
            }
        }
      }
    }
  }

  func differing(_ mine: [Cell], _ seed: SeedRow, _ file: SeedFile) -> [Int] {
    let shape = shape.tables[file.table]
    return file.columns.indices.filter { index in
      let column = file.columns[index]
      return shape.columns[column].role != .ignored && !shape.key.contains(column)
        && !mine[column].isSame(as: seed.values[index])
    }
  }

  func fresh(_ seed: SeedRow, _ file: SeedFile) -> [Cell] {
    shape.tables[file.table].columns.indices.map { column in
      if column == shape.tables[file.table].assigned {
        return numbers[rowKey(seed.key, file.table)] ?? .null
      }
      return file.value(of: column, in: seed) ?? shape.tables[file.table].columns[column].standard
    }
  }

  /// Returns the keys under which the seed's rows stand in the end.
  mutating func runInserts(_ release: Release) -> Set<RowKey> {
    var inserted: Set<RowKey> = []
    let rows = release.files.filter { $0.kind == .insert }
      .flatMap { file in file.rows.map { (seed: $0, file: file) } }
    // A row that takes the user's place frees the UNIQUE values which the user's row held.
    var waiting = rows.filter { place(of: $0.seed.key, in: $0.file.table) != nil }
    var isLast = false
    while !waiting.isEmpty {
      let count = waiting.count
      waiting.removeAll { seed, file in
        guard let place = place(of: seed.key, in: file.table),
          let isIn = meet(place, seed, file, isLast: isLast)
        else { return false }
        if isIn { inserted.insert(rowKey(seed.key, file.table)) }
        return true
      }
      isLast = waiting.count == count
    }
    for (seed, file) in rows where place(of: seed.key, in: file.table) == nil {
      if insert(seed, file) { inserted.insert(rowKey(seed.key, file.table)) }
    }
    left.formUnion(leaving)
    return inserted
  }

  /// The key is there. nil while the row might yet take the user's place.
  private mutating func meet(
    _ place: Place, _ seed: SeedRow, _ file: SeedFile, isLast: Bool
  ) -> Bool? {
    let (table, mine) = (file.table, self[place] ?? [])
    if left.contains(rowKey(seed.key, table)) {
      count(table, \.kept)
      return false
    }
    guard !differing(mine, seed, file).isEmpty else {
      count(table, \.unchanged)
      hasUnchangedInserts = true
      return true
    }
    guard onTaken(table) == "replaceUser" else {
      taken("keyTaken", seed, file, mine, isKept: true)
      left.insert(rowKey(seed.key, table))
      return false
    }
    let row = replaced(mine, seed, file)
    if skipsForParent(row, seed, file, at: place) { return false }
    self[place] = row
    // Two of the user's rows for one of the seed's: both stay. So does a row that others refer to
    // by what it would give up.
    let isHeld = !holders(of: row, besides: place, in: table).isEmpty
    if isHeld || isMissed(mine, place) {
      self[place] = mine
      guard isLast else { return nil }
      taken(isHeld ? "uniqueTaken" : "keyTaken", seed, file, mine, isKept: true)
      takenNow.insert(rowKey(seed.key, table))
      return false
    }
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
      if holders.count > 1 { hasSeveralHolders.insert(rowKey(seed.key, table)) }
      taken("uniqueTaken", seed, file, mine, isKept: true)
      takenNow.insert(rowKey(seed.key, table))
      for holder in holders { noteHolder(holder, of: row) }
      return false
    }
    count(table, \.inserted)
    tables[table].append(row)
    return true
  }

  /// Logs a parent that is not there, or not the seed's.
  private mutating func skipsForParent(
    _ row: [Cell], _ seed: SeedRow, _ file: SeedFile, at own: Place? = nil
  ) -> Bool {
    let keys = shape.tables[file.table].foreignKeys
      .map { (key: $0, parent: parent($0, of: row, at: own, in: file)) }
      .filter { $0.parent != .there }
    let problems = keys.map { ($0.key.parent, $0.parent) }
    // Rows that refer to each other are judged together: where this one's own place is taken,
    // that counts before what became of its parent.
    let key = rowKey(seed.key, file.table)
    let isTaken =
      takenBefore.contains(key)
      || takenInHope.contains(key) && own == nil && keys.allSatisfy { isToCome($0.key, seed, file) }
        && !holders(of: row, besides: nil, in: file.table).isEmpty
    if isTaken, problems.allSatisfy({ isTogether($0.0, file.table, in: filled) }) { return false }
    guard let first = problems.first else { return false }
    // Whether the parent that was to come is missing, or its place is the user's.
    let isHoped = row.contains { unknownHopes[$0] != nil }
    if isHoped || Set(problems.map(\.1)).count > 1 {
      hasEither.insert(rowKey(seed.key, file.table))
    }
    count(file.table, \.kept)
    clashes.append(
      clash(
        first.1 == .taken ? "parentTaken" : "parentDeleted", file.table, seed.key, policy: nil,
        "skipped", base: nil, mine: nil, seed: columns(file, seed.values)))
    return true
  }

  /// The rows whose place was taken: those known before, and of the others those of the tables that
  /// are filled first.
  var takenFirst: Set<RowKey> {
    let new = takenNow.subtracting(takenBefore)
    let tables = Set(new.map(\.table))
    let first = new.filter { row in
      !tables.contains { reaches(row.table, $0, filled) && !reaches($0, row.table, filled) }
    }
    return takenNow.intersection(takenBefore).union(first)
  }

  /// Whether two tables refer to each other, over tables that this release fills.
  private func isTogether(_ first: Int, _ second: Int, in filled: Set<Int>) -> Bool {
    reaches(first, second, filled) && reaches(second, first, filled)
  }

  private func reaches(_ start: Int, _ end: Int, _ filled: Set<Int>) -> Bool {
    var seen: Set<Int> = []
    var open = [start]
    while let table = open.popLast() {
      for parent in shape.tables[table].foreignKeys.map(\.parent) where filled.contains(parent) {
        if parent == end { return true }
        if seen.insert(parent).inserted { open.append(parent) }
      }
    }
    return false
  }

  private mutating func taken(
    _ kind: String, _ seed: SeedRow, _ file: SeedFile, _ mine: [Cell], isKept: Bool
  ) {
    let table = file.table
    if isKept {
      leaving.insert(rowKey(seed.key, table))
      count(table, \.kept)
    } else {
      count(table, \.updated)
    }
    clashes.append(
      clash(
        kind, table, seed.key, policy: onTaken(table), isKept ? "keptUser" : "tookSeed",
        base: nil, mine: whole(mine, table), seed: columns(file, seed.values)))
  }
}
