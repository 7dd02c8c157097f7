/// Rules that only ever turn something off, until nothing changes.
extension Merge {
  mutating func demote() {
    // What goes with a retired row is known first: else one that stays may seem to be no parent.
    while keepDisposable() {}
    repeat {
      while forbid() || keepDisposable() {}
    } while breakTies()
  }

  /// Each rule once; returns whether any changed a thing.
  private mutating func forbid() -> Bool {
    var isChanged = false
    for table in shape.tables.indices {
      // Of two reasons at once, a parent's is named.
      for key in shape.tables[table].foreignKeys where demoteOrphans(key, table) {
        isChanged = true
      }
      for set in sets(table) where demoteTaken(set, table) { isChanged = true }
    }
    if keepReferred() { isChanged = true }
    if keepReferredValues() { isChanged = true }
    if keepUsersInPlace() { isChanged = true }
    return isChanged
  }

  // MARK: what a demotion is

  /// A row to change keeps what it has in these columns, a key only as a whole; others do not
  /// come, and a user's row that is under their key keeps it.
  mutating func demote(_ index: Int, _ set: [Int], _ reason: String) {
    guard decisions[index].kind == .update else {
      decisions[index].fate = decisions[index].place == nil ? reason : "keyTaken"
      return
    }
    let keys = decisions[index].file.keyChanges
    // A reference of several columns is one value. The owner, who never changes, ties none to
    // another.
    let target = shape.tables[decisions[index].table]
    var set = set.filter { $0 != target.owner }
    var open = target.foreignKeys.map { $0.columns.filter { $0 != target.owner } }
    while let next = open.firstIndex(where: { $0.count > 1 && !Set($0).isDisjoint(with: set) }) {
      set += open.remove(at: next)
    }
    let all = Set(set).isDisjoint(with: keys) ? set : set + keys
    for column in all where decisions[index].takes(column) { decisions[index].why[column] = reason }
  }

  // MARK: UNIQUE

  /// The UNIQUE sets in which rows may come to other values.
  private func sets(_ table: Int) -> [Unique] {
    let target = shape.tables[table]
    let hasKeys = decisions.contains { $0.table == table && !$0.file.keyChanges.isEmpty }
    return (hasKeys ? [Unique(columns: target.key)] : []) + target.uniques
  }

  /// No value that a row has which keeps it, and no key that was left to the user.
  private mutating func demoteTaken(_ set: Unique, _ table: Int) -> Bool {
    let (target, slots) = (shape.tables[table], slots()[table])
    let isKey = set.columns == target.key
    var held = Set(slots.compactMap { $0.stays(set, target) })
    if isKey {
      let renamed = Set(decisions.map(\.key))
      held.formUnion(left.keys.filter { $0.table == table && !renamed.contains($0) }.map(\.key))
    }
    // What goes with a retired row goes after others changed.
    let gone = slots.filter { $0.next == nil && $0.decision == nil }
    let heldYet = Set(gone.compactMap { $0.now.map { target.values(set, of: $0) } })
    let taken = slots.filter { slot in
      guard let index = slot.decision, !isKey || decisions[index].kind == .update,
        slot.follows.keys.allSatisfy({ !set.all.contains($0) }),
        let values = slot.comes(set, target)
      else { return false }
      let isHeld = held.contains(values) || slot.now != nil && heldYet.contains(values)
      return !values.contains(.null) && isHeld
    }
    for slot in taken {
      if let index = slot.decision { demote(index, set.all, isKey ? "keyTaken" : "uniqueTaken") }
    }
    return !taken.isEmpty
  }

  /// Of two rows that come to one value, one that is there has it before a new one, and the one
  /// with the lower key before the other.
  private mutating func breakTies() -> Bool {
    var isBroken = false
    for (table, target) in shape.tables.enumerated() {
      for set in sets(table) {
        let isKey = set.columns == target.key
        let coming = slots()[table].filter { slot in
          guard slot.decision != nil, let values = slot.comes(set, target) else { return false }
          return !values.contains(.null)
        }
        for rivals in Dictionary(grouping: coming, by: { $0.comes(set, target) }).values {
          let inOrder = rivals.sorted { isFirst($0, $1) }
          for loser in inOrder.dropFirst() {
            guard let index = loser.decision else { continue }
            demote(index, set.all, isKey ? "keyTaken" : "uniqueTaken")
            isBroken = true
          }
        }
      }
    }
    return isBroken
  }

  private func isFirst(_ one: Slot, _ other: Slot) -> Bool {
    if (one.now == nil) != (other.now == nil) { return one.now != nil }
    guard let one = one.decision, let other = other.decision else { return false }
    return decisions[one].key.key.isBefore(decisions[other].key.key)
  }

  // MARK: parents

  enum Parent { case there, taken, missing }

  /// What these values would refer to. A row to retire stays if one comes to refer to it. SQLite
  /// refuses a row that comes to refer to itself in another case.
  func parent(
    _ key: ForeignKey, _ values: [Cell], _ slots: [[Slot]], of child: Slot? = nil
  ) -> Parent {
    if values.contains(where: Self.isUnresolved) { return .missing }
    if values.contains(.null) { return .there }
    let target = shape.tables[key.parent]
    let wanted = target.folded(key.parentColumns, as: values)
    let isThere = slots[key.parent].contains { slot in
      let row = slot.next ?? (slot.decision == nil ? nil : slot.now)
      guard let row, !slot.isUsers else { return false }
      let isItself = slot.decision == child?.decision && slot.now == child?.now
      if isItself, slot.stays(Unique(columns: key.parentColumns), target) == wanted {
        return key.parentColumns.map { slot.now?[$0] } == values
      }
      return target.folded(key.parentColumns, of: row) == wanted
    }
    if isThere { return .there }
    return find(key.parentColumns, values, in: key.parent) == nil ? .missing : .taken
  }

  /// No reference to a row that is not there, or the user's.
  private mutating func demoteOrphans(_ key: ForeignKey, _ table: Int) -> Bool {
    let slots = slots()
    var isChanged = false
    for slot in slots[table] {
      guard let index = slot.decision, decisions[index].goes, let next = slot.next else { continue }
      let decision = decisions[index]
      guard decision.kind != .update || key.columns.contains(where: decision.takes) else {
        continue
      }
      let own = key.parent == table ? slot : nil
      switch parent(key, key.columns.map { next[$0] }, slots, of: own) {
      case .there: continue
      case .taken: demote(index, key.columns, "parentTaken")
      case .missing:
        if decision.kind == .insert, !decision.movesUser,
          key.columns.contains(where: { decision.emptied[$0] == nil }),
          isNowhere(key, key.columns.map { next[$0] }),
          let emptied = withoutParent(key, table)
        {
          decisions[index].emptied.merge(emptied) { $1 }
        } else {
          demote(index, key.columns, "parentDeleted")
        }
      }
      isChanged = true
    }
    return isChanged
  }

  /// Whether neither the data nor the release has a row with these values.
  private func isNowhere(_ key: ForeignKey, _ values: [Cell]) -> Bool {
    let target = shape.tables[key.parent]
    let wanted = target.folded(key.parentColumns, as: values)
    let comes = decisions.contains { other in
      other.table == key.parent && other.kind == .insert && other.fate != "left"
        && target.folded(key.parentColumns, of: new(other.seed, other.file)) == wanted
    }
    return !comes && find(key.parentColumns, values, in: key.parent) == nil
  }

  /// What ON DELETE makes of a reference; nil if a row cannot outlive its parent, or if it is
  /// another reference, too.
  private func withoutParent(_ key: ForeignKey, _ table: Int) -> [Int: Cell]? {
    let target = shape.tables[table]
    let isDefault = key.action.contains("ON DELETE SET DEFAULT")
    let others = target.foreignKeys.filter { $0.columns != key.columns }.flatMap(\.columns)
    guard key.isDeclared, isDefault || key.action.contains("ON DELETE SET NULL"),
      Set(key.columns).isDisjoint(with: target.key + others)
    else { return nil }
    let values = key.columns.map { isDefault ? target.columns[$0].standard : .null }
    let isRefused = zip(key.columns, values).contains { target.columns[$0].isNotNull && $1.isNull }
    return isRefused ? nil : Dictionary(uniqueKeysWithValues: zip(key.columns, values))
  }

  // MARK: explain

  /// Of several reasons why a row does not come, a parent's is named.
  mutating func explain() {
    let slots = slots()
    for (index, decision) in decisions.enumerated() where decision.fate == "uniqueTaken" {
      if let reason = missingParents(decision, slots).first { decisions[index].fate = reason }
    }
  }

  /// Why a new row cannot have its parents, one reason for each; that it refers to itself is none.
  /// What ON DELETE makes of a reference may be the user's, which is another.
  func missingParents(_ decision: Decision, _ slots: [[Slot]]) -> [String] {
    // A row to change, as it would be with the values that it did not take for a parent's sake.
    let refused = decision.why.filter { $0.value.hasPrefix("parent") }.keys
    var row = new(decision)
    if decision.kind == .update, let place = decision.place {
      row = self[place].merging(decision.changes).merging(
        Dictionary(uniqueKeysWithValues: refused.map { ($0, decision.value(of: $0)) }))
    }
    return shape.tables[decision.table].foreignKeys.flatMap { key -> [String] in
      if key.parent == decision.table, shape.refers(row, key, to: row) { return [] }
      switch parent(key, key.columns.map { row[$0] }, slots) {
      case .there: return []
      case .taken: return ["parentTaken"]
      case .missing:
        let emptied = decision.kind == .insert ? withoutParent(key, decision.table) : nil
        let values = key.columns.compactMap { emptied?[$0] }
        let isTaken = emptied != nil && parent(key, values, slots) == .taken
        return ["parentDeleted"] + (isTaken ? ["parentTaken"] : [])
      }
    }
  }

  // MARK: rules that speak up only when a row is written

  /// A row that CHECK or NOT NULL refuses stays as it was. False if there is none.
  mutating func demoteRefused() -> Bool {
    var isChanged = false
    for slot in slots().joined() {
      guard let index = slot.decision, let next = slot.next, next != slot.now,
        breaksRules(next, decisions[index].table)
      else { continue }
      decisions[index].fate = decisions[index].kind == .update ? "edited" : "keyTaken"
      isChanged = true
    }
    return isChanged
  }

  private func breaksRules(_ row: [Cell], _ table: Int) -> Bool {
    let shape = shape.tables[table]
    if zip(shape.columns, row).contains(where: { $0.isNotNull && $1.isNull }) { return true }
    guard let ordered = shape.ordered, case .integer(let low) = row[ordered.low],
      case .integer(let high) = row[ordered.high]
    else { return false }
    return low > high
  }
}

extension [Cell] {
  /// In the order of keys.
  func isBefore(_ other: [Cell]) -> Bool {
    for (one, other) in zip(self, other) where one != other {
      switch (one, other) {
      case (.integer(let one), .integer(let other)): return one < other
      case (.text(let one), .text(let other)):
        return one.utf8.lexicographicallyPrecedes(other.utf8)
      default: continue
      }
    }
    return false
  }
}
