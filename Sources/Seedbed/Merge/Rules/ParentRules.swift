/// Step 3: a row must have its parent.
extension TablePlan {
  /// A row must not refer to a row that is gone, or that is the user's.
  func parentRules(_ key: ParentKey, _ plans: PlanSet) throws -> [String] {
    let found = try plans.parent(key, of: next(key.childColumns, "p"), in: self)
    // A key may change in columns other than those that refer to the parent.
    let own = try slots(of: key.childColumns)
    let comes = decided(own).map { takes($0, "p") }.anyTrue
    return keep(own, found.why, where: "(\(comes)) AND \(found.isMissing)")
      + skip([.insert, .replace], found.why, where: found.isMissing)
  }
}
