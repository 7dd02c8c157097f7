/// Columns of text, aligned by their width on a terminal.
///
///     VERSION  NAME      STATE    ROWS
///           1  elements  applied   118
struct Table {
  enum Alignment { case left, right }

  struct Column {
    let title: String
    let alignment: Alignment
    /// Whether the column is left out on a narrow screen.
    let isOptional: Bool

    init(_ title: String, _ alignment: Alignment = .left, isOptional: Bool = false) {
      self.title = title
      self.alignment = alignment
      self.isOptional = isOptional
    }
  }

  let columns: [Column]
  var rows: [[Cell]] = []

  struct Cell {
    let text: String
    let paint: Paint
    /// The width of the text in columns.
    let width: Int

    init(_ text: String, _ paint: Paint = .plain) {
      // Nearly all cells are ASCII, which a look at their bytes shows.
      let isASCII = text.isPlain
      self.text = isASCII ? text : text.printable
      self.paint = paint
      width = isASCII ? text.utf8.count : self.text.displayWidth
    }

    func cut(to width: Int) -> Cell {
      self.width <= width ? self : Cell(text.cut(to: width), paint)
    }
  }

  init(_ columns: [Column]) { self.columns = columns }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  /// The title and one line for each row, without spaces at the end.
  ///
  /// - Parameter columns: the width of the screen; nil if lines may have any length. If it is too
  ///   narrow, the last optional column is left out first, and then text is cut.
  func lines(_ palette: Palette, columns screen: Int? = nil) -> [String] {
    let widths = columns.indices.map { column in
      rows.reduce(columns[column].title.displayWidth) { max($0, $1[column].width) }
    }
    let margins = 2 * (columns.count - 1)
    guard let screen, widths.reduce(margins, +) > screen else { return lines(palette, widths) }
    if let last = columns.lastIndex(where: \.isOptional) {
      return without(last).lines(palette, columns: screen)
    }
    let texts = columns.indices.filter { columns[$0].alignment == .left }
    return lines(palette, FittedTable.shrunk(widths, texts, to: screen - margins))
  }

  private func without(_ column: Int) -> Table {
    func rest<Element>(_ all: [Element]) -> [Element] {
      Array(all[..<column] + all[(column + 1)...])
    }
    var table = Table(rest(columns))
    table.rows = rows.map(rest)
    return table
  }

  private func lines(_ palette: Palette, _ widths: [Int]) -> [String] {
    let titles = columns.map { Cell($0.title) }
    // Titles are aligned left, even above numbers.
    let title = zip(titles, widths).map { $0.text.padded(to: $1) }.joined(separator: "  ").trimmed
    return [title] + rows.map { line(zip($0, widths).map { $0.cut(to: $1) }, widths, palette) }
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ palette: Palette) -> String {
    guard let last = cells.lastIndex(where: { !$0.text.isEmpty }) else { return "" }
    // Bytes: joining pieces of strings for a thousand lines would take longer than everything else
    // in `status`.
    var line: [UInt8] = []
    line.reserveCapacity(widths.reduce(0, +) + 64)
    for column in 0...last {
      let cell = cells[column]
      let isRight = columns[column].alignment == .right
      let space = widths[column] - cell.width
      line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: isRight ? space : 0))
      line.append(contentsOf: palette(cell.text, cell.paint).utf8)
      if column == last { break }
      line.append(contentsOf: repeatElement(UInt8(ascii: " "), count: isRight ? 2 : space + 2))
    }
    return String(decoding: line, as: UTF8.self)
  }
}
