import Foundation
import TestSupport

/// Columns whose line ends are no difference.
extension Shape {
  mutating func drawPlainText(_ dice: inout Dice) {
    for table in tables.indices {
      let target = tables[table]
      for column in target.settable {
        let isFree =
          target.columns[column].kind == .text && !target.refers(column)
          && !target.uniques.contains { $0.columns.contains(column) }
          && !target.identity.contains(column)
          && target.ordered.map { $0.low != column && $0.high != column } ?? true
        tables[table].columns[column].isPlainText = isFree && dice.chance(40)
      }
    }
  }
}

extension Shape {
  /// Whether two values of a column are the same to its options.
  func isSame(_ one: Cell, _ other: Cell, _ column: Int, _ table: Int) -> Bool {
    tables[table].columns[column].isPlainText
      ? one.inPlainText.isSame(as: other.inPlainText) : one.isSame(as: other)
  }
}

extension UserMaker {
  /// Texts on their way through a form: with other line ends, and white space that nobody sees.
  func forms(_ dice: inout Dice) -> [String] {
    shape.tables.enumerated().flatMap { index, table -> [String] in
      let columns = table.columns.indices.filter { table.columns[$0].isPlainText }
      if columns.isEmpty { return [] }
      return rows[index].compactMap { row in
        let column = dice.pick(columns)
        guard dice.chance(40), case .text(let text) = row[column] else { return nil }
        let more = dice.pick([" ", "\t\r\n", "\n\n", "\r", "\r\n ", " x", "\nx"])
        let key = table.key.map { "\(table.columns[$0].name) IS \(row[$0])" }
        return "UPDATE \(table.name) SET \(table.columns[column].name) = \(Cell.text(text + more)) "
          + "WHERE \(key.joined(separator: " AND "))"
      }
    }
  }
}

extension Cell {
  /// Without the white space that does not count.
  var inPlainText: Cell {
    guard case .text(let text) = self else { return self }
    let blanks = CharacterSet(charactersIn: " \t\u{B}\u{C}")
    var lines = text.replacingOccurrences(of: "\r\n", with: "\n")
      .replacingOccurrences(of: "\r", with: "\n").components(separatedBy: "\n")
      .map { line in
        let kept = line.unicodeScalars.reversed().drop { blanks.contains($0) }
        return String(String.UnicodeScalarView(kept.reversed()))
      }
    while lines.last == "" { lines.removeLast() }
    return .text(lines.joined(separator: "\n"))
  }
}
