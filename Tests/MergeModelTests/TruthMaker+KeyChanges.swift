import TestSupport

/// Rows of the truth that get other keys.
struct KeyHistory {
  /// By table and new key: the row's key in the truth before.
  var oldKeys: [Int: [[Cell]: [Cell]]] = [:]
  /// By table, the old keys of rows that a file has to tell of; others only follow a parent.
  var told: [Int: Set<[Cell]>] = [:]
  /// By table, the keys that were given up.
  var freed: [Int: [[Cell]]] = [:]
}

extension TruthMaker {
  mutating func changeKeys(_ dice: inout Dice) {
    for _ in 0..<(1 + dice.below(2)) { changeKeys(of: dice.below(shape.tables.count), &dice) }
    for table in shape.tables.indices where dice.chance(40) {
      guard let key = keyHistory.freed[table]?.randomElement(using: &dice) else { continue }
      let before = truth
      var row = Self.row(of: table, in: shape, truth, &dice)
      for (column, value) in zip(shape.tables[table].key, key) { row[column] = value }
      truth[table].append(row)
      if !isSound { truth = before }
    }
  }

  /// An old row once it refers to keys that changed.
  func followed(_ row: [Cell], _ table: Int) -> [Cell] {
    var followed = row
    for key in shape.tables[table].foreignKeys {
      for (new, oldKey) in keyHistory.oldKeys[key.parent] ?? [:] {
        let parent = shape.tables[key.parent]
        guard key.parentColumns == parent.key,
          parent.folded(key: key.columns.map { row[$0] }) == parent.folded(key: oldKey),
          let now = truth[key.parent].first(where: { parent.folded(parent.key, of: $0) == new })
        else { continue }
        for (column, target) in zip(key.columns, key.parentColumns) {
          followed[column] = now[target]
        }
      }
    }
    return followed
  }

  /// Foreign keys to rows that have other keys now.
  func referencesThatFollow(_ table: Int) -> [[Int]] {
    shape.tables[table].foreignKeys.filter { keyHistory.oldKeys[$0.parent]?.isEmpty == false }
      .map(\.columns)
  }

  /// Gives a few rows of a table other keys, and has the truth follow.
  mutating func changeKeys(of table: Int, _ dice: inout Dice) {
    let shape = shape.tables[table]
    let known = keys(of: table, in: old)
    let rows = truth[table].indices.filter {
      known.contains(shape.folded(shape.key, of: truth[table][$0]))
        && keyHistory.oldKeys[table]?[shape.folded(shape.key, of: truth[table][$0])] == nil
    }.shuffled(using: &dice).prefix(1 + dice.below(4))
    if rows.isEmpty { return }
    var keys = rows.map { row in shape.key.map { truth[table][row][$0] } }
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
    if keys.joined().contains(.null) { return }
    let before = (truth, keyHistory)
    give(Dictionary(uniqueKeysWithValues: zip(rows, keys)), in: table)
    if !isSound { (truth, keyHistory) = before }
  }

  private func freshKey(_ table: Int, _ key: [Cell], _ dice: inout Dice) -> [Cell] {
    let shape = shape.tables[table]
    let here = keys(of: table, in: truth)
    let gone = old[table].filter { !here.contains(shape.folded(shape.key, of: $0)) }
    if let row = gone.randomElement(using: &dice), dice.chance(50) {
      return shape.key.map { row[$0] }
    }
    let other = Self.row(of: table, in: self.shape, truth, &dice)
    let all = shape.key.count == 1 || dice.chance(30)
    let place = dice.below(shape.key.count)
    return key.indices.map { all || $0 == place ? other[shape.key[$0]] : key[$0] }
  }

  /// Sets keys of rows, and what refers to them; all at once.
  private mutating func give(_ keys: [Int: [Cell]], in table: Int) {
    let before = truth
    var changes: [Place: [Int: Cell]] = [:]
    for (row, key) in keys {
      let pairs = zip(shape.tables[table].key, key).filter { before[table][row][$0.0] != $0.1 }
      if pairs.isEmpty { continue }
      changes[Place(table: table, index: row)] = Dictionary(uniqueKeysWithValues: pairs)
    }
    let first = changes
    changes = shape.following(changes) {
      before[$0.table][$0.index]
    } rows: {
      Array(before[$0].indices)
    }
    for (place, columns) in changes {
      truth[place.table][place.index] = truth[place.table][place.index].merging(columns)
    }
    note(changes, first, before)
  }

  private mutating func note(
    _ changes: [Place: [Int: Cell]], _ first: [Place: [Int: Cell]], _ before: [[[Cell]]]
  ) {
    let was = keyHistory
    for (place, columns) in changes
    where columns.keys.contains(where: shape.tables[place.table].key.contains) {
      let shape = shape.tables[place.table]
      keyHistory.oldKeys[place.table]?[
        shape.folded(shape.key, of: before[place.table][place.index])] = nil
    }
    let inOrder = changes.sorted {
      ($0.key.table, $0.key.index) < ($1.key.table, $1.key.index)
    }
    for (place, columns) in inOrder {
      let shape = shape.tables[place.table]
      guard columns.keys.contains(where: shape.key.contains) else { continue }
      let row = before[place.table][place.index]
      let folded = shape.folded(shape.key, of: row)
      let oldKey = was.oldKeys[place.table]?[folded]
      guard oldKey != nil || keys(of: place.table, in: old).contains(folded) else { continue }
      let key = oldKey ?? shape.key.map { row[$0] }
      let new = shape.folded(shape.key, of: truth[place.table][place.index])
      keyHistory.oldKeys[place.table, default: [:]][new] = key
      keyHistory.freed[place.table, default: []].append(key)
      guard first[place] != nil else { continue }
      keyHistory.told[place.table, default: []].insert(shape.folded(key: key))
    }
  }
}

extension Shape {
  /// What refers to rows that get other values follows, over any number of references.
  func following(
    _ changes: [Place: [Int: Cell]], row: (Place) -> [Cell]?, rows: (Int) -> [Int]
  ) -> [Place: [Int: Cell]] {
    var all = changes
    var open = Array(changes.keys)
    while let place = open.popLast() {
      guard let parent = row(place), let columns = all[place] else { continue }
      for child in tables.indices {
        for key in tables[child].foreignKeys where key.parent == place.table {
          let new = zip(key.columns, key.parentColumns).compactMap { column, target in
            columns[target].map { (column, $0) }
          }
          if new.isEmpty { continue }
          for index in rows(child) {
            let follower = Place(table: child, index: index)
            guard let other = row(follower), refers(other, key, to: parent) else { continue }
            let more = new.filter { all[follower]?[$0.0] == nil }
            if more.isEmpty { continue }
            all[follower, default: [:]].merge(more) { $1 }
            open.append(follower)
          }
        }
      }
    }
    return all
  }
}

extension TableShape {
  func folded(key: [Cell]) -> [Cell] {
    zip(self.key, key).map { $1.folded(ignoringCase: columns[$0].ignoresCase) }
  }
}

extension Cell {
  /// In the other case.
  var flipped: Cell {
    guard case .text(let text) = self else { return self }
    return .text(text == text.uppercased() ? text.lowercased() : text.uppercased())
  }
}
