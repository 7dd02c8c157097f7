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
    var paint: Paint = .plain

    init(_ text: String, _ paint: Paint = .plain) {
      self.text = text.printable
      self.paint = paint
    }
  }

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  /// The title and one line for each row, without spaces at the end.
  func lines(_ palette: Palette) -> [String] {
    let widths = columns.indices.map { column in
      rows.reduce(columns[column].title.displayWidth) { max($0, $1[column].text.displayWidth) }
    }
    let title = columns.indices.map { columns[$0].title.padded(to: widths[$0]) }
    return [title.joined(separator: "  ").trimmed] + rows.map { line($0, widths, palette) }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ palette: Palette) -> String {
    let last = cells.lastIndex { !$0.text.isEmpty } ?? -1
    return cells.indices.prefix(last + 1).map { column in
      let text = cells[column].text
      let painted = palette(text, cells[column].paint)
      let space = String(repeating: " ", count: widths[column] - text.displayWidth)
      if columns[column].alignment == .right { return space + painted }
      return column == last ? painted : painted + space
    }.joined(separator: "  ")
  }
}
