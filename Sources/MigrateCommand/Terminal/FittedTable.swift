/// Columns of text that fit a screen: where they do not, the widest cells are cut.
///
///             SEED        MINE      BASE
///     symbol  "Nh"        "Bo"      "Uut"
///     name    "Nihonium"  "Bobium"  "Ununtrium"
struct FittedTable {
  /// All of the same length, the titles first.
  let rows: [[String]]
  /// Whether the last column is never cut.
  var keepsLast = false

  func lines(columns: Int) -> (lines: [String], isCut: Bool) {
    guard let titles = rows.first else { return ([], false) }
    let rows = rows.map { $0.map(\.printable) }
    let margins = 2 * (titles.count - 1)
    var widths = titles.indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
    let mayShrink = keepsLast ? widths.indices.dropLast() : widths.indices
    while widths.reduce(margins, +) > columns,
      let widest = mayShrink.max(by: { widths[$0] <= widths[$1] }), widths[widest] > 6
    {
      widths[widest] -= 1
    }
    let lines = rows.map { row in
      zip(row, widths).map { cell, width in cell.cut(to: width).padded(to: width) }
        .joined(separator: "  ").trimmed
    }
    let isCut = rows.contains { zip($0, widths).contains { $0.displayWidth > $1 } }
    return (lines, isCut)
  }
}
