import CSeedbedPostgres
package import Seedbed
import SeedbedCells

/// Sends the rows of files to the server by COPY, as fast as it accepts them.
extension PostgresSession {
  package func read(
    _ reader: RowReader, types: [String],
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws -> any FileRows {
    let names = types.indices.map { "c\($0)" } + ["line", "\"row\""]
    let columns = zip(names, types + ["bigint", "bigint"]).map { "\($0) \($1)" }
    let table = dialect.fileRows
    fileRowsNumber += 1
    // Inside a transaction, the table must be dropped with it: with a pooler, the connection lives
    // longer.
    let end = isInTransaction ? " ON COMMIT DROP" : ""
    _ = try runAll(
      """
      DROP TABLE IF EXISTS \(table);
      CREATE TABLE \(table) (\(columns.joined(separator: ", ")))\(end)
      """)
    let rows = PostgresFileRows(reader, on: self, number: fileRowsNumber)
    do {
      try copy(
        Copy(reader: reader, fieldCount: types.count, isNumbered: true, rows: rows),
        "\(table) (\(names.joined(separator: ", ")))", onChunk)
    } catch let failure as PostgresFailure where failure.isMismatch {
      throw SeedbedError(
        .csv, "PostgreSQL refuses this row: \(failure.message).",
        at: SeedbedError.Place(reader.place, line: rows.currentLine))
    }
    return rows
  }

  package var loadsDirectly: Bool { true }

  package func load(
    _ reader: RowReader, into table: String, columns: [String],
    onRows: (any FileRows) -> Void,
    onChunk: @escaping (_ fileBytes: Int64, _ rows: Int) throws -> Void
  ) throws {
    let rows = PostgresFileRows(reader, on: self, number: nil)
    onRows(rows)
    try copy(
      Copy(reader: reader, fieldCount: columns.count, isNumbered: false, rows: rows),
      "\(dialect.table(table)) (\(columns.map(\.quoted).joined(separator: ", ")))", onChunk)
  }

  func dropFileRows() {
    // After an error, the server accepts no DROP in the transaction. ROLLBACK then drops the table.
    guard canWork else { return }
    let sql = "DROP TABLE IF EXISTS \(dialect.fileRows)"
    try? sendAll(sql)
    _ = try? results(sql)
  }

  private struct Copy {
    let reader: RowReader
    let fieldCount: Int
    /// Whether each row ends with its line and number.
    let isNumbered: Bool
    let rows: PostgresFileRows
  }

  private func copy(
    _ copy: Copy, _ target: String, _ onChunk: (Int64, Int) throws -> Void
  ) throws {
    try checkCancellation()
    let sql = "COPY \(target) FROM STDIN"
    try send(sql)
    guard let answer = try next() else { throw failure(nil, sql) }
    guard answer.status == PGRES_COPY_IN else {
      let refused = failure(answer, sql)
      _ = try? results(sql)
      throw refused
    }
    do {
      try sendRows(copy, sql, onChunk)
    } catch {
      copy.reader.stop()
      PQputCopyEnd(handle, "The rows end here")
      // The server's own error comes first. If there is none, the error is on our side.
      _ = try? results(sql)
      throw error
    }
    PQputCopyEnd(handle, nil)
    try flush(sql)
    do {
      _ = try results(sql)
    } catch let failure as PostgresFailure {
      copy.rows.currentLine = Self.copiedRow(failure).flatMap(copy.rows.line)
      throw failure
    }
  }

  private func sendRows(
    _ copy: Copy, _ sql: String, _ onChunk: (Int64, Int) throws -> Void
  ) throws {
    var text = CopyText(capacity: 512 << 10)
    var used: Chunk?
    try copy.reader.startAhead()
    while let chunk = try copy.reader.next(returning: used) {
      try checkCancellation()
      var cells = UnsafePointer(chunk.cells)
      for index in 0..<chunk.recordCount {
        let line = chunk.records[index].line
        copy.rows.add(line: line)
        text.append(cells, copy.fieldCount, of: chunk.bytes)
        if copy.isNumbered {
          text.append(UInt8(ascii: "\t"))
          text.append(Int64(line))
          text.append(UInt8(ascii: "\t"))
          text.append(Int64(copy.rows.rowCount))
        }
        text.append(UInt8(ascii: "\n"))
        cells += copy.fieldCount
        if text.count >= 64 << 10 { try send(&text, sql) }
      }
      try send(&text, sql)
      try onChunk(copy.reader.fileBytes, copy.rows.rowCount)
      used = chunk
    }
    copy.reader.stop()
  }

  private func send(_ text: inout CopyText, _ sql: String) throws {
    guard text.count > 0 else { return }
    let isSent = text.bytes.withMemoryRebound(to: CChar.self, capacity: text.count) {
      PQputCopyData(handle, $0, Int32(truncatingIfNeeded: text.count))
    }
    guard isSent == 1 else { throw failure(nil, sql) }
    text.clear()
    try flush(sql)
  }

  /// The number of the row that COPY refused.
  ///
  /// > COPY words, line 3, column name: "…" (errcontext of COPY, in the server's language)
  static func copiedRow(_ failure: PostgresFailure) -> Int? {
    let lines = (failure.context ?? "").split(separator: "\n")
    guard let line = lines.last(where: { $0.hasPrefix("COPY ") }) else { return nil }
    // The table's name may contain digits too. It ends at the comma.
    let rest = line.drop { $0 != "," }
    return Int(rest.drop { !$0.isNumber }.prefix { $0.isNumber })
  }
}
