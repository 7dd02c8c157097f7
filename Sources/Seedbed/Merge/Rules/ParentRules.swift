/// Step 3: a row must have its parent.
extension TablePlan {
  /// A row must not refer to a row that is gone, or that is the user's.
  func parentRules(_ key: ParentKey, _ plans: PlanSet) throws -> [String] {
    let found = try plans.parent(key, of: next(key.childColumns, "p"), in: self)
    // A key may change in columns other than those that refer to the parent.
    let own = sources(try slots(of: key.childColumns))
    let comes = decided(own).map { takes($0, "p") }.anyTrue
    return keep(own, found.why, where: "(\(comes)) AND \(found.isMissing)")
      + empty(key, where: [comes, found.isMissing, found.isNowhere])
      + skip([.insert, .replace], found.why, where: found.isMissing)
  }

  /// A new row without its parent comes as it would be if it had come before the user deleted that:
  ///     the user deleted region 4, and ON DELETE SET NULL emptied the reference of its towns
  ///     → a new town of region 4 comes without a region
  private func empty(_ key: ParentKey, where conditions: [String]) -> [String] {
    guard let values = withoutParent(key) else { return [] }
    let set = values.map { "why\($0.slot) = '\(Why.parentDeleted)', m\($0.slot) = \($0.value)" }
    let makesWay = movesUsers ? ["p.moved IS NULL"] : []
    let isNew = [applies("p", [.insert])] + makesWay + conditions.map { "(\($0))" }
    return ["UPDATE \(sql) AS p SET \(set.listed) WHERE \(isNew.allTrue)"]
  }

  /// What ON DELETE makes of a reference, by its columns; nil if a row cannot outlive its parent,
  /// or if a column is in another reference, too.
  func withoutParent(_ key: ParentKey) -> [(slot: Int, value: String)]? {
    guard context.mode.comesWithoutParents, !inserts.isEmpty,
      let action = target.schema.foreignKeys.first(where: key.hasColumns)?.onDelete
    else { return nil }
    let others = parents.filter { !$0.isSame(as: key) }.flatMap(\.childColumns)
    if key.childColumns.contains(where: others.contains(name:)) { return nil }
    let values = key.childColumns.compactMap { name -> (slot: Int, value: String)? in
      guard let slot = target.schema.index(of: name), !self.key.contains(slot) else { return nil }
      let column = target.schema.columns[slot]
      let value = action == "SET NULL" ? nil : column.defaultSQL
      if column.generated != .no || value == nil && column.isNotNull { return nil }
      return (slot, value.map { "(\($0))" } ?? "NULL")
    }
    return values.count == key.childColumns.count ? values : nil
  }
}
