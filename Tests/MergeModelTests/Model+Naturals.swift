/// References by natural key: what the names in files stand for.
extension Model {
  /// What names a row: columns of its table, and their values as their collations see them.
  struct Name: Hashable {
    var table: Int
    var columns: [Int]
    var values: [Cell]
  }

  /// Which rows the names of new values stand for shows only in the end. So the release is played
  /// in the hope that all rows to insert come, and again with what was found then, until that
  /// stays. Only then what was hoped for in vain is given up.
  func playedByName(_ release: Release) -> Model {
    var start = self
    start.giveNumbers(release)
    guard release.files.contains(where: { !$0.naturals.isEmpty }) else {
      return start.played(release)
    }
    start.hopes = start.hoped(release)
    start.allHopes = Set(start.hopes.keys)
    start.meanings = start.wished(release).found(release)
      .merging(start.hopes) { found, _ in found }
    var isHoping = true
    var banned: Set<Name> = []
    for turn in 0..<40 {
      let run = start.played(release)
      if turn == 0 { start.takenInHope = run.takenNow }
      let found = run.found(release).filter { !banned.contains($0.key) }
      let hoped = isHoping ? run.hoped(run.named).filter { !banned.contains($0.key) } : [:]
      let meanings = found.merging(hoped) { found, _ in found }
      let isSame = meanings == start.meanings && run.holdersNow == start.holdersThought
      if isSame, found == meanings { return run }
      if isSame { (isHoping, start.hopes) = (false, hoped) }
      // What a name means may hang on what it means: nothing is guessed then.
      if turn > 15, !isSame {
        start.hangsOnItself = true
        banned.formUnion(
          Set(meanings.keys).union(start.meanings.keys)
            .filter { meanings[$0] != start.meanings[$0] })
        start.hopes = start.hopes.filter { !banned.contains($0.key) }
      }
      start.meanings = (isSame ? found : meanings).filter { !banned.contains($0.key) }
      start.holdersThought = run.holdersNow
    }
    start.neverSettles = true
    return start
  }

  /// The rows as the release would have them, if the user had done nothing.
  private func wished(_ release: Release) -> Model {
    var wish = self
    let release = wish.resolve(release)
    for file in release.files where file.kind != .insert {
      for seed in file.rows {
        guard let place = place(of: seed.key, in: file.table) else { continue }
        if file.kind == .delete {
          wish[place] = nil
          continue
        }
        for (index, column) in file.columns.enumerated()
        where file.isBaseless || !seed.was[index].isSame(as: seed.values[index]) {
          wish[place]?[column] = seed.values[index]
        }
      }
    }
    return wish
  }

  /// The rows that have the names of new values now.
  private func found(_ release: Release) -> [Name: [Cell]] {
    var rows: [Name: [Cell]] = [:]
    for file in release.files {
      for (number, natural) in file.naturals.enumerated()
      where !file.isOld(natural, shape.tables[file.table]) {
        for seed in file.rows {
          let name = name(natural, seed.names[number])
          guard rows[name] == nil, let place = place(natural, seed.names[number]) else { continue }
          rows[name] = self[place]
        }
      }
    }
    return rows
  }

  /// The rows to insert, by all that may name them.
  private func hoped(_ release: Release) -> [Name: [Cell]] {
    var rows: [Name: [Cell]] = [:]
    for file in release.files where file.kind == .insert {
      let table = shape.tables[file.table]
      for seed in file.rows {
        let row = fresh(seed, file)
        for set in table.uniques + [table.key] {
          rows[Name(table: file.table, columns: set, values: table.folded(set, of: row))] = row
        }
      }
    }
    let asked = Set(
      release.files.flatMap { file in
        file.naturals.enumerated().flatMap { number, natural in
          file.rows.map { name(natural, $0.names[number]) }
        }
      })
    return rows.filter { asked.contains($0.key) }
  }

  private func name(_ natural: NaturalNames, _ values: [Cell]) -> Name {
    let columns = shape.tables[natural.parent].columns
    let named = zip(natural.names, values).sorted { $0.0 < $1.0 }
    return Name(
      table: natural.parent, columns: named.map(\.0),
      values: named.map { $1.folded(ignoringCase: columns[$0].ignoresCase) })
  }

  private func place(_ natural: NaturalNames, _ values: [Cell]) -> Place? {
    // A row with NULL in its key is a user's.
    find(natural.names, values, in: natural.parent)
      .flatMap { rowKey(of: $0).key.contains(.null) ? nil : $0 }
  }

  // MARK: keys in place of names

  /// The release with the keys that its names stand for.
  mutating func resolve(_ release: Release) -> Release {
    var release = release
    for index in release.files.indices {
      let file = release.files[index]
      for number in file.naturals.indices {
        for row in file.rows.indices {
          let values = received(number, file.rows[row], file)
          fill(file.naturals[number], values, &release.files[index], row)
        }
      }
    }
    named = release
    return release
  }

  /// What the log has of a row before anything is written: rows that have yet to come, or to get
  /// their names, are not found.
  mutating func namedNow(_ seed: SeedRow, _ file: SeedFile) -> SeedRow {
    var file = file
    file.rows = [seed]
    for number in file.naturals.indices {
      fill(file.naturals[number], received(number, seed, file, isNow: true), &file, 0)
    }
    return file.rows[0]
  }

  private mutating func received(
    _ number: Int, _ seed: SeedRow, _ file: SeedFile, isNow: Bool = false
  ) -> [Cell] {
    let natural = file.naturals[number]
    let names = seed.names[number]
    if names.allSatisfy(\.isNull) { return natural.received.map { _ in .null } }
    let isOld = isNow || file.isOld(natural, shape.tables[file.table])
    let row = isOld ? place(natural, names).flatMap { self[$0] } : meanings[name(natural, names)]
    let values = row.map { row in natural.received.map { row[$0] } } ?? [.null]
    // A row without such a key cannot be referred to.
    if !values.contains(.null) { return values }
    // Two that name nobody are the same where the names are.
    let text = "nobody \(file.table) \(natural.columns) \(natural.names) \(names)"
    unknown[.text(text)] = Dictionary(uniqueKeysWithValues: zip(natural.headers, names))
    let key = shape.tables[natural.parent].key
    if let hope = hopes[name(natural, names)] {
      unknownHopes[.text(text)] = rowKey(key.map { hope[$0] }, natural.parent)
    }
    if Set(key) == Set(natural.names) {
      let values = Dictionary(uniqueKeysWithValues: zip(natural.names, names))
      unknownKeys[.text(text)] = rowKey(key.map { values[$0] ?? .null }, natural.parent)
    }
    return natural.received.map { _ in .text(text) }
  }

  private func fill(
    _ natural: NaturalNames, _ values: [Cell], _ file: inout SeedFile, _ row: Int
  ) {
    let key = shape.tables[file.table].key
    for (column, value) in zip(natural.columns, values) {
      if let place = file.columns.firstIndex(of: column) {
        if natural.isBase {
          file.rows[row].was[place] = value
        } else {
          file.rows[row].values[place] = value
        }
      }
      if let place = key.firstIndex(of: column) { file.rows[row].key[place] = value }
    }
  }

  /// What the log shows: names where nobody has them.
  func shown(_ object: [String: Cell], isBase: Bool = false) -> [String: Cell] {
    var shown: [String: Cell] = [:]
    for (column, value) in object {
      guard let names = unknown[value] else {
        shown[column] = value
        continue
      }
      for (header, name) in names { shown[isBase ? "was:" + header : header] = name }
    }
    return shown
  }

  // MARK: rows that are the user's

  /// Whether the row that a name found is known to be the user's own: the seed's row of this name
  /// stayed out for it.
  ///
  /// Where this is the row itself that is judged, its own place counts and not its parent.
  func isUsers(_ place: Place, _ natural: NaturalNames?, of child: RowKey) -> Bool {
    guard let natural else { return false }
    let key = rowKey(of: place)
    let columns = natural.names.sorted()
    return holders.union(holdersThought).contains {
      $0.row == key && $0.columns == columns && $0.instead != child
    }
  }

  mutating func noteHolder(_ holder: Place, of row: [Cell]) {
    let table = shape.tables[holder.table]
    guard let mine = self[holder] else { return }
    let instead = rowKey(table.key.map { row[$0] }, holder.table)
    for set in table.uniques + [table.key]
    where table.folded(set, of: mine) == table.folded(set, of: row) {
      holdersNow.insert(Holder(row: rowKey(of: holder), instead: instead, columns: set))
    }
  }

  /// What a name means that nobody has: a key that is the user's, or nothing.
  func unnamed(_ value: Cell) -> Parent {
    // Rows that are inserted together are judged together, so its own place counts first.
    if let hope = unknownHopes[value], comes(hope) { return .there }
    guard let key = unknownKeys[value] else { return .missing }
    return left.contains(key) || takenBefore.contains(key) || clashing.contains(key)
      ? .taken : .missing
  }

  /// What a row is to refer to by the name of one that comes.
  mutating func noteAwaiting(
    _ changes: [Int: Cell], _ place: Place, _ seed: SeedRow, _ file: SeedFile
  ) {
    for (number, natural) in file.naturals.enumerated() where !natural.isBase {
      guard natural.columns.contains(where: { changes[$0] != nil }),
        let row = meanings[name(natural, seed.names[number])]
      else { continue }
      let key = shape.tables[natural.parent].key.map { row[$0] }
      guard self.place(of: key, in: natural.parent) == nil, comes(rowKey(key, natural.parent))
      else { continue }
      awaiting.insert(UniqueValue(place: place, set: natural.columns))
    }
  }

  /// Whether the release has a row to insert of the name that stands there.
  func isToCome(_ key: ForeignKey, _ seed: SeedRow, _ file: SeedFile) -> Bool {
    file.naturals.enumerated().contains { number, natural in
      !natural.isBase && natural.columns == key.columns
        && allHopes.contains(name(natural, seed.names[number]))
    }
  }

  private func comes(_ key: RowKey) -> Bool {
    let table = shape.tables[key.table]
    return coming[key.table, default: []].contains { table.folded(table.key, of: $0) == key.key }
  }
}
