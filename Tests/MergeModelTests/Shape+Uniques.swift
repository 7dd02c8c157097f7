import TestSupport

/// What no two rows of a table may have in common.
struct Unique: Sendable, Equatable {
  var columns: [Int]
  /// Whether it is an index over `lower` of texts, and over the numbers after numbers.
  var isComputed = false
  /// It holds only the rows in which this column is above 0.
  var condition: Int?

  var isPlain: Bool { !isComputed && condition == nil }
  /// The columns that decide.
  var all: [Int] { columns + [condition].compactMap(\.self) }
}

extension TableShape {
  /// What counts of a row; if there is a NULL in it, nothing does.
  func values(_ unique: Unique, of row: [Cell]) -> [Cell] {
    if let condition = unique.condition {
      guard case .integer(let number) = row[condition], number > 0 else { return [.null] }
    }
    return unique.columns.map { column in
      row[column].folded(ignoringCase: unique.isComputed || columns[column].ignoresCase)
    }
  }

  /// The indexes that make values UNIQUE which are no columns of all rows.
  var uniqueIndexes: String {
    uniques.enumerated().filter { !$0.element.isPlain }.map { number, unique in
      let terms = unique.columns.map { column in
        let (name, kind) = (columns[column].name, columns[column].kind)
        if !unique.isComputed || column == owner { return name }
        return kind == .text ? "lower(\(name))" : "(\(name) + 1)"
      }
      let condition = unique.condition.map { " WHERE \(columns[$0].name) > 0" } ?? ""
      return "CREATE UNIQUE INDEX \(name)_\(number) ON \(name) "
        + "(\(terms.joined(separator: ", ")))\(condition);"
    }.joined(separator: "\n")
  }
}

extension Shape {
  /// Draws which UNIQUE values are those of expressions, or of a part of the table.
  mutating func drawIndexes(_ dice: inout Dice) {
    for table in tables.indices {
      let referred = tables.flatMap(\.foreignKeys).filter { $0.parent == table }
        .flatMap(\.parentColumns)
      let numbers = tables[table].settable.filter { column in
        tables[table].columns[column].kind == .integer && !tables[table].refers(column)
          && !tables[table].uniques.contains { $0.columns.contains(column) }
      }
      for index in tables[table].uniques.indices {
        let columns = tables[table].uniques[index].columns
        guard Set(columns).isDisjoint(with: referred), dice.chance(50) else { continue }
        tables[table].uniques[index].isComputed = dice.chance(75)
        if !numbers.isEmpty, dice.chance(40) {
          tables[table].uniques[index].condition = dice.pick(numbers)
        }
        guard tables[table].uniques[index].isComputed else { continue }
        for column in columns { tables[table].columns[column].variesCase = true }
      }
    }
  }
}
