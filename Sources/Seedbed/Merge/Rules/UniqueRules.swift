/// Step 3: a UNIQUE value belongs to one row.
extension TablePlan {
  /// A row cannot take a value that a staying row holds:
  ///     the release gives row 5 the symbol 'Nh'; row 900 of the user has 'Nh', and stays
  ///     → a row 5 to change keeps its symbol; a row 5 to insert is skipped
  func uniqueRules(_ set: UniqueSet, _ plans: PlanSet) -> [String] {
    let isOther = "(\(isSameRow("p", "h"))) IS NOT TRUE"
    // A user's row that moves keeps its other values.
    let other = movesUsers ? "(\(isOther) OR \(movingUser("p")))" : isOther
    let stays = [holds(set, "h", "p"), other, "NOT \(vacates("h", set.slots))"]
    let isHeld = { (conditions: [String]) in
      "EXISTS (SELECT 1 FROM \(self.target.sql) AS h WHERE \(conditions.allTrue))"
    }
    // Rows that go with others are gone before new ones are inserted.
    let remains = plans.disposal.removes(target.name, "h").map { ["NOT \($0)"] } ?? []
    let moves = moving("p", set.slots)
    return keep(set.columns, taken(set), where: "\(moves) AND \(isHeld(stays))")
      + leftRules(set)
      + skip([.insert], "'\(Fate.uniqueTaken)'", where: isHeld(stays + remains))
      + skip([.replace], "'\(Fate.uniqueTaken)'", where: "\(moves) AND \(isHeld(stays))")
  }

  /// A row cannot take a key that was left to the user.
  private func leftRules(_ set: UniqueSet) -> [String] {
    guard isKey(set), let leftSQL else { return [] }
    // Such a key is free if the file also renames it.
    let isRenamed = exists("v", key.map { "v.k\($0) = l.k\($0)" })
    let left = """
      EXISTS (SELECT 1 FROM \(leftSQL) AS l
        WHERE \(key.map { "l.k\($0) = \(next($0, "p"))" }.allTrue) AND NOT \(isRenamed))
      """
    return keep(set.columns, taken(set), where: "\(moving("p", set.slots)) AND \(left)")
  }

  func isKey(_ set: UniqueSet) -> Bool { Set(set.slots) == Set(key) }

  private func taken(_ set: UniqueSet) -> String {
    "'\(isKey(set) ? Why.keyTaken : .uniqueTaken)'"
  }

  /// Applies when nothing else changes. If two rows would take the same value, the one with the
  /// lower key gets it:
  ///     row 1: 'A' → 'C', row 2: 'B' → 'C'. Row 1 gets 'C', and row 2 keeps 'B'
  func uniqueTies(_ set: UniqueSet) -> [String] {
    let isLower = "(\(key.map { "q.k\($0)" }.listed)) < (\(key.map { "p.k\($0)" }.listed))"
    let loses = "\(moving("p", set.slots)) AND \(isMet(set, and: isLower))"
    return keep(set.columns, taken(set), where: loses)
      + skip([.replace], "'\(Fate.uniqueTaken)'", where: loses)
  }

  /// A row to insert never keeps an existing row from taking a value.
  func insertTies(_ set: UniqueSet) -> [String] {
    skip([.insert], "'\(Fate.uniqueTaken)'", where: isMet(set))
  }

  /// Whether a row `q` takes the value that `p` will have.
  private func isMet(_ set: UniqueSet, and condition: String = "true") -> String {
    let meets = agree(set, { next($0, "q") }, { next($0, "p") })
    return exists("q", [meets, moving("q", set.slots), condition])
  }
}
