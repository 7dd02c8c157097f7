extension SmallCases {
  /// What must hold whatever the model says, where only the defaults decide; nil if it does.
  func brokenLaw(_ one: Case, _ tables: [Set<[Cell]>]) -> String? {
    guard variant.hasLaws else { return nil }
    let (all, rows) = (one.rows.map { $0[0] }, tables[0])
    var (areApart, both) = (true, Set<[Cell]>())
    for place in 0..<2 {
      let (base, mine, seed) = (all[0][place], all[1][place], all[2][place])
      let key = Cell.integer(Int64(place + 1))
      let now = rows.first { $0[1] == key }
      if base != nil, mine == nil, now != nil { return "a row that the user deleted is back" }
      if let mine, mine != base {
        guard let now else { return "a row that the user changed or made is gone" }
        if (2...3).contains(where: { mine[$0] != base?[$0] && now[$0] != mine[$0] }) {
          return "a value of the user's is lost"
        }
      }
      let (edited, changed) = (Self.cells(base, mine), Self.cells(base, seed))
      areApart = areApart && edited.isDisjoint(with: changed)
      if var row = edited.contains(0) ? mine : changed.contains(0) ? seed : base {
        for column in 2...3 {
          if let mine, edited.contains(column) { row[column] = mine[column] }
          if let seed, changed.contains(column) { row[column] = seed[column] }
        }
        both.insert(row)
      }
    }
    // The child holds its parent, and a value that is taken holds the row that wants it.
    if shape.tables.count > 1, !family.filed.contains(1), all[2][0] == nil { return nil }
    if isTaken(in: both) { return nil }
    if areApart, rows != both { return "a release and an edit of other cells cannot change places" }
    return nil
  }

  /// A row that the user made, or that no file names, refers to the row that it referred to before,
  /// wherever the keys of both have gone. Nil if it does.
  func brokenReference(_ one: Case, _ tables: [Set<[Cell]>]) -> String? {
    let before = user(one)
    for (table, target) in shape.tables.enumerated() where !target.foreignKeys.isEmpty {
      guard let who = family.who(table) else { return nil }
      for row in one.user(table) {
        let base = one.rows[0][table].compactMap(\.self).first { $0[who] == row[who] }
        for key in target.foreignKeys where !key.columns.contains(where: { row[$0].isNull }) {
          let isUsers = base.map { base in key.columns.contains { base[$0] != row[$0] } } ?? true
          guard isUsers || !family.filed.contains(table),
            let parent = before[key.parent].first(where: { shape.refers(row, key, to: $0) })
          else { continue }
          guard let now = tables[table].first(where: { $0[who] == row[who] }) else {
            return "a row that refers to another is gone: \(row)"
          }
          let parents = tables[key.parent].union(
            family.lasting.isEmpty ? [] : family.lasting[key.parent])
          let after = parents.first { shape.refers(now, key, to: $0) }
          guard let place = family.who(key.parent), after?[place] == parent[place] else {
            return "\(row) referred to \(parent), and now to \(after.map { "\($0)" } ?? "none")"
          }
        }
      }
    }
    return nil
  }

  private func isTaken(in rows: Set<[Cell]>) -> Bool {
    let values = rows.map { $0[2] }.filter { !$0.isNull }
    return !shape.tables[0].uniques.isEmpty && Set(values).count < values.count
  }

  /// The columns in which two states of a row differ; 0, too, if there is one state only.
  private static func cells(_ one: [Cell]?, _ other: [Cell]?) -> Set<Int> {
    guard let one, let other else { return one == other ? [] : [0, 2, 3] }
    return Set((2...3).filter { one[$0] != other[$0] })
  }
}
