/// What the guide knows, and what its user adds to it: the app's own work, without Seedbed.
struct Guide {
  let database: Database

  private static let columns = [
    "number", "symbol", "name", "weight", "category", "phase", "discovered", "discoverer",
  ]

  /// Number, symbol, name and weight of those that have the words in some column.
  func elements(with words: String = "") throws -> [[String]] {
    let text = Self.columns.map { "ifnull(\($0), '')" }.joined(separator: " || ' ' || ")
    return try database.rows(
      "SELECT number, symbol, name, weight FROM elements WHERE instr(lower(\(text)), lower(?1)) "
        + "OR ?1 = '' ORDER BY number", words)
  }

  func page(of element: String) throws -> String {
    let number = try number(of: element)
    let rows = try database.rows(
      "SELECT \(Self.columns.joined(separator: ", ")) FROM elements WHERE number = ?", number)
    let notes = try database.rows("SELECT text FROM notes WHERE element = ? ORDER BY id", number)
    let facts = rows.flatMap { zip(Self.columns, $0) }.filter { !$0.1.isEmpty }
    let lines = facts.map { "\($0.0): \($0.1)" } + notes.map { "note: \($0[0])" }
    return lines.joined(separator: "\n")
  }

  func note(_ text: String, on element: String) throws {
    try database.rows(
      "INSERT INTO notes (element, text) VALUES (?, ?)", try number(of: element), text)
  }

  /// - Returns: the number that it got.
  func add(_ symbol: String, named name: String) throws -> String {
    try database.rows(
      """
      INSERT INTO elements (number, symbol, name, period)
      SELECT max(number) + 1, ?, ?, max(period) FROM elements RETURNING number
      """, symbol, name
    ).first?[0] ?? ""
  }

  func edit(_ element: String, _ column: String, to value: String) throws {
    guard Self.columns.dropFirst().contains(column) else {
      throw Trouble("An element has no '\(column)' to change.")
    }
    try database.rows(
      "UPDATE elements SET \(column) = ? WHERE number = ?", value, try number(of: element))
  }

  private func number(of element: String) throws -> String {
    let rows = try database.rows(
      """
      SELECT number FROM elements
      WHERE CAST(number AS TEXT) = ?1 OR symbol = ?1 OR lower(name) = lower(?1)
      """, element)
    guard let row = rows.first else { throw Trouble("There is no element '\(element)'.") }
    return row[0]
  }
}
