import CSeedbedPostgres
package import Seedbed

extension PostgresSession {
  package func execute(_ sql: String, _ values: [Value]) throws { _ = try run(sql, values) }

  package func value(_ sql: String, _ values: [Value]) throws -> Value? {
    let result = try run(sql, values)
    return result.rowCount > 0 && result.columnCount > 0 ? result.value(0, 0) : nil
  }

  package func rows(_ sql: String, _ values: [Value]) throws -> [[Value]] {
    let result = try run(sql, values)
    return (0..<result.rowCount).map { result.values($0) }
  }

  package func executeAll(_ sql: String) throws { _ = try runAll(sql) }

  package func cursor(_ sql: String) throws -> any Cursor {
    assert(isHome, "Names would mean what the search path of the connection says.")
    try checkCancellation()
    return PostgresCursor(sql, on: self)
  }

  /// Runs one statement to its end.
  package func run(_ sql: String, _ values: [Value] = []) throws -> PostgresResult {
    if !isHome { return try inTransaction { try run(sql, values) } }
    try checkCancellation()
    let words = values.isEmpty ? sql : Placeholders.numbered(sql)
    try send(words, values)
    let result = try result(words)
    try refuseLostCommit(sql, result)
    return result
  }

  /// Whether names mean the tables of the schema, which they do only in a transaction.
  private var isHome: Bool { schema == nil || isInTransaction }

  private func inTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    _ = try begin(Self.isolation, and: "")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  func runAll(_ sql: String) throws -> [PostgresResult] {
    try checkCancellation()
    try sendAll(sql)
    return try results(sql)
  }

  /// If a statement of the transaction has failed, COMMIT answers ROLLBACK, without an error.
  private func refuseLostCommit(_ sql: String, _ result: PostgresResult) throws {
    guard result.commandTag == "ROLLBACK", PostgresFailure.isCommit(sql) else { return }
    var failure = PostgresFailure(
      sqlState: "25P02", message: "the transaction was rolled back, since a statement had failed")
    failure.sql = sql
    throw failure
  }

  /// A new name for a statement or cursor. It must be unique among all sessions: with a pooler, the
  /// server's connection may have been used by another one.
  func newName() -> String {
    nameCount += 1
    return "seedbed_\(sessionName)_\(nameCount)"
  }
}
