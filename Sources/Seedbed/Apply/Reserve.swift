/// Keeps the lower ids of AUTOINCREMENT tables to the seed.
struct Reserve {
  let keyOptions: KeyOptions
  let connection: any DatabaseSession

  func raise() throws {
    for (table, last) in keyOptions.reserves {
      try connection.raiseSequence(of: table.name, to: last.value)
    }
  }

  /// Reads the ids of the files before any row is written.
  func check(_ files: [RowFile]) throws {
    for (table, last) in keyOptions.reserves {
      for file in files where file.target.name == table.name { try check(file, last) }
    }
  }

  private func check(_ file: RowFile, _ last: Located<Int64>) throws {
    guard let id = file.target.schema.rowidAlias, let index = file.index(of: id.name),
      file.fields[index].isStreamed
    else { return }
    var base: Int?
    switch file.role {
    case .delete: return
    case .insert: break
    case .update:
      // Only a key that the update gives; one that is just looked up is there already.
      base = file.baseIndex(of: id.name)
      if base == nil, file.keyIndexes.contains(index) { return }
    }
    guard let row = try first(file, index, base, above: last.value) else { return }
    throw SeedbedError.aboveReserve(
      "\(row[1].integer ?? 0)", table: file.target.name, reserve: last.value, option: last.place,
      SeedbedError.Place(file.place, line: row[0].integer.map(Int.init)))
  }

  /// The line of the first row whose id is, or becomes, a higher one, and that id.
  private func first(
    _ file: RowFile, _ index: Int, _ base: Int?, above last: Int64
  ) throws -> [Value]? {
    let isNew = base.map { connection.dialect.differ("s.c\(index)", "s.c\($0)") } ?? "true"
    let rows = try connection.read(file.open(), types: file.streamedTypes)
    do {
      return try connection.rows(
        """
        SELECT s.line, s.c\(index) FROM \(connection.dialect.fileRows) AS s
        WHERE s.c\(index) > ? AND \(isNew) LIMIT 1
        """, [.integer(last)]
      ).first
    } catch {
      throw rows.failure ?? error
    }
  }
}
