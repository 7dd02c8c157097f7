/// A table, with the numbers by which it and its columns are found again under other names.
package struct TableLayout: Equatable {
  package struct Column: Equatable {
    package var number: Int64
    package var name: String
    package var isInPrimaryKey: Bool

    package init(_ number: Int64, _ name: String, isInPrimaryKey: Bool) {
      (self.number, self.name, self.isInPrimaryKey) = (number, name, isInPrimaryKey)
    }
  }

  /// By the schema's spelling.
  package var name: String
  package var number: Int64
  package var columns: [Column]

  package init(name: String, number: Int64, columns: [Column]) {
    (self.name, self.number, self.columns) = (name, number, columns)
  }

  /// From rows of a query, which has a table's columns one after the other: the table's name and
  /// number, a column's number and name, and whether that one is in the primary key.
  package static func read(_ rows: [[Value]]) -> [TableLayout] {
    var layouts: [TableLayout] = []
    for row in rows {
      let (name, number) = (row[0].text ?? "", row[1].integer ?? 0)
      if layouts.last?.number != number || layouts.last?.name != name {
        layouts.append(TableLayout(name: name, number: number, columns: []))
      }
      layouts[layouts.count - 1].columns.append(
        Column(row[2].integer ?? 0, row[3].text ?? "", isInPrimaryKey: row[4] == 1))
    }
    return layouts
  }
}
