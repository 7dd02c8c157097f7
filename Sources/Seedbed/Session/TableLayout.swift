/// A table and its columns, each with a number that stays the same when it is renamed.
package struct TableLayout: Equatable {
  package struct Column: Equatable {
    package var number: Int64
    package var name: String
    var isInPrimaryKey: Bool

    init(_ number: Int64, _ name: String, isInPrimaryKey: Bool) {
      (self.number, self.name, self.isInPrimaryKey) = (number, name, isInPrimaryKey)
    }
  }

  /// By the schema's spelling.
  package var name: String
  package var number: Int64
  package var columns: [Column]

  init(name: String, number: Int64, columns: [Column]) {
    (self.name, self.number, self.columns) = (name, number, columns)
  }

  /// Reads the rows of a query that lists a table's columns one after the other: the table's name
  /// and number, the column's number and name, and whether the column is in the primary key.
  package static func read(_ rows: [[Value]]) throws -> [TableLayout] {
    var layouts: [TableLayout] = []
    for row in rows {
      let (name, number) = try (row.text(0), row.integer(1))
      if layouts.last?.number != number || layouts.last?.name != name {
        layouts.append(TableLayout(name: name, number: number, columns: []))
      }
      layouts[layouts.count - 1].columns.append(
        try Column(row.integer(2), row.text(3), isInPrimaryKey: row[4] == 1))
    }
    return layouts
  }
}
