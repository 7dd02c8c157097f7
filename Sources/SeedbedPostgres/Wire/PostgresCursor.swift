import CSeedbedPostgres
package import Seedbed

/// A statement that runs many times, or whose rows are read one by one.
///
/// Other statements run between two rows, so an answer cannot be read from the connection as it
/// arrives. A small answer is read whole. For a large one there is a cursor on the server, read
/// 1,000 rows at a time.
package final class PostgresCursor {
  private static let fetched = 1000

  private let session: PostgresSession
  private let sql: String
  private let isQuery: Bool
  private var values: [Value] = []
  /// The statement's name on the server, from its second run on.
  private var prepared: String?
  private var runCount = 0
  /// Whether all answers were small so far.
  private var isSmall = false

  /// The server's cursor, while there may be more rows than those in `result`.
  private var open: (name: String, transaction: Int)?
  private var result: PostgresResult?
  private var row = -1

  init(_ sql: String, on session: PostgresSession) {
    self.session = session
    self.sql = Placeholders.numbered(sql)
    isQuery = Self.isQuery(sql)
  }

  deinit {
    close()
    if let prepared { session.forget(statement: prepared) }
  }

  /// Whether the server can open a cursor for it.
  ///
  /// > DECLARE: the query must not contain data-modifying statements in WITH.
  private static func isQuery(_ sql: String) -> Bool {
    let words = sql.uppercased()
    let first = words.drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }
    guard first == "WITH" else { return first == "SELECT" || first == "VALUES" }
    return !["INSERT", "UPDATE", "DELETE", "MERGE"].contains { words.contains($0) }
  }

  // MARK: running

  /// Runs the statement, and puts its first rows into `result`.
  private func start() throws {
    try session.checkCancellation()
    runCount += 1
    row = -1
    if isQuery, !isSmall, session.isInTransaction { return try declare() }
    if runCount > 1, prepared == nil { try prepare() }
    if let prepared {
      try session.send(prepared: prepared, values, sql: sql)
    } else {
      try session.send(sql, values)
    }
    result = try session.result(sql)
  }

  private func prepare() throws {
    let name = session.newName()
    try session.sendPrepare(name, sql, values)
    _ = try session.result(sql)
    prepared = name
  }

  private func declare() throws {
    let name = session.newName()
    // So that an error quotes the statement without the DECLARE around it.
    try session.send("DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", values)
    _ = try session.result(sql)
    open = (name, session.transactionCount)
    try fetch()
    isSmall = open == nil
  }

  /// Reads the next rows. With the last ones it closes the cursor, since the server alters or drops
  /// no table that a cursor reads.
  private func fetch() throws {
    guard let open else { return }
    try session.checkCancellation()
    let fetch = "FETCH \(Self.fetched) FROM \(open.name)"
    try session.send(fetch)
    result = try session.result(sql)
    row = -1
    guard let result, result.rowCount < Self.fetched else { return }
    self.open = nil
    let close = "CLOSE \(open.name)"
    try session.send(close)
    _ = try session.result(close)
  }

  /// Closes the server's cursor if some rows were not read. The cursor may be gone with a
  /// savepoint; naming it would then break the transaction.
  private func close() {
    defer { (open, result, row) = (nil, nil, -1) }
    guard let open, open.transaction == session.transactionCount, session.canWork else { return }
    let there = try? session.value("SELECT 1 FROM pg_cursors WHERE name = ?", [.text(open.name)])
    // If this fails, the cursor stays until the transaction ends.
    if there != nil { try? session.execute("CLOSE \(open.name)") }
  }
}

extension PostgresCursor: Cursor {
  package func bind(_ values: [Value]) {
    close()
    self.values = values
  }

  package func step() throws -> Bool {
    if result == nil { try start() }
    row += 1
    if let result, row < result.rowCount { return true }
    guard open != nil else {
      (result, row) = (nil, -1)
      return false
    }
    try fetch()
    row += 1
    guard let result, row < result.rowCount else {
      (self.result, row) = (nil, -1)
      return false
    }
    return true
  }

  package func run(_ values: [Value]) throws {
    bind(values)
    defer { close() }
    try start()
  }

  package func integer(_ column: Int) -> Int64 { result?.integer(row, column) ?? 0 }

  package subscript(column: Int) -> Value { result?.value(row, column) ?? .null }

  package func values(from first: Int) -> [Value] { result?.values(row, from: first) ?? [] }
}

extension PostgresSession {
  /// Whether the server would accept a statement now.
  var canWork: Bool {
    let status = PQtransactionStatus(handle)
    return status == PQTRANS_IDLE || status == PQTRANS_INTRANS
  }

  /// Makes the server forget a prepared statement, now or as soon as it can.
  func forget(statement: String) {
    staleStatements.append(statement)
    forgetStatements()
  }

  func forgetStatements() {
    guard canWork, !staleStatements.isEmpty else { return }
    let sql = staleStatements.map { "DEALLOCATE \($0)" }.joined(separator: "; ")
    staleStatements = []
    // The names are unique, so this fails only if the connection is lost.
    try? sendAll(sql)
    _ = try? results(sql)
  }
}
