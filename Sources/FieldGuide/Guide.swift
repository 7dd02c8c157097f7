/// The guide's data, and the user's additions: the app's own work, without Seedbed.
struct Guide {
  let database: Database

  private static let columns = [
    "number", "symbol", "name", "weight", "category", "phase", "discovered", "discoverer",
  ]

  /// Number, symbol, name and weight of all.
  func elements() throws -> [[String]] {
    try database.rows("SELECT number, symbol, name, weight FROM elements ORDER BY number")
  }

  /// Each column that the guide shows, with its value; NULL is an empty text.
  func facts(of element: String) throws -> [(column: String, value: String)] {
    let rows = try database.rows(
      "SELECT \(Self.columns.joined(separator: ", ")) FROM elements WHERE number = ?",
      try number(of: element))
    return rows.flatMap { zip(Self.columns, $0) }
  }

  func page(of element: String) throws -> String {
    let notes = try database.rows(
      "SELECT text FROM notes WHERE element = ? ORDER BY id", try number(of: element))
    let facts = try facts(of: element).filter { !$0.value.isEmpty }.map { "\($0): \($1)" }
    return (facts + notes.map { "note: \($0[0])" }).joined(separator: "\n")
  }

  func note(_ text: String, on element: String) throws {
    try database.rows(
      "INSERT INTO notes (element, text) VALUES (?, ?)", try number(of: element), text)
  }

  /// - Returns: the number of the new element.
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
    let isNumber = ["weight", "discovered"].contains(column)
    guard !isNumber || value.isEmpty || Double(value)?.isFinite == true else {
      throw Trouble("The \(column) is a number, not '\(value)'.")
    }
    try database.rows(
      "UPDATE elements SET \(column) = nullif(?, '') WHERE number = ?", value,
      try number(of: element))
  }

  /// Deletes an element with the user's notes and answers about it. A later release does not bring
  /// it back.
  func forget(_ element: String) throws -> String {
    let number = try number(of: element)
    return try database.transaction {
      let notes = try database.rows("DELETE FROM notes WHERE element = ? RETURNING id", number)
      let answers = try database.rows("DELETE FROM studies WHERE element = ? RETURNING id", number)
      let name = try database.rows("DELETE FROM elements WHERE number = ? RETURNING name", number)
      let lost = notes.count + answers.count
      return name[0][0] + " is gone"
        + (lost > 0 ? ", and so are your notes and answers (\(lost))." : ".")
    }
  }

  /// The user's name for the element with this number; nil if it no longer exists.
  func name(of number: String) throws -> String? {
    try database.rows("SELECT name FROM elements WHERE number = ?", number).first?[0]
  }

  func number(of element: String) throws -> String {
    let rows = try database.rows(
      """
      SELECT number FROM elements
      WHERE CAST(number AS TEXT) = ?1 OR symbol = ?1 OR lower(name) = lower(?1)
      """, element)
    guard let row = rows.first else { throw Trouble("There is no element '\(element)'.") }
    return row[0]
  }
}
