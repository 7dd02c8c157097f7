import CSeedbedPostgres
import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Sends to the server and waits for its answers.
///
/// The waiting is not left to libpq: while the server works or waits for a lock, `onWait` is
/// called, and a cancellation is passed on.
extension PostgresSession {
  /// Sends one statement, with values for `$1`, `$2` …
  func send(_ sql: String, _ values: [Value] = []) throws {
    hasInterrupted = false
    let isSent = try PostgresParameters(values).withPointers {
      count, types, texts, lengths, forms in
      PQsendQueryParams(handle, sql, count, types, texts, lengths, forms, 0)
    }
    try flush(isSent, sql)
  }

  /// Runs a prepared statement.
  func send(prepared name: String, _ values: [Value], sql: String) throws {
    hasInterrupted = false
    let isSent = try PostgresParameters(values).withPointers { count, _, texts, lengths, forms in
      PQsendQueryPrepared(handle, name, count, texts, lengths, forms, 0)
    }
    try flush(isSent, sql)
  }

  func sendPrepare(_ name: String, _ sql: String, _ values: [Value]) throws {
    hasInterrupted = false
    let types = values.map(PostgresParameters.type)
    try flush(PQsendPrepare(handle, name, sql, Int32(types.count), types), sql)
  }

  /// The columns of the unnamed prepared statement's answer.
  func describe(_ sql: String) throws -> PostgresResult {
    hasInterrupted = false
    try flush(PQsendDescribePrepared(handle, ""), sql)
    return try result(sql)
  }

  /// Sends several statements without values.
  func sendAll(_ sql: String) throws {
    hasInterrupted = false
    try flush(PQsendQuery(handle, sql), sql)
  }

  private func flush(_ isSent: Int32, _ sql: String) throws {
    guard isSent == 1 else { throw failure(nil, sql) }
    try flush(sql)
  }

  /// Waits until the socket has accepted all data.
  func flush(_ sql: String) throws {
    while true {
      switch PQflush(handle) {
      case 0: return
      case 1:
        // > Wait for the socket to become read- or write-ready. If it becomes read-ready, call
        // > PQconsumeInput, then call PQflush again. (PQflush)
        let ready = wait(for: Int16(POLLIN | POLLOUT))
        if ready & Int16(POLLIN) != 0, PQconsumeInput(handle) == 0 { throw failure(nil, sql) }
      default: throw failure(nil, sql)
      }
    }
  }

  /// The answers to the statements sent, one each. The first error is thrown.
  func results(_ sql: String) throws -> [PostgresResult] {
    var results: [PostgresResult] = []
    var first: PostgresFailure?
    while let result = try next() {
      switch result.status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
        note(result)
        results.append(result)
      case PGRES_COPY_IN: PQputCopyEnd(handle, "Seedbed sends no rows here")
      case PGRES_COPY_OUT, PGRES_COPY_BOTH: try discardCopy()
      default: first = first ?? failure(result, sql)
      }
    }
    if let first { throw first.with { $0.isConnectionLost = PQstatus(handle) != CONNECTION_OK } }
    return results
  }

  func result(_ sql: String) throws -> PostgresResult {
    guard let result = try results(sql).last else { throw failure(nil, sql) }
    return result
  }

  /// The next answer; nil if there are no more.
  func next() throws -> PostgresResult? {
    while PQisBusy(handle) == 1 {
      _ = wait(for: Int16(POLLIN))
      // The error is an answer too. PQgetResult returns it.
      if PQconsumeInput(handle) == 0 { break }
    }
    return PQgetResult(handle).map(PostgresResult.init)
  }

  private func discardCopy() throws {
    while true {
      var row: UnsafeMutablePointer<CChar>?
      let count = PQgetCopyData(handle, &row, 1)
      PQfreemem(row)
      if count < 0 { return }
      if count == 0 {
        _ = wait(for: Int16(POLLIN))
        if PQconsumeInput(handle) == 0 { return }
      }
    }
  }

  private func note(_ result: PostgresResult) {
    let writes = ["INSERT", "UPDATE", "DELETE", "MERGE", "COPY"]
    let tag = result.commandTag
    if writes.contains(where: tag.hasPrefix) { changes = result.affectedRows }
  }

  /// Waits a moment for the socket; returns the events for which it is ready.
  private func wait(for events: Int16) -> Int16 {
    if isInterruptible, !hasInterrupted, cancellation?.isCancelled == true { interrupt() }
    var descriptor = pollfd(fd: PQsocket(handle), events: events, revents: 0)
    let count = poll(&descriptor, 1, 20)
    if count == 0 { onWait?() }
    return count > 0 ? descriptor.revents : 0
  }

  /// Asks the server to stop the current statement. It answers with an error, unless it has
  /// finished.
  func interrupt() {
    hasInterrupted = true
    let request = PQgetCancel(handle)
    defer { PQfreeCancel(request) }
    var reason = [CChar](repeating: 0, count: 256)
    PQcancel(request, &reason, 256)
  }

  func failure(_ result: PostgresResult?, _ sql: String) -> PostgresFailure {
    let isLost = PQstatus(handle) != CONNECTION_OK
    var failure = PostgresFailure(
      sqlState: result?.field(.sqlState) ?? "",
      message: result?.field(.message)
        ?? PQerrorMessage(handle).map { String(cString: $0).firstLine } ?? "")
    failure.detail = result?.field(.detail)
    failure.hint = result?.field(.hint)
    failure.context = result?.field(.context)
    failure.table = result?.field(.table)
    failure.column = result?.field(.column)
    failure.position = result?.field(.position).flatMap(Int.init)
    failure.sql = sql
    failure.isConnectionLost = isLost
    failure.isCancelled = cancellation?.isCancelled == true
    return failure
  }
}

extension String {
  /// The first line of one of libpq's messages. The others guess at the cause.
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }

  /// The text without white space at its end.
  var trimmed: String {
    var text = Substring(self)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
