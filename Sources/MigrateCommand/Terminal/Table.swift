/// Columns of text, aligned by what a terminal shows.
///
///     VERSION  NAME      STATE    ROWS
///           1  elements  applied   118
struct Table {
  enum Alignment { case left, right }

  struct Column {
    let title: String
    let alignment: Alignment

    init(_ title: String, _ alignment: Alignment = .left) {
      self.title = title
      self.alignment = alignment
    }
  }

  let columns: [Column]
  var rows: [[Cell]] = []

  struct Cell {
    let text: String
    let width: Int
    let paint: Paint

    init(_ text: String, _ paint: Paint = .plain) {
      self.text = text.printable
      self.paint = paint
      width = self.text.displayWidth
    }
  }

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  /// The title and one line for each row, without spaces at the end.
  func lines(_ palette: Palette) -> [String] {
    var widths = columns.map(\.title.displayWidth)
    for row in rows {
      for column in widths.indices { widths[column] = max(widths[column], row[column].width) }
    }
    // The titles stand at the left of their columns, whatever the values do.
    let titles = zip(columns, widths).map { $0.title.padded(to: $1) }
    return [titles.joined(separator: "  ").trimmed] + rows.map { line($0, widths, palette) }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ palette: Palette) -> String {
    var line = ""
    // Written when something follows them.
    var spaces = 0
    for (column, cell) in cells.enumerated() {
      let padding = widths[column] - cell.width
      let isRight = columns[column].alignment == .right
      if isRight { spaces += padding }
      if cell.width > 0 {
        for _ in 0..<spaces { line += " " }
        line += palette(cell.text, cell.paint)
        spaces = 0
      }
      spaces += (isRight ? 0 : padding) + 2
    }
    return line
  }
}
