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

  private init(first: Prepared, rest: [Prepared]) {
    self.first = first
    self.rest = rest
  }

  /// The current row for itself, which no table has to be open for.
  func detached(on connection: Connection) throws -> RowReading {
    let parts = try ([first] + rest).map { part in
      let count = part.statement.columnCount
      let marks = (0..<count).map { _ in "?" }.joined(separator: ", ")
      let copy = Prepared(try connection.prepare("SELECT \(marks)"))
      for index in 0..<count {
        copy.statement.bind(column: index, of: part.statement, at: Int32(index + 1))
      }
      _ = try copy.statement.step()
      return copy
    }
    return RowReading(first: parts[0], rest: Array(parts.dropFirst()))
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
}
