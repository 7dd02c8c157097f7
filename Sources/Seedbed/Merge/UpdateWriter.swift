/// Writes updates, each with a statement that sets the columns which change and no others.
///
/// Rows of one file mostly change the same columns, so the last statement is kept.
final class UpdateWriter {
  private let layout: UpdateLayout
  /// Tells the rows of this stage from those of others.
  private let mark: Int64
  private let connection: Connection
  private var columns: [Int] = []
  private var statement: Prepared?

  init(layout: UpdateLayout, mark: Int64, connection: Connection) {
    self.layout = layout
    self.mark = mark
    self.connection = connection
  }

  /// False where a trigger kept the row as it was.
  func run(_ row: UpdateRow, _ rows: RowReading) throws -> Bool {
    let written = row.written
    let prepared: Prepared
    if let statement, columns == written {
      prepared = statement
    } else {
      prepared = Prepared(try connection.prepare(layout.update(written)))
      (statement, columns) = (prepared, written)
    }
    row.bind(written, to: prepared.statement, from: rows, layout: layout)
    defer { prepared.statement.reset() }
    _ = try prepared.statement.step()
    return connection.changes == 1
  }

  /// Writes the new values, but for the contested ones. False where a trigger kept the row.
  func stepAside(_ row: UpdateRow, _ rows: RowReading) throws -> Bool {
    let written = row.written
    let update = try connection.prepare(layout.update(written))
    row.bind(written, to: update, from: rows, layout: layout)
    for (index, change) in written.enumerated() {
      guard let value = layout.valueAside(change, mark + (row.number.integer ?? 0)) else {
        continue
      }
      update.bind(value, at: Int32(index + 1))
    }
    _ = try update.step()
    return connection.changes == 1
  }
}
