/// What the log, the counts and the data are once all is decided.
extension Merge {
  func applied(to model: Model) -> Model {
    var next = model.withoutReport()
    next.numbers = numbers
    next.refuses = decisions.contains { $0.fate == "edited" }
    let (slots, ids) = (slots(), newIds)
    renameLeft(in: &next)
    next.holders = holders.map { holder in
      Holder(table: holder.table, mine: moved(holder.mine, holder.table), seed: holder.seed)
    }
    for (index, decision) in decisions.enumerated() {
      count(decision, in: &next)
      leave(decision, in: &next)
      let holders = decision.fate == "uniqueTaken" ? holders(of: decision, slots) : []
      next.holders += holders.compactMap(\.self).map {
        Holder(table: decision.table, mine: $0, seed: new(decision))
      }
      next.clashes += clashes(decision, movedTo: ids[freshId(index)]).map { clash in
        var clash = named(clash, decision, slots)
        clash.mayShow = holders.map { row in row.map { whole($0, decision.table) } }
        let isOfParents =
          decision.fate.hasPrefix("parent")
          || decision.kind == .update && decision.why.values.contains { $0.hasPrefix("parent") }
        clash.hasBothReasons =
          isOfParents && Set(missingParents(decision, slots)).count > 1
        return clash
      }
    }
    next.tables = slots.map { slots in
      slots.compactMap { $0.next?.map { ids[$0] ?? $0 } }
    }
    // What was left stays so if its key follows another.
    for (table, slots) in slots.enumerated() {
      for slot in slots {
        guard let now = slot.now, let row = slot.next else { continue }
        let (old, new) = (shape.rowKey(of: now, table), shape.rowKey(of: row, table))
        guard old != new, let entry = left[old] else { continue }
        next.left[old] = nil
        next.left[new] = entry
      }
    }
    next.disposed = Set(
      shape.places(slots).filter { place in
        slots[place.table][place.index].next == nil
          && slots[place.table][place.index].decision == nil
      })
    for (table, last) in next.lastIds {
      for case .integer(let id) in next.tables[table].map({ $0[0] }) {
        next.lastIds[table] = max(next.lastIds[table] ?? last, id)
      }
    }
    return next
  }

  // MARK: counts

  private func count(_ decision: Decision, in next: inout Model) {
    let field: WritableKeyPath<ModelCounts, Int>
    switch (decision.kind, decision.fate) {
    case (.update, "go"):
      let agrees = decision.why.values.allSatisfy { $0 == "same" || $0 == "ours" }
      field = !decision.changes.isEmpty ? \.updated : agrees ? \.unchanged : \.kept
    case (.replace, "go"): field = \.updated
    case (.insert, "go"): field = \.inserted
    case (.delete, "go"): field = \.deleted
    case (_, "same"), (.delete, "absent"): field = \.unchanged
    default: field = \.kept
    }
    next.counts[decision.table, default: ModelCounts()][keyPath: field] += 1
  }

  // MARK: conflicts

  private func clashes(_ decision: Decision, movedTo id: Cell?) -> [Clash] {
    switch decision.kind {
    case .update: updateClashes(decision)
    case .delete: deleteClashes(decision)
    case .insert, .replace: insertClashes(decision, movedTo: id)
    }
  }

  private func updateClashes(_ decision: Decision) -> [Clash] {
    var columns = decision.file.columns
    if decision.fate == "deletedByUser" {
      return [clash(decision, "deletedByUser", "keptUser", columns: columns, hasMine: false)]
    }
    let policy = onEdited(decision.table)
    if decision.fate == "edited" {
      let changed = columns.filter { decision.why[$0] != "same" && decision.why[$0] != "ours" }
      let keys = decision.why.values.contains("keyTaken") ? [keyTaken(decision, "keptUser")] : []
      return keys + [clash(decision, "edited", "keptUser", policy: policy, columns: changed)]
    }
    if !decision.goes { return [] }
    columns = decision.file.keyChanges.filter { decision.why[$0] != "kept" } + columns
    let with = { (reasons: [String]) in
      columns.filter { column in reasons.contains { decision.why[column] == $0 } }
    }
    let kept = decision.changes.isEmpty ? "keptUser" : "merged"
    let own = [(["overruled"], "tookSeed"), (["edited", "kept"], kept)].flatMap { why, outcome in
      let edited = with(why)
      return Set(edited.map { onEdited(decision.table, $0) }).map { policy in
        let columns = edited.filter { onEdited(decision.table, $0) == policy }
        return clash(decision, "edited", outcome, policy: policy, columns: columns)
      }
    }
    let reasons = [
      (["parentDeleted"], "skipped", nil), (["parentTaken"], "skipped", nil),
      (["uniqueTaken"], kept, onTaken(decision.table)), (["referenced"], kept, policy),
    ]
    let keys = with(["keyTaken"]).isEmpty ? [] : [keyTaken(decision, kept)]
    return keys + own
      + reasons.compactMap { reasons, resolution, policy in
        let columns = with(reasons)
        return columns.isEmpty
          ? nil : clash(decision, reasons[0], resolution, policy: policy, columns: columns)
      }
  }

  /// A row keeps its key, since another has the new one.
  private func keyTaken(_ decision: Decision, _ resolution: String) -> Clash {
    let new = newKey(decision)
    let holder = place(of: new, in: decision.table)
    return clash(
      decision, "keyTaken", resolution, policy: onTaken(decision.table),
      base: keyColumns(decision.seed.key, decision.table),
      mine: holder.map { whole(self[$0], decision.table) }, seed: keyColumns(new, decision.table))
  }

  /// Of some columns of a row to change.
  private func clash(
    _ decision: Decision, _ kind: String, _ resolution: String, policy: String? = nil,
    columns: [Int], hasMine: Bool = true
  ) -> Clash {
    let names = shape.tables[decision.table].columns
    let object = { (value: (Int) -> Cell) in
      Dictionary(uniqueKeysWithValues: columns.map { (names[$0].name, value($0)) })
    }
    // The key that a row has is the base of its new one.
    let hasBase =
      !decision.file.isBaseless || Set(columns).isSubset(of: decision.keyColumns)
    return clash(
      decision, kind, resolution, policy: policy,
      base: hasBase ? object(decision.base(of:)) : nil,
      mine: hasMine ? decision.place.map { place in object { self[place][$0] } } : nil,
      seed: object(decision.value(of:)))
  }

  private func deleteClashes(_ decision: Decision) -> [Clash] {
    guard let place = decision.place, !["left", "absent"].contains(decision.fate) else { return [] }
    // Nobody can tell whether the user set the clock's column.
    let isLogged = decision.policy != nil || shape.tables[decision.table].hasStamp
    if decision.goes, !isLogged { return [] }
    return [
      clash(
        decision, decision.goes ? "editedRetired" : decision.fate,
        decision.goes ? "tookSeed" : "keptUser",
        policy: decision.goes || decision.fate == "editedRetired"
          ? decision.policy : onEdited(decision.table),
        base: fileRow(decision), mine: whole(self[place], decision.table))
    ]
  }

  private func insertClashes(_ decision: Decision, movedTo id: Cell?) -> [Clash] {
    let policy = onTaken(decision.table)
    let mine = decision.place.map { whole(self[$0], decision.table) }
    let seed = fileRow(decision)
    switch decision.fate {
    case "go" where !decision.emptied.isEmpty:
      return [clash(decision, "parentDeleted", "merged", seed: seed)]
    case "go" where decision.movesUser:
      var clash = clash(decision, "keyTaken", "moved", policy: policy, mine: mine, seed: seed)
      clash.movedTo = keyColumns(id.map { [$0] } ?? [], decision.table)
      return [clash]
    case "go" where decision.kind == .replace:
      return [clash(decision, "keyTaken", "tookSeed", policy: policy, mine: mine, seed: seed)]
    case "keyTaken", "uniqueTaken":
      return [clash(decision, decision.fate, "keptUser", policy: policy, mine: mine, seed: seed)]
    case "parentTaken", "parentDeleted":
      return [clash(decision, decision.fate, "skipped", seed: seed)]
    default: return []
    }
  }

  /// The rows, as they were, that have what a row to insert needs; nil if those that will have it
  /// do not have it yet.
  private func holders(of decision: Decision, _ slots: [[Slot]]) -> [[Cell]?] {
    let (target, row) = (shape.tables[decision.table], new(decision))
    let held = slots[decision.table].filter { slot in
      target.uniques.contains { set in
        let wanted = target.values(set, of: row)
        return !wanted.contains(.null) && slot.stays(set, target) == wanted
      }
    }
    // A row that makes way is found by its new key.
    return held.isEmpty ? [nil] : held.map { slot in slot.now.map { moved($0, decision.table) } }
  }

  // MARK: what the log holds

  private func named(_ clash: Clash, _ decision: Decision, _ slots: [[Slot]]) -> Clash {
    var clash = clash
    clash.key = shown(clash.key, decision, isBase: decision.file.kind == .update, slots)
    clash.base = clash.base.map {
      shown($0, decision, isBase: decision.file.kind == .update, slots)
    }
    clash.seed = clash.seed.map { shown($0, decision, isBase: false, slots) }
    return clash
  }

  private func clash(
    _ decision: Decision, _ kind: String, _ resolution: String, policy: String? = nil,
    base: [String: Cell]? = nil, mine: [String: Cell]? = nil, seed: [String: Cell]? = nil
  ) -> Clash {
    Clash(
      table: shape.tables[decision.table].name,
      key: keyColumns(decision.seed.key, decision.table), kind: kind, policy: policy,
      resolution: resolution, base: base, mine: mine, seed: seed)
  }

  private func keyColumns(_ key: [Cell], _ table: Int) -> [String: Cell] {
    let names = shape.tables[table].key.map { shape.tables[table].columns[$0].name }
    return Dictionary(uniqueKeysWithValues: zip(names, key))
  }

  private func whole(_ row: [Cell], _ table: Int) -> [String: Cell] {
    Dictionary(uniqueKeysWithValues: zip(shape.tables[table].columns.map(\.name), row))
  }

  /// The row as its file has it.
  private func fileRow(_ decision: Decision) -> [String: Cell] {
    let names = decision.file.columns.map { shape.tables[decision.table].columns[$0].name }
    return Dictionary(uniqueKeysWithValues: zip(names, decision.seed.values))
  }
}
