/// What became of keys in a run.
struct ModelKeys {
  /// Where the rows of update and delete files are, by the keys that they had.
  var places: [RowKey: Place] = [:]
  /// The rows as they were, and the old values of the release as it has them.
  var before: [[[Cell]?]] = []
  var bases: [RowKey: [Cell]] = [:]
  /// What was left to the user before the release.
  var left: Set<RowKey> = []
  /// By their old keys: rows that have a new key, and those that could not get it.
  var changed: Set<RowKey> = []
  var refused: Set<RowKey> = []
  /// Edited rows that keep their key under `keepRow`, as earlier runs found out, and this one.
  var keeping: Set<RowKey> = []
  var keepingNow: Set<RowKey> = []
  /// Rows that stand under other keys than at first, whether a file or a parent gave them those.
  var moved: Set<Place> = []
  /// Rows to retire that made way, and what they had instead of a key of nobody's.
  var aside: Set<Place> = []
  var asideValues: [Cell: Cell] = [:]
}

/// Keys that change: before anything else of the release is written, all those of a file at once.
extension Model {
  struct Move {
    var place: Place
    var seed: SeedRow
    var new: [Cell]
  }

  mutating func findRows(_ release: Release) {
    keys.left = left
    keys.before = tables
    for file in release.files where file.kind != .insert {
      for seed in file.rows {
        let key = rowKey(seed.key, file.table)
        keys.places[key] = place(of: seed.key, in: file.table)
        keys.bases[key] = seed.was
      }
    }
  }

  /// Returns the release with new keys where its old values have old ones.
  mutating func changeKeys(_ release: Release) -> Release {
    guard release.files.contains(where: { !$0.keyChanges.isEmpty }) else { return release }
    let before = self
    for table in shape.tables.indices {
      for file in release.files where file.table == table && !file.keyChanges.isEmpty {
        // A parent may be the user's row where one of the seed's was to be.
        clashing = clashing(release)
        changeKeys(of: file)
      }
    }
    return translated(release, before)
  }

  private mutating func changeKeys(of file: SeedFile) {
    var moves: [Move] = []
    for seed in file.rows {
      let old = rowKey(seed.key, file.table)
      guard let new = seed.newKey, new != seed.key, !keys.left.contains(old),
        !keys.keeping.contains(old), let place = keys.places[old],
        // A parent may have taken the row along.
        shape.tables[file.table].key.map({ self[place]?[$0] }) != new
      else { continue }
      moves.append(Move(place: place, seed: seed, new: new))
    }
    refuse(&moves, file)
    if writeKeys(moves, file) { return }
    // Where rows cannot follow, each is tried for itself, and none makes way.
    refuse(&moves, file, makesWay: false)
    if writeKeys(moves, file) { return }
    var isProgress = true
    while isProgress {
      isProgress = false
      for move in moves.filter({ place(of: $0.new, in: file.table) == nil })
      where writeKeys([move], file) {
        moves.removeAll { $0.place == move.place }
        isProgress = true
      }
    }
    for move in moves {
      refuse(move, file, "referenced", policy: onEdited(file.table), mine: nil)
    }
  }

  /// Takes out what cannot have its new key; what it holds on to may be another's new key.
  private mutating func refuse(_ moves: inout [Move], _ file: SeedFile, makesWay: Bool = true) {
    while true {
      let index = moves.indices.first { index in
        obstacle(to: moves[index], among: moves, file, makesWay) != nil
      }
      guard let index else { return }
      let move = moves.remove(at: index)
      guard let kind = obstacle(to: move, among: moves + [move], file, makesWay) else { return }
      if kind == "keyTaken" {
        let holder = find(shape.tables[file.table].key, move.new, in: file.table)
        refuse(
          move, file, kind, policy: onTaken(file.table),
          mine: holder.flatMap { self[$0] }.map { whole($0, file.table) })
        left.insert(rowKey(move.new, file.table))
      } else {
        let own = keyColumns(move.seed.key, file.table)
        refuse(move, file, kind, policy: nil, mine: own)
      }
    }
  }

  private func obstacle(
    to move: Move, among moves: [Move], _ file: SeedFile, _ makesWay: Bool
  ) -> String? {
    if left.contains(rowKey(move.new, file.table)) { return "keyTaken" }
    if let holder = place(of: move.new, in: file.table) {
      let isMoving = moves.contains { $0.place == holder }
      if !isMoving, !(makesWay && going.contains(holder)) { return "keyTaken" }
    }
    guard let mine = self[move.place] else { return nil }
    let table = shape.tables[file.table]
    let row = mine.merging(Dictionary(uniqueKeysWithValues: zip(table.key, move.new)))
    for key in table.foreignKeys where !Set(key.columns).isDisjoint(with: file.keyChanges) {
      switch parent(key, of: row, in: file) {
      case .there: break
      case .taken: return "parentTaken"
      case .missing: return "parentDeleted"
      }
    }
    return nil
  }

  private mutating func refuse(
    _ move: Move, _ file: SeedFile, _ kind: String, policy: String?, mine: [String: Cell]?
  ) {
    let (table, old) = (file.table, move.seed.key)
    keys.refused.insert(rowKey(old, table))
    clashes.append(
      clash(
        kind, table, old, policy: policy, kind.hasPrefix("parent") ? "skipped" : "keptUser",
        base: keyColumns(old, table),
        mine: kind == "referenced" ? keyColumns(old, table) : mine,
        seed: keyColumns(move.new, table)))
  }

  func keyColumns(_ key: [Cell], _ table: Int) -> [String: Cell] {
    let shape = shape.tables[table]
    return Dictionary(
      uniqueKeysWithValues: zip(shape.key, key).map { (shape.columns[$0].name, $1) })
  }

  // MARK: keys are written

  /// False where two rows would have the same key; nothing of it holds then.
  private mutating func writeKeys(_ moves: [Move], _ file: SeedFile) -> Bool {
    let before = self
    let table = shape.tables[file.table]
    var changes: [Place: [Int: Cell]] = [:]
    for move in moves {
      changes[move.place] = Dictionary(
        uniqueKeysWithValues: zip(table.key, move.new).filter { file.keyChanges.contains($0.0) })
      keys.changed.insert(rowKey(move.seed.key, file.table))
      guard let holder = place(of: move.new, in: file.table), going.contains(holder),
        let row = self[holder]
      else { continue }
      var aside: [Int: Cell] = [:]
      for column in file.keyChanges {
        let value = asideValue(table.columns[column])
        keys.asideValues[value] = row[column]
        aside[column] = value
      }
      keys.aside.insert(holder)
      changes[holder] = aside
    }
    let all = shape.following(changes) {
      self[$0]
    } rows: {
      Array(tables[$0].indices)
    }
    var followed: [(old: RowKey, new: RowKey)] = []
    for (place, columns) in all {
      let old = rowKey(of: place)
      self[place] = self[place]?.merging(columns)
      if columns.keys.contains(where: shape.tables[place.table].key.contains) {
        keys.moved.insert(place)
        followed.append((old, rowKey(of: place)))
      }
    }
    for table in Set(all.keys.map(\.table)) where hasTwins(table) {
      self = before
      return false
    }
    // What is left to the user is so under its new key.
    let kept = followed.filter { left.contains($0.old) }
    left.subtract(kept.map(\.old))
    left.formUnion(kept.map(\.new))
    return true
  }

  private func asideValue(_ column: ColumnShape) -> Cell {
    let number = keys.asideValues.count
    return column.kind == .integer
      ? .integer(-1_000_000 - Int64(number)) : .text("aside \(number)")
  }

  private func hasTwins(_ table: Int) -> Bool {
    let shape = shape.tables[table]
    let keys = tables[table].compactMap { $0.map { shape.folded(shape.key, of: $0) } }
      .filter { !$0.contains(.null) }
    return Set(keys).count < keys.count
  }

  /// A row with what it referred to before keys changed: that is what the log says.
  func before(_ row: [Cell], _ place: Place) -> [Cell] {
    guard !keys.before.isEmpty, let old = keys.before[place.table][place.index] else { return row }
    let table = shape.tables[place.table]
    let columns = Set(table.foreignKeys.flatMap(\.columns)).subtracting(table.key)
    return row.merging(Dictionary(uniqueKeysWithValues: columns.map { ($0, old[$0]) }))
  }

  // MARK: what the release says of old keys

  /// What stands after `was:` are old keys.
  private func translated(_ release: Release, _ before: Model) -> Release {
    var release = release
    for index in release.files.indices where release.files[index].kind == .update {
      let file = release.files[index]
      if file.isBaseless { continue }
      for key in shape.tables[file.table].foreignKeys {
        let columns = key.columns.compactMap { file.columns.firstIndex(of: $0) }
        guard columns.count == key.columns.count else { continue }
        for number in file.rows.indices {
          let was = columns.map { file.rows[number].was[$0] }
          guard let place = before.find(key.parentColumns, was, in: key.parent),
            let old = before[place], let new = self[place]
          else { continue }
          for (column, target) in zip(columns, key.parentColumns) where old[target] != new[target] {
            release.files[index].rows[number].was[column] = new[target]
          }
        }
      }
    }
    return release
  }

  /// The row stands under its new key already, with all that the file wants.
  func isThereAlready(_ seed: SeedRow, _ file: SeedFile) -> Bool {
    guard let new = seed.newKey, new != seed.key,
      let place = place(of: new, in: file.table), let mine = self[place]
    else { return false }
    return !keys.places.values.contains(place) && differing(mine, seed, file).isEmpty
  }
}
