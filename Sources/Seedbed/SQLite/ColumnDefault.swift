import CSeedbedSQLite

extension Connection {
  /// An expression for the value that a column's DEFAULT makes; nil if the value comes from the
  /// clock, from chance or from the connection, and so is different each time.
  ///
  /// The expression has no affinity. In a comparison it takes the column's, like a value that is
  /// stored there.
  package func constantDefault(of column: ColumnSchema) throws -> String? {
    guard let sql = column.defaultSQL else { return "NULL" }
    if let known = knownDefaults[sql] { return known }
    let made = try isConstant(sql) ? "+(\(sql))" : nil
    knownDefaults[sql] = .some(made)
    return made
  }

  /// The text of a DEFAULT clause as an expression. `none` and `"none"` mean the text 'none' in a
  /// DEFAULT clause, but a column's name elsewhere.
  static func defaultExpression(_ sql: String) -> String {
    let all = Array(SQLTokens(sql))
    let tokens = all.filter { $0.kind != .comment }
    // A comment at the end would swallow the text after it.
    let expression = tokens.count < all.count ? sql + "\n" : sql
    guard tokens.count == 1, let token = tokens.first else { return expression }
    switch token.kind {
    case SQLToken.string, .number, .sign, .comment: return expression
    case .word where words.contains(token.text.uppercased()): return expression
    case .word, .quoted: return token.text.quotedLiteral
    }
  }

  private static let words: Set = [
    "NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP",
  ]

  /// SQLite itself decides whether an expression is constant, since it accepts no other one for a
  /// generated column: `random()` is refused when the table is created, `datetime('now')` when it
  /// is read.
  ///
  /// > The expression of a generated column may only reference constant literals and columns
  /// > within the same row, and may only use scalar deterministic functions. (Generated Columns)
  private func isConstant(_ sql: String) throws -> Bool {
    let table = "temp." + "seedbed:default".quoted
    var isConstant = false
    do {
      try execute("CREATE TABLE \(table) (one, made AS (\(sql)))")
      try execute("INSERT INTO \(table) VALUES (1)")
      isConstant = try value("SELECT made FROM \(table)") != nil
    } catch let failure as SQLiteFailure where failure.primaryCode == SQLITE_ERROR {
      // The expression is not constant.
    }
    // A leftover table would make the next expression fail, so that it would seem not to be
    // constant.
    try execute("DROP TABLE IF EXISTS \(table)")
    return isConstant
  }
}
