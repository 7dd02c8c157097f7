/// Writes updates, each with a statement that sets the columns which change and no others.
///
/// Rows of one file mostly change the same columns, so the last statement is kept.
final class UpdateWriter {
  private let layout: UpdateLayout
  private let connection: Connection
  private var columns: [Int] = []
  private var statement: Prepared?

  private let shield: Shield?

  init(layout: UpdateLayout, target: TableTarget, connection: Connection) throws {
    self.layout = layout
    self.connection = connection
    shield =
      target.parents.contains { $0.parent == target.name }
      ? try Shield(units: target.parents.count, on: connection) : nil
  }

  /// False where a trigger kept the row as it was.
  func run(_ row: UpdateRow, _ rows: borrowing Statement) throws -> Bool {
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
    guard let shield else {
      _ = try prepared.statement.step()
      return connection.changes == 1
    }
    try shield.raise()
    let outcome = Result {
      _ = try prepared.statement.step()
      return connection.changes == 1
    }
    try shield.lower()
    return try outcome.get()
  }
}

/// A class may own a statement that cannot be copied where a struct or an optional cannot.
private final class Prepared {
  let statement: Statement
  init(_ statement: consuming Statement) { self.statement = statement }
}

/// Keeps SQLite from refusing a COMMIT for an orphan that was there before us.
///
/// Where a table refers to itself, an update counts its row's old orphan out and in again, whatever
/// it sets; but SQLite does not count out while its counter is zero (`OP_FkIfZero`), so that the
/// orphan seems new (seen in 3.40). While rows of this temporary table dangle, the counter is not
/// zero.
private struct Shield {
  private let raising: Prepared
  private let lowering: Prepared

  init(units: Int, on connection: Connection) throws {
    let table = "temp." + "seedbed:shield".quoted
    try connection.execute(
      "CREATE TABLE IF NOT EXISTS \(table) (unit INTEGER PRIMARY KEY, missing INTEGER "
        + "REFERENCES \("seedbed:shield".quoted) (unit))")
    let rows = (1...units).map { "(\($0), 0)" }.joined(separator: ", ")
    raising = Prepared(
      try connection.prepare("INSERT INTO \(table) (unit, missing) VALUES \(rows)"))
    lowering = Prepared(try connection.prepare("DELETE FROM \(table)"))
  }

  func raise() throws { try raising.statement.run() }
  func lower() throws { try lowering.statement.run() }
}
