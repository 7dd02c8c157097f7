import TestSupport

/// Users' columns, by what their DEFAULT clauses say.
extension Shape {
  /// Draws how defaults are spelled, and which tables have a label of the user's.
  mutating func drawDefaults(_ dice: inout Dice) {
    for table in tables.indices {
      for column in tables[table].columns.indices
      where tables[table].columns[column].role == .user
        && !tables[table].columns[column].standard.isNull
      {
        tables[table].columns[column].spelling = dice.pick([
          nil, "+0", "(- 0)", "(1 - 1)", "(0 /* no */)", "(length(''))", "FALSE",
        ])
      }
      guard dice.chance(20) else { continue }
      var label = ColumnShape(name: "label", kind: .text, role: .user)
      label.ignoresCase = dice.chance(70)
      label.standard = "draft"
      label.spelling = dice.pick([nil, "draft", "\"draft\"", "('dr' || 'aft')", "(lower('DRAFT'))"])
      tables[table].columns.append(label)
    }
  }
}

extension UserMaker {
  /// Labels that are as good as the default to a careless eye, or are it.
  func labels(_ dice: inout Dice) -> [String] {
    shape.tables.enumerated().flatMap { index, table -> [String] in
      guard table.columns.contains(where: { $0.name == "label" }) else { return [] }
      return rows[index].filter { _ in dice.chance(25) }.map { row in
        let key = table.key.map { "\(table.columns[$0].name) IS \(row[$0])" }
        let label = dice.pick(["DRAFT", "draft", "draft ", "mine", ""])
        return "UPDATE \(table.name) SET label = '\(label)' "
          + "WHERE \(key.joined(separator: " AND "))"
      }
    }
  }
}
