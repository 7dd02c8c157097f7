extension Model {
  /// All rows give up the UNIQUE values that they are to change, until it turns out that one keeps
  /// its own: then nobody else gets that.
  mutating func runUpdates(_ release: Release) {
    let files = inOrder(release.files.filter { $0.kind == .update })
    let links = links()
    beforeUpdates = tables
    let places = files.flatMap { file in
      file.rows.compactMap { keys.places[rowKey($0.key, file.table)] }
    }
    var keeping: Set<UniqueValue> = []
    var turns = 0
    while true {
      var run = self
      run.yielding = Set(places)
      run.keeping = keeping
      for file in files {
        for row in file.rows {
          if let place = keys.places[rowKey(row.key, file.table)] { run.yielding.remove(place) }
          run.update(row, file, links)
        }
      }
      run.followLate()
      let waiting = run.waitingRows(places)
      if waiting != self.waiting, turns < 5 {
        (self.waiting, turns) = (waiting, turns + 1)
        continue
      }
      let kept = run.kept(among: places, since: self)
      if kept.isEmpty {
        self = run
        return
      }
      keeping.formUnion(kept)
    }
  }

  /// The UNIQUE values that two rows have now, with the row that had it before.
  private func kept(among places: [Place], since start: Model) -> [UniqueValue] {
    places.flatMap { place in
      let shape = shape.tables[place.table]
      return shape.uniques.filter { set in
        guard let row = self[place], let before = start[place] else { return false }
        let value = shape.folded(set, of: row)
        return value == shape.folded(set, of: before)
          && !holders(of: row, besides: place, in: place.table).filter { $0.set == set }.isEmpty
      }.map { UniqueValue(place: place, set: $0) }
    }
  }

  /// What one row of an update file comes to.
  private struct Change {
    var columns: [Int: Cell] = [:]
    /// By kind: the columns in which the seed and the user disagree.
    var clashes: [(kind: String, columns: [Int])] = []

    mutating func add(_ kind: String, _ columns: [Int]) {
      if let index = clashes.firstIndex(where: { $0.kind == kind }) {
        clashes[index].columns += columns.filter { !clashes[index].columns.contains($0) }
      } else if !columns.isEmpty {
        clashes.append((kind, columns))
      }
    }
  }

  private mutating func update(_ seed: SeedRow, _ file: SeedFile, _ links: Links) {
    let table = file.table
    let old = rowKey(seed.key, table)
    if keys.left.contains(old) { return count(table, \.kept) }
    guard let place = keys.places[old], let mine = self[place] else {
      if isThereAlready(seed, file) { return count(table, \.unchanged) }
      count(table, \.kept)
      clashes.append(
        clash(
          "deletedByUser", table, seed.key, policy: nil, "keptUser",
          base: file.isBaseless
            ? nil : columns(file, keys.bases[old] ?? seed.was, isBase: true), mine: nil,
          seed: columns(file, seed.values)))
      return
    }
    let before = beforeUpdates[table][place.index] ?? mine
    var change = merge(seed, file, mine, before: before)
    settle(&change, mine, place, file)
    var merged = mine.merging(change.columns)
    if !change.columns.isEmpty, breaksRules(merged, table) {
      change = wholeRow(seed, file, mine, place)
      merged = mine.merging(change.columns)
      if breaksRules(merged, table) {
        // Not even the seed's own values go in: what else kept some of them back says nothing.
        change = Change(clashes: [("edited", file.columns)])
        merged = mine
      }
    }
    self[place] = merged
    noteAwaiting(change.columns, place, seed, file)
    notePassedOn(change.columns, place)
    follow(place, change.columns, links)
    let isRekeyed = keys.changed.contains(old)
    let isEdited = change.clashes.contains { $0.kind == "edited" }
    if isRekeyed || keys.refused.contains(old), isEdited, onEdited(table) == "keepRow" {
      keys.keepingNow.insert(old)
    }
    if !change.columns.isEmpty || isRekeyed {
      count(table, \.updated)
    } else {
      let isKept = !change.clashes.isEmpty || keys.refused.contains(old)
      count(table, isKept ? \.kept : \.unchanged)
    }
    log(change, seed, file, before)
  }

  /// Column by column, by `onEdited`.
  private mutating func merge(
    _ seed: SeedRow, _ file: SeedFile, _ mine: [Cell], before: [Cell]
  ) -> Change {
    let shape = shape.tables[file.table]
    var change = Change()
    var edited: [Int] = []
    for (index, column) in file.columns.enumerated() {
      let new = seed.values[index]
      if mine[column].isSame(as: new) { continue }
      if file.isBaseless {
        // Nobody can tell an edit.
        change.columns[column] = new
        continue
      }
      let base = seed.was[index]
      if base.isSame(as: new) {
        // The seed does not change it, and only `overwriteRow` asks for it all the same.
        if onEdited(file.table) == "overwriteRow", shape.columns[column].role != .ignored {
          edited.append(column)
        }
      } else if before[column].isSame(as: base) || shape.columns[column].role == .ignored {
        change.columns[column] = new
      } else {
        edited.append(column)
      }
    }
    guard !edited.isEmpty else { return change }
    change.add("edited", edited)
    switch onEdited(file.table) {
    case "keepRow": change.columns = [:]
    case "preferSeed", "overwriteRow":
      for column in edited { change.columns[column] = file.value(of: column, in: seed) }
    default: break
    }
    return change
  }

  /// Takes back what a missing parent or another row's UNIQUE value forbids.
  private mutating func settle(
    _ change: inout Change, _ mine: [Cell], _ place: Place, _ file: SeedFile
  ) {
    let shape = shape.tables[place.table]
    let needed = change.columns.keys.filter {
      holding.contains(UniqueValue(place: place, set: [$0]))
    }
    change.add("referenced", needed)
    for column in needed { change.columns[column] = nil }
    var isSettled = false
    while !isSettled {
      isSettled = true
      for key in shape.foreignKeys {
        let set = key.columns.filter { change.columns[$0] != nil }
        let isInVain = notPassedOn.contains(UniqueValue(place: place, set: key.columns))
        let found =
          isInVain ? .missing : parent(key, of: mine.merging(change.columns), in: file)
        guard !set.isEmpty, found != .there else { continue }
        change.add(found == .taken ? "parentTaken" : "parentDeleted", set)
        for column in set { change.columns[column] = nil }
        isSettled = false
      }
      let row = mine.merging(change.columns)
      for holder in holders(of: row, besides: place, in: place.table) {
        let set = holder.set.filter { change.columns[$0] != nil }
        guard !set.isEmpty else { continue }
        change.add("uniqueTaken", set)
        for column in set { change.columns[column] = nil }
        isSettled = false
      }
    }
  }

  /// The merged row would break CHECK or NOT NULL: all of it is one edit.
  private mutating func wholeRow(
    _ seed: SeedRow, _ file: SeedFile, _ mine: [Cell], _ place: Place
  ) -> Change {
    var change = Change()
    let differing = file.columns.indices.filter {
      !mine[file.columns[$0]].isSame(as: seed.values[$0])
    }
    change.add("edited", file.columns)
    switch onEdited(file.table) {
    // A plan only ever turns something off.
    case "preferSeed" where !shape.isPlanned, "overwriteRow" where !shape.isPlanned:
      for index in differing { change.columns[file.columns[index]] = seed.values[index] }
      settle(&change, mine, place, file)
    default: break
    }
    return change
  }

  private mutating func log(
    _ change: Change, _ seed: SeedRow, _ file: SeedFile, _ mine: [Cell]
  ) {
    let old = rowKey(seed.key, file.table)
    let isRekeyed = keys.changed.contains(old)
    let mine = keys.places[old].map { before(mine, $0) } ?? mine
    let was = keys.bases[old] ?? seed.was
    let others = Set(change.clashes.filter { $0.kind != "edited" }.flatMap(\.columns))
    for (kind, all) in change.clashes {
      // A column is in one conflict: what a parent forbids is not lost to the policy.
      let columns = kind == "edited" ? all.filter { !others.contains($0) } : all
      if columns.isEmpty { continue }
      let resolution =
        switch kind {
        case "parentTaken", "parentDeleted": "skipped"
        case "edited" where columns.contains { change.columns[$0] != nil }: "tookSeed"
        default: change.columns.isEmpty && !isRekeyed ? "keptUser" : "merged"
        }
      let policy: String? =
        switch kind {
        case "edited", "referenced": onEdited(file.table)
        case "uniqueTaken": onTaken(file.table)
        default: nil
        }
      let places = columns.compactMap { file.columns.firstIndex(of: $0) }
      let names = shape.tables[file.table].columns
      // Where the row keeps its key as well, that is a part of what the two disagree on.
      let hasKey = kind == "edited" && keys.keeping.contains(old)
      let aside = keys.asideValues
      let (oldKey, newKey) =
        hasKey
        ? (keyColumns(seed.key, file.table), keyColumns(seed.newKey ?? [], file.table))
        : ([:], [:])
      let object = { (key: [String: Cell], value: (Int) -> Cell) in
        Dictionary(
          uniqueKeysWithValues: places.map {
            let value = value($0)
            return (names[file.columns[$0]].name, aside[value] ?? value)
          }
        ).merging(key) { $1 }
      }
      clashes.append(
        clash(
          kind, file.table, seed.key, policy: policy, resolution,
          base: file.isBaseless ? nil : shown(object(oldKey) { was[$0] }, isBase: true),
          mine: object(oldKey) { mine[file.columns[$0]] },
          seed: shown(object(newKey) { seed.values[$0] })))
    }
  }

  // MARK: what the log holds

  func columns(_ file: SeedFile, _ values: [Cell], isBase: Bool = false) -> [String: Cell] {
    let names = shape.tables[file.table].columns
    return shown(
      Dictionary(uniqueKeysWithValues: zip(file.columns, values).map { (names[$0].name, $1) }),
      isBase: isBase)
  }

  func clash(
    _ kind: String, _ table: Int, _ key: [Cell], policy: String?, _ resolution: String,
    base: [String: Cell]?, mine: [String: Cell]?, seed: [String: Cell]?
  ) -> Clash {
    let shape = shape.tables[table]
    let names = Dictionary(
      uniqueKeysWithValues: zip(shape.key, key).map { (shape.columns[$0].name, $1) })
    return Clash(
      table: shape.name, key: shown(names), kind: kind, policy: policy, resolution: resolution,
      base: base, mine: mine, seed: seed)
  }
}

extension [Cell] {
  func merging(_ columns: [Int: Cell]) -> [Cell] {
    var row = self
    for (column, value) in columns { row[column] = value }
    return row
  }
}
