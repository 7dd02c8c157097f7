extension Model {
  func onEdited(_ table: Int) -> String { policies[table].onEdited ?? "keepEdits" }
  func onTaken(_ table: Int) -> String { policies[table].onTaken ?? "keepUser" }

  mutating func count(_ table: Int, _ field: WritableKeyPath<ModelCounts, Int>) {
    counts[table, default: ModelCounts()][keyPath: field] += 1
  }

  func breaksRules(_ row: [Cell], _ table: Int) -> Bool {
    let shape = shape.tables[table]
    if zip(shape.columns, row).contains(where: { $0.isNotNull && $1.isNull }) { return true }
    guard let ordered = shape.ordered else { return false }
    guard case .integer(let low) = row[ordered.low], case .integer(let high) = row[ordered.high]
    else { return false }
    return low > high
  }

  /// What was the user's when the updates were judged, and went with a retired row since: the log
  /// may say of a row that would refer to it that it is the user's, or that there is none.
  mutating func noteFreed(since clashing: Set<RowKey>) {
    guard self.clashing != clashing else { return }
    let skipped = clashes.filter { $0.resolution == "skipped" }
    hasEither.formUnion(skipped.compactMap { rowKey(of: $0) })
  }
}
