/// What refers to a row that goes, or that gets other values.
extension Merge {
  /// A row to retire stays if one refers to it that stays.
  mutating func keepReferred() -> Bool {
    let slots = slots()
    var isChanged = false
    for place in shape.places(slots) {
      let slot = slots[place.table][place.index]
      guard slot.next == nil, let now = slot.now, let index = slot.decision,
        isReferred(now, place.table, slots)
      else { continue }
      decisions[index].fate = "referenced"
      isChanged = true
    }
    return isChanged
  }

  /// So does one that was to go with another.
  mutating func keepDisposable() -> Bool {
    let slots = slots()
    let held = shape.places(slots).filter { place in
      let slot = slots[place.table][place.index]
      guard slot.next == nil, slot.decision == nil, let now = slot.now else { return false }
      return isReferred(now, place.table, slots)
    }
    kept.formUnion(held)
    return !held.isEmpty
  }

  /// A value does not become NULL while a row refers to it that stays; and a user's row does not
  /// take the seed's values if others would lose what they refer to.
  mutating func keepReferredValues() -> Bool {
    let slots = slots()
    var isChanged = false
    for place in shape.places(slots) {
      let slot = slots[place.table][place.index]
      guard let index = slot.decision, let now = slot.now, let next = slot.next else { continue }
      for (child, key) in shape.references(to: place.table) {
        let columns = key.parentColumns.filter { decisions[index].changes[$0] != nil }
        let isEmptied = decisions[index].kind == .update && columns.contains { next[$0].isNull }
        let isReplaced = decisions[index].kind == .replace && !columns.isEmpty
        guard isEmptied || isReplaced,
          slots[child].contains(where: { keepsReference($0, key, to: now) })
        else { continue }
        demote(index, columns, "referenced")
        isChanged = true
        break
      }
    }
    return isChanged
  }

  /// If what follows a row would get a key or a UNIQUE value that another has, the row keeps its
  /// own.
  mutating func keepWhatCannotFollow() -> Bool {
    let slots = slots()
    var isChanged = false
    for (table, target) in shape.tables.enumerated() {
      for set in [Unique(columns: target.key)] + target.uniques {
        let all = Dictionary(
          grouping: slots[table].filter { $0.next != nil },
          by: { target.values(set, of: $0.next ?? []) })
        for (values, rivals) in all where rivals.count > 1 && !values.contains(.null) {
          for slot in rivals {
            guard let leader = set.all.lazy.compactMap({ slot.follows[$0] }).first,
              decisions[leader.decision].goes
            else { continue }
            demote(leader.decision, [leader.column], "referenced")
            isChanged = true
          }
        }
      }
    }
    return isChanged
  }

  /// What is as the release ships it is the seed's, and follows no user's row.
  mutating func keepUsersInPlace() -> Bool {
    let slots = slots()
    var isChanged = false
    for slot in slots.joined() {
      guard let index = slot.decision, decisions[index].fate == "same" else { continue }
      for leader in slot.follows.values where decisions[leader.decision].movesUser {
        decisions[leader.decision].fate = "keyTaken"
        isChanged = true
      }
    }
    return isChanged
  }

  /// What follows another row to its new key does not refer to the row that had that key.
  private func isReferred(_ row: [Cell], _ table: Int, _ slots: [[Slot]]) -> Bool {
    shape.references(to: table).contains { child, key in
      slots[child].contains { slot in
        let comes = slot.now == nil || pointsElsewhere(slot, key)
        return comes ? refers(slot, key, to: row) : keepsReference(slot, key, to: row)
      }
    }
  }

  /// The row stays, and the release does not point it elsewhere.
  private func keepsReference(_ slot: Slot, _ key: ForeignKey, to row: [Cell]) -> Bool {
    guard let now = slot.now, slot.next != nil, !pointsElsewhere(slot, key) else { return false }
    return shape.refers(now, key, to: row)
  }

  private func refers(_ slot: Slot, _ key: ForeignKey, to row: [Cell]) -> Bool {
    slot.next.map { shape.refers($0, key, to: row) } ?? false
  }
}
