/// Reserves the lower ids of AUTOINCREMENT tables for the seed.
extension KeyOptions {
  func raiseReserves(on connection: any DatabaseSession) throws {
    for (table, last) in reserves {
      try connection.raiseSequence(of: table.name, to: last.value)
    }
  }

  /// Reads the ids in the files before any row is written.
  func checkReserves(_ files: [RowFile], on connection: any DatabaseSession) throws {
    for (table, last) in reserves {
      for file in files where file.target.name.isSameText(as: table.name) && file.role != .delete {
        try check(file, last, connection)
      }
    }
  }

  private func check(
    _ file: RowFile, _ last: Located<Int64>, _ connection: any DatabaseSession
  ) throws {
    guard let id = file.target.schema.rowidAlias, let index = file.index(of: id.name),
      file.fields[index].isStreamed
    else { return }
    let base = file.role == .update ? file.baseIndex(of: id.name) : nil
    // In an update, only a key that it sets. A key that is only looked up already exists.
    if file.role == .update, base == nil, file.keyIndexes.contains(index) { return }
    let isNew = base.map { connection.dialect.differ("s.c\(index)", "s.c\($0)") } ?? "true"
    let row = try connection.reading(file) {
      try connection.rows(
        """
        SELECT s.line, s.c\(index) FROM \(connection.dialect.fileRows) AS s
        WHERE s.c\(index) > ? AND \(isNew) LIMIT 1
        """, [.integer(last.value)]
      ).first
    }
    guard let row else { return }
    throw SeedbedError.aboveReserve(
      try "\(row.integer(1))", table: file.target.name, reserve: last.value, option: last.place,
      SeedbedError.Place(file.place, line: row[0].integer.map(Int.init)))
  }
}
