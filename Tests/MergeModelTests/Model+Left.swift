/// Keys that are left to the user.
extension Merge {
  /// An entry is about the seed's row, which may have another key from now on.
  func renameLeft(in next: inout Model) {
    let renamed = decisions.filter { decision in
      // The release that is taken back could not give the row this key.
      let isTaken = left[decision.key]?.has { $0.version == version && $0.kind == "keyTaken" }
      return decision.fate == "left" && decision.seed.newKey != nil
        && !(isTakingBack && isTaken == true)
    }
    for decision in renamed { next.left[decision.key] = nil }
    for decision in renamed {
      let key = shape.rowKey(newKey(decision), decision.table)
      next.left[key] = left[decision.key].map { next.left[key]?.joined($0) ?? $0 }
    }
  }

  func leave(_ decision: Decision, in next: inout Model) {
    // Before the release the seed had no such row, and so nobody's is in its way.
    if isTakingBack, decision.kind == .delete, decision.fate == "left",
      left[decision.key]?.has({ $0.version == 0 && $0.isOfAUsersRow }) == true
    {
      takeBack(decision.key, in: &next)
    }
    if decision.kind == .insert, decision.fate == "absent" { takeBack(decision.key, in: &next) }
    let leaves = [
      "keyTaken", "uniqueTaken", "editedRetired", "referenced", "deletedByUser", "absent",
    ]
    if decision.kind == .insert, ["parentTaken", "parentDeleted"].contains(decision.fate) {
      next.skipped.insert(Skipped(version: version, key: decision.key))
    }
    let isNotYet =
      isTakingBack && decision.kind == .delete && decision.fate == "absent"
      && skipped.contains(Skipped(version: version, key: decision.key))
    if leaves.contains(decision.fate), !isNotYet {
      let kind = decision.fate == "absent" ? "deletedByUser" : decision.fate
      let isGone = decision.fate == "deletedByUser"
      let key = isGone ? shape.rowKey(newKey(decision), decision.table) : decision.key
      leave(key, kind, in: &next)
    }
    if decision.kind == .insert, ["go", "same"].contains(decision.fate) {
      takeBack(decision.key, in: &next)
    }
    if keepsKey(decision) {
      leave(shape.rowKey(newKey(decision), decision.table), "keyTaken", in: &next)
    }
  }

  private func leave(_ key: RowKey, _ kind: String, in next: inout Model) {
    // A name that means nobody is no key.
    if key.key.contains(where: Self.isUnresolved) { return }
    let new = Left(kind: kind, version: isTakingBack ? 0 : version)
    next.left[key] = next.left[key]?.and(new) ?? new
  }

  /// Nothing but a person ends a pin.
  private func takeBack(_ key: RowKey, in next: inout Model) {
    next.left[key] = next.left[key]?.without { $0.kind != "pinned" }
  }

  /// Whether a row stays where it is, though the release gives it another key.
  private func keepsKey(_ decision: Decision) -> Bool {
    if decision.kind != .update || !["go", "edited"].contains(decision.fate) { return false }
    let agreed = ["same", "ours"] + (decision.fate == "go" ? ["take", "overruled"] : [])
    return decision.file.keyChanges.contains { column in
      decision.why[column].map { !agreed.contains($0) } == true
    }
  }

  func newKey(_ decision: Decision) -> [Cell] { decision.seed.newKey ?? decision.seed.key }
}
