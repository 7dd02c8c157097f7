import Seedbed

/// The down.sql of an up.sql that adds tables and columns.
enum UpTwin {
  /// nil if it adds none; anything else only its author can undo.
  static func sql(from old: [String: [String]], to new: [String: [String]]) -> String? {
    var lines: [String] = []
    for (table, columns) in new.sorted(by: { $0.key < $1.key }) {
      guard let before = old[table] else {
        lines.append("DROP TABLE \(table.quoted);")
        continue
      }
      lines += columns.filter { !before.contains($0) }.map {
        "ALTER TABLE \(table.quoted) DROP COLUMN \($0.quoted);"
      }
    }
    return lines.isEmpty ? nil : lines.reversed().joined(separator: "\n")
  }
}
