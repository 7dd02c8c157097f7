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

  /// A row keeps its key if what follows it cannot. What waits for the key of such a row is no
  /// reason of its own, but in a ring each waits.
  mutating func keepWhatCannotBeFollowed() -> Bool {
    let slots = slots()
    let all = leadersOfTaken(slots) + leadersOfParted(slots)
    let blamed = Set(all.map(\.decision))
    let reasons = all.filter { !waits(for: blamed, $0.decision) }
    for leader in reasons.isEmpty ? all : reasons {
      demote(leader.decision, [leader.column], "referenced")
    }
    return !all.isEmpty
  }

  private func waits(for others: Set<Int>, _ index: Int) -> Bool {
    let key = shape.tables[decisions[index].table].key
    guard decisions[index].kind == .update, let place = decisions[index].place else { return false }
    let new = self[place].merging(decisions[index].changes)
    return others.contains { other in
      guard other != index, decisions[other].kind == .update,
        decisions[other].table == decisions[index].table, let taken = decisions[other].place
      else { return false }
      return shape.tables[taken.table].folded(key, of: self[taken])
        == shape.tables[taken.table].folded(key, of: new)
    }
  }

  /// What follows a row would get a key or a UNIQUE value that another has.
  private func leadersOfTaken(_ slots: [[Slot]]) -> [Slot.Leader] {
    var leaders: [Slot.Leader] = []
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
            leaders.append(leader)
          }
        }
      }
    }
    return leaders
  }

  /// What follows a row would not refer to the same rows as before, by all of its references.
  private func leadersOfParted(_ slots: [[Slot]]) -> [Slot.Leader] {
    var parting: [Slot.Leader] = []
    for (table, rows) in slots.enumerated() {
      for slot in rows where !slot.follows.isEmpty {
        guard let next = slot.next, let before = written(slot, table) else { continue }
        for key in shape.tables[table].foreignKeys {
          let followed = key.columns.filter { slot.follows[$0] != nil && next[$0] != before[$0] }
          let leaders = followed.compactMap { slot.follows[$0] }
          // What a row with a new key of its own refers to by that, its release says.
          let isOwn = slot.decision.map { own in
            !Set(key.columns).isDisjoint(with: decisions[own].file.keyChanges)
              && decisions[own].goes
              && leaders.contains { decisions[$0.decision].table == table }
          }
          if followed.isEmpty || isOwn == true || key.columns.contains(where: { before[$0].isNull })
          {
            continue
          }
          let parent = slots[key.parent].first { parent in
            parent.now.map { shape.refers(before, key, to: $0) } ?? false
          }
          if let new = parent?.next, shape.refers(next, key, to: new) { continue }
          // A column that changes alike in both parts nothing.
          let parted = zip(key.columns, key.parentColumns).filter { column, target in
            guard let new = parent?.next else { return true }
            let own = shape.tables[key.parent].folded([target], as: [next[column]])
            return own != shape.tables[key.parent].folded([target], as: [new[target]])
          }
          let others = parted.compactMap { _, target in
            parent.flatMap { parent -> Slot.Leader? in
              guard let now = parent.now, let new = parent.next, now[target] != new[target]
              else { return nil }
              return leader(parent, target)
            }
          }
          let own = parted.filter { followed.contains($0.0) }.compactMap { slot.follows[$0.0] }
          parting += (own + others).filter { decisions[$0.decision].goes }
        }
      }
    }
    return parting
  }

  /// The row before keys change. Values that others refer to are written as keys are.
  private func written(_ slot: Slot, _ table: Int) -> [Cell]? {
    guard let now = slot.now else { return nil }
    let referred = shape.references(to: table).flatMap(\.key.parentColumns)
    let keys = Set(shape.tables[table].key + referred)
    let changes = slot.decision.map { decisions[$0].changes } ?? [:]
    return now.merging(changes.filter { !keys.contains($0.key) })
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
