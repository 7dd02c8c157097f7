extension DatabaseSession {
  /// Whether a query returns a row.
  func finds(_ query: String, _ values: [Value] = []) throws -> Bool {
    try value(query, values) != nil
  }

  /// The number that a query returns.
  func number(_ query: String, _ values: [Value] = []) throws -> Int64? {
    try value(query, values)?.integer
  }

  func numbers(_ query: String) throws -> [Int64] { try rows(query).compactMap { $0[0].integer } }

  /// Creates a table and fills it.
  func makeTable(_ sql: String, _ columns: [String], _ rows: [[Value]]) throws {
    try execute("CREATE TABLE \(sql) (\(columns.listed))")
    let insert = try cursor("INSERT INTO \(sql) VALUES (\(columns.map { _ in "?" }.listed))")
    for row in rows { try insert.run(row) }
  }
}
