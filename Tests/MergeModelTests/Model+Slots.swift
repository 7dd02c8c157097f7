/// A row as it is and as it will be.
struct Slot {
  /// nil if it is new.
  let now: [Cell]?
  /// nil if it goes.
  var next: [Cell]?
  /// The release's row, by its place among the decisions; nil for a user's row.
  let decision: Int?
  /// The seed's rows may not come to refer to it.
  var isUsers = false
  /// By column, whom it follows.
  var follows: [Int: Leader] = [:]

  /// A decision, a column that it gives another value, and the reference by which that is followed,
  /// by its place among the table's.
  struct Leader {
    var decision: Int
    var column: Int
    var key = -1
  }

  /// What it has and keeps in these columns.
  func stays(_ set: Unique, _ shape: TableShape) -> [Cell]? {
    guard let now, let next else { return nil }
    let values = shape.values(set, of: now)
    return values == shape.values(set, of: next) ? values : nil
  }

  /// What it comes to have in these columns.
  func comes(_ set: Unique, _ shape: TableShape) -> [Cell]? {
    guard let next else { return nil }
    let values = shape.values(set, of: next)
    return now.map { shape.values(set, of: $0) } == values ? nil : values
  }
}

extension Merge {
  /// All rows as they are and as they will be by what was decided so far: those that are there in
  /// the order of their places, then new ones.
  func slots() -> [[Slot]] {
    var slots = before.map { rows in rows.map { Slot(now: $0, next: $0, decision: nil) } }
    for (table, rows) in before.enumerated() {
      for (index, row) in rows.enumerated() {
        let reasons = left[shape.rowKey(of: row, table)]
        slots[table][index].isUsers = reasons?.has { !Self.mayBeReferredTo($0.kind) } == true
      }
    }
    for (number, decision) in decisions.enumerated() {
      let table = decision.table
      if let place = decision.place {
        let row = self[place]
        var slot = Slot(now: row, next: row, decision: number)
        slot.next = row.merging(decision.changes)
        if decision.kind == .delete, decision.goes { slot.next = nil }
        slot.isUsers = decision.fate != "same" && slots[table][place.index].isUsers
        if ["keyTaken", "uniqueTaken", "deletedByUser", "absent"].contains(decision.fate) {
          slot.isUsers = true
        }
        if decision.movesUser, decision.goes {
          slot = Slot(now: row, next: row, decision: nil)
          slot.next?[decision.keyColumns[0]] = freshId(number)
        }
        slots[table][place.index] = slot
      }
      let isNew = decision.place == nil || decision.movesUser
      if decision.kind == .insert, decision.goes, isNew {
        slots[table].append(Slot(now: nil, next: new(decision), decision: number))
      }
    }
    dispose(&slots)
    follow(&slots)
    return slots
  }

  /// Rows of disposable tables go with those that they refer to, unless a file names them.
  private func dispose(_ slots: inout [[Slot]]) {
    let staying = kept.union(decisions.compactMap(\.place))
    var isChanged = true
    while isChanged {
      isChanged = false
      for place in shape.places(slots) where !staying.contains(place) {
        let slot = slots[place.table][place.index]
        guard let now = slot.now, slot.next != nil else { continue }
        let goes = shape.tables[place.table].foreignKeys.contains { key in
          shape.tables[key.parent].disposable.contains(place.table)
            && slots[key.parent].contains { parent in
              guard parent.next == nil, let row = parent.now else { return false }
              return shape.refers(now, key, to: row)
            }
        }
        guard goes else { continue }
        slots[place.table][place.index].next = nil
        isChanged = true
      }
    }
  }

  /// What refers to a row that gets other values follows, over any number of references; but
  /// nothing follows to NULL, and not what the release points elsewhere.
  private func follow(_ slots: inout [[Slot]]) {
    var isChanged = true
    while isChanged {
      isChanged = false
      for place in shape.places(slots) {
        for (number, key) in shape.tables[place.table].foreignKeys.enumerated() {
          let slot = slots[place.table][place.index]
          guard let next = slot.next,
            let parent = slots[key.parent].first(where: { follows(slot, key, $0) }),
            let new = parent.next
          else { continue }
          let marked = stepsAside(parent, slots[key.parent], key.parent) ? marked(key.parent) : nil
          for (column, target) in zip(key.columns, key.parentColumns)
          // If two references share a column, the first one that moves it does.
          where new[target] != next[column] && (slot.follows[column]?.key ?? number) == number
            && (marked == target || new[target] != parent.now?[target])
          {
            slots[place.table][place.index].next?[column] = new[target]
            slots[place.table][place.index].follows[column] = leader(parent, target, by: number)
            isChanged = true
          }
        }
      }
    }
  }

  /// A row whose old key another one gets has a third key in between: what refers to it is written
  /// again, in the letters of the new key.
  private func stepsAside(_ parent: Slot, _ slots: [Slot], _ table: Int) -> Bool {
    let (target, set) = (shape.tables[table], Unique(columns: shape.tables[table].key))
    guard let now = parent.now, parent.comes(set, target) != nil else { return false }
    let old = target.values(set, of: now)
    return slots.contains { $0.comes(set, target) == old }
  }

  /// The one column of a key that has a mark in between: best one whose value no reference shares.
  private func marked(_ table: Int) -> Int? {
    let changed = decisions.first { $0.table == table && $0.goes && !$0.file.keyChanges.isEmpty }
    let columns = changed?.file.keyChanges ?? []
    let keys = shape.tables.map(\.foreignKeys)
    let alone = columns.first { column in
      if shape.tables[table].foreignKeys.contains(where: { $0.columns.contains(column) }) {
        return false
      }
      return shape.references(to: table).allSatisfy { child, key in
        guard let place = key.parentColumns.firstIndex(of: column) else { return true }
        return keys[child].filter { $0.columns.contains(key.columns[place]) }.count < 2
      }
    }
    return alone ?? columns.first
  }

  /// A row that comes to name another has what it receives in the letters of that one.
  private func follows(_ slot: Slot, _ key: ForeignKey, _ parent: Slot) -> Bool {
    guard let index = slot.decision, let next = slot.next, pointsElsewhere(slot, key) else {
      return slot.now.map { isParent(parent, key, of: $0) } ?? false
    }
    let isNamed = decisions[index].file.naturals.contains { natural in
      !natural.isBase && natural.columns == key.columns
    }
    return isNamed && slot.now != nil && isParent(parent, key, of: next)
      && parent.next.map { shape.refers(next, key, to: $0) } ?? false
  }

  /// A row with the user's values that is the seed's, or was.
  private static func mayBeReferredTo(_ kind: String) -> Bool {
    ["pinned", "editedRetired", "referenced"].contains(kind)
  }

  private func isParent(_ slot: Slot, _ key: ForeignKey, of row: [Cell]) -> Bool {
    guard let now = slot.now, let next = slot.next, shape.refers(row, key, to: now) else {
      return false
    }
    return !key.parentColumns.contains { next[$0].isNull }
  }

  func pointsElsewhere(_ slot: Slot, _ key: ForeignKey) -> Bool {
    guard let index = slot.decision, decisions[index].goes else { return false }
    return key.columns.contains(where: decisions[index].takes)
  }

  func leader(_ slot: Slot, _ column: Int, by key: Int = -1) -> Slot.Leader? {
    let move = decisions.firstIndex { $0.movesUser && $0.place.map { self[$0] } == slot.now }
    let own = (slot.decision ?? move).map { Slot.Leader(decision: $0, column: column) }
    var leader = slot.follows[column] ?? own
    leader?.key = key
    return leader
  }
}
