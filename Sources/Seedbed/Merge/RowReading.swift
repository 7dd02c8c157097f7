/// The rows of a query, however many columns it has.
///
/// SQLite gives 2,000 columns at most: what is beyond them comes from further statements, asked for
/// each row of the first.
final class RowReading {
  private let first: Prepared
  private let rest: [Prepared]

  /// By the first of the `columns` the further statements find the row in `source`; what follows in
  /// the first statement is `selection`.
  init(
    _ columns: [String], from source: String, _ selection: String, on connection: Connection
  ) throws {
    let most = RowTable.mostColumns
    func prepare(_ start: Int, _ tail: String) throws -> Prepared {
      let some = columns[start..<min(start + most, columns.count)].joined(separator: ", ")
      return Prepared(try connection.prepare("SELECT \(some) FROM \(source) \(tail)"))
    }
    first = try prepare(0, selection)
    rest = try stride(from: most, to: columns.count, by: most).map {
      try prepare($0, "WHERE \(columns[0]) = ?")
    }
  }

  func step() throws -> Bool {
    for more in rest { more.statement.reset() }
    guard try first.statement.step() else { return false }
    for more in rest {
      more.statement.bind(column: 0, of: first.statement, at: 1)
      _ = try more.statement.step()
    }
    return true
  }

  /// The next row, read to its end: nothing of the database is being read any more.
  func takeOne(on connection: Connection) throws -> RowReading? {
    defer { for part in [first] + rest { part.statement.reset() } }
    guard try step() else { return nil }
    return try RowReading(([first] + rest).map { try $0.copy(on: connection) })
  }

  private init(_ parts: [Prepared]) {
    first = parts[0]
    rest = Array(parts.dropFirst())
  }

  private func part(_ column: Int) -> (Prepared, Int) {
    let most = RowTable.mostColumns
    return column < most ? (first, column) : (rest[column / most - 1], column % most)
  }

  subscript(column: Int) -> Value {
    let (part, place) = part(column)
    return part.statement[place]
  }

  func values(from first: Int, count: Int) -> [Value] { (first..<(first + count)).map { self[$0] } }

  func isNull(_ column: Int) -> Bool {
    let (part, place) = part(column)
    return part.statement.isNull(place)
  }

  func integer(_ column: Int) -> Int64 {
    let (part, place) = part(column)
    return part.statement.integer(place)
  }

  /// Whether two columns of the current row hold the same value.
  func isSame(_ one: Int, _ other: Int) -> Bool {
    if rest.isEmpty { return first.statement.isSame(one, other) }
    let ((left, column), (right, place)) = (part(one), part(other))
    return left.statement.isSame(column, as: right.statement, place)
  }

  func bind(column: Int, to statement: borrowing Statement, at index: Int) {
    let (part, place) = part(column)
    statement.bind(column: place, of: part.statement, at: Int32(index))
  }
}

/// A class may own a statement that cannot be copied where a struct or an optional cannot.
final class Prepared {
  let statement: Statement
  init(_ statement: consuming Statement) { self.statement = statement }

  /// A statement whose current row is a copy of this one's.
  fileprivate func copy(on connection: Connection) throws -> Prepared {
    let count = statement.columnCount
    let marks = Array(repeating: "?", count: count).joined(separator: ", ")
    let copy = try connection.prepare("SELECT \(marks)")
    for column in 0..<count { copy.bind(column: column, of: statement, at: Int32(column + 1)) }
    _ = try copy.step()
    return Prepared(copy)
  }
}
