extension Model {
  struct Retired {
    var place: Place
    var seed: SeedRow
    var file: SeedFile
    /// The user changed it, and the policy lets it go all the same.
    var isEdited: Bool
  }

  /// Judged against the data as up.sql left it: what may go, and what stays as the user has it.
  mutating func retired(_ release: Release) -> [Retired] {
    var retired: [Retired] = []
    for file in release.files where file.kind == .delete {
      for seed in file.rows {
        guard !left.contains(rowKey(seed.key, file.table)) else {
          count(file.table, \.kept)
          continue
        }
        guard let place = place(of: seed.key, in: file.table), let mine = self[place] else {
          count(file.table, \.unchanged)
          continue
        }
        let isEdited = isEdited(mine, seed, file)
        switch isEdited ? onEdited(file.table) : "" {
        case "keepEdits", "keepRow", "fail":
          count(file.table, \.kept)
          keep(seed, file, "editedRetired", place)
        default: retired.append(Retired(place: place, seed: seed, file: file, isEdited: isEdited))
        }
      }
    }
    return retired
  }

  private func isEdited(_ mine: [Cell], _ seed: SeedRow, _ file: SeedFile) -> Bool {
    let shape = shape.tables[file.table]
    return shape.columns.indices.contains { column in
      let role = shape.columns[column].role
      // A key that differs in case only is the same key.
      if role == .ignored || role == .assigned || shape.key.contains(column) { return false }
      // What the file does not hold is as good as the user's: its values go into the log.
      let base = file.value(of: column, in: seed) ?? shape.columns[column].standard
      return !mine[column].isSame(as: base)
    }
  }

  private mutating func keep(
    _ seed: SeedRow, _ file: SeedFile, _ kind: String, _ place: Place, isKept: Bool = true,
    isPolicys: Bool = true
  ) {
    if isKept { left.insert(rowKey(of: place)) }
    var mine = before(self[place] ?? [], place)
    if keys.moved.contains(place) {
      // The log knows a row by the key that the file has for it.
      mine = mine.merging(
        Dictionary(uniqueKeysWithValues: zip(shape.tables[file.table].key, seed.key)))
    }
    clashes.append(
      clash(
        kind, file.table, seed.key, policy: isPolicys ? onEdited(file.table) : nil,
        isKept ? "keptUser" : "tookSeed",
        base: columns(file, seed.values), mine: whole(mine, file.table), seed: nil))
  }

  func whole(_ row: [Cell], _ table: Int) -> [String: Cell] {
    Dictionary(
      uniqueKeysWithValues: zip(
        shape.tables[table].columns.map(\.name), row.map { keys.asideValues[$0] ?? $0 }))
  }

  /// Retires what nothing refers to that stays; what is left of it waits for the inserts, since a
  /// user's row that takes the seed's values may have been what referred to it.
  mutating func runDeletes(_ retired: [Retired], isLast: Bool) -> Set<Place> {
    let (gone, disposed) = leaving(Set(retired.map(\.place).filter { self[$0] != nil }))
    for row in retired {
      let table = row.place.table
      if self[row.place] == nil { continue }
      if gone.contains(row.place) {
        count(table, \.deleted)
        // Nobody can tell whether the user set the clock's column.
        if row.isEdited || shape.tables[table].hasStamp {
          keep(
            row.seed, row.file, "editedRetired", row.place, isKept: false,
            isPolicys: row.isEdited)
        }
      } else if isLast {
        count(table, \.kept)
        keep(row.seed, row.file, "referenced", row.place)
      }
    }
    for place in gone.union(disposed) { self[place] = nil }
    self.disposed.formUnion(disposed)
    return gone
  }

  func isReferred(to place: Place, besides gone: Set<Place>) -> Bool {
    guard let row = self[place] else { return false }
    let parent = shape.tables[place.table]
    return shape.tables.indices.contains { child in
      shape.tables[child].foreignKeys.contains { key in
        guard key.parent == place.table else { return false }
        let wanted = parent.folded(key.parentColumns, of: row)
        guard !wanted.contains(.null) else { return false }
        return tables[child].indices.contains { index in
          let own = Place(table: child, index: index)
          guard !gone.contains(own), own != place, let other = tables[child][index],
            !awaiting.contains(UniqueValue(place: own, set: key.columns)),
            !passedOn.contains(UniqueValue(place: own, set: key.columns))
          else { return false }
          let found = zip(key.columns, key.parentColumns).map {
            other[$0].folded(ignoringCase: parent.columns[$1].ignoresCase)
          }
          return found == wanted
        }
      }
    }
  }
}
