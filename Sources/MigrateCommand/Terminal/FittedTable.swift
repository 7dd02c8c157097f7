/// Columns of text for a screen. If they do not fit, the widest cells are cut.
///
///             SEED        MINE      BASE
///     symbol  "Nh"        "Bo"      "Uut"
///     name    "Nihonium"  "Bobium"  "Ununtrium"
struct FittedTable {
  /// Rows of the same length. The first one has the titles.
  let rows: [[String]]
  /// Columns that are never cut: keys, and those about all the values.
  var whole: Set<Int> = []
  /// Columns whose values are compared. If cutting would make different values look the same, they
  /// begin where they differ.
  var compared: Range<Int> = 0..<0

  func lines(columns: Int) -> (lines: [String], isCut: Bool) {
    guard let titles = rows.first else { return ([], false) }
    let rows = rows.map { $0.map(\.printable) }
    let margins = 2 * (titles.count - 1)
    let full = titles.indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    let mayShrink = full.indices.filter { !whole.contains($0) }
    let widths = Self.shrunk(full, mayShrink, to: columns - margins)
    let lines = rows.map { row in
      zip(differing(row, widths), widths).map { cell, width in cell.cut(to: width).padded(to: width)
      }
      .joined(separator: "  ").trimmed
    }
    let isCut = rows.contains { zip($0, widths).contains { $0.displayWidth > $1 } }
    return (lines, isCut)
  }

  /// Widths whose sum is at most `columns`. The widest shrink first, to at least 6.
  static func shrunk(
    _ widths: [Int], _ mayShrink: some BidirectionalCollection<Int>, to columns: Int
  ) -> [Int] {
    var widths = widths
    while widths.reduce(0, +) > columns,
      let widest = mayShrink.max(by: { widths[$0] <= widths[$1] }), widths[widest] > 6
    {
      widths[widest] -= 1
    }
    return widths
  }

  private func differing(_ row: [String], _ widths: [Int]) -> [String] {
    let cut = Set(compared.map { row[$0].cut(to: widths[$0]) })
    let whole = Set(compared.map { row[$0] })
    guard cut.count < whole.count else { return row }
    // A value as short as `NULL` is shown completely, and has no common beginning.
    let long = compared.filter { row[$0].displayWidth > widths[$0] }
    guard let first = long.first, long.count > 1 else { return row }
    let same = long.map { Self.common(row[first], row[$0], orWhole: row[first].count) }.min() ?? 0
    // A letter before the difference helps to find the place.
    let left = same - 2
    guard left > 0 else { return row }
    var row = row
    for column in long { row[column] = "…" + row[column].dropFirst(left) }
    return row
  }

  /// The number of equal letters at the beginnings of two texts. If the texts are the same, there
  /// is no difference.
  private static func common(_ one: String, _ other: String, orWhole count: Int) -> Int {
    one == other ? count : zip(one, other).prefix { $0 == $1 }.count
  }
}
