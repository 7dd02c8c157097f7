/// Whether files have the values that rows had before.
extension Catalog {
  /// Whether a delete file with the key alone has the rows as they were. The key is all that the
  /// seed had if the table has no other columns, or if no earlier file filled one.
  ///
  /// Columns that are ignored or that the database fills itself never count. If no file of the
  /// catalog brought the rows, what the seed had is unknown.
  func isKeyWholeRow(
    of schema: TableSchema, _ key: [String], _ options: TableOptions, in migration: Migration,
    on connection: any DatabaseSession
  ) throws -> Bool {
    let others = schema.columns.filter { column in
      let name = column.name
      return !(key + options.ignore).contains(name: name)
        && column.generated == .no && column !== schema.rowidAlias
    }
    if others.isEmpty { return true }
    guard let filled = try filledColumns(of: schema, before: migration, on: connection) else {
      return false
    }
    return !others.contains { column in filled.contains { $0 === column } }
  }

  /// The columns of a table that files of earlier migrations fill; nil if none has rows of it. A
  /// column that was dropped since does not count.
  private func filledColumns(
    of schema: TableSchema, before migration: Migration, on connection: any DatabaseSession
  ) throws -> [ColumnSchema]? {
    let reading = HeaderParser(schema, on: connection)
    let renamed = try newNames(before: migration)
    var headers: [[String]] = []
    // Of migrations whose folders were dropped, the snapshots have the names.
    for snapshot in try snapshots() where snapshot.version < migration.version {
      let names = NamesSince(snapshot, renamed)
      for (table, columns) in try options(of: snapshot).snapshot?.columns ?? [:]
      where names.table(table.text).isSameName(as: schema.name) {
        headers.append(columns.map { names.column($0, of: table.text) })
      }
    }
    for earlier in try migrations() where earlier.version < migration.version {
      let names = NamesSince(earlier, renamed)
      for file in earlier.files {
        guard let table = file.table, names.table(table).isSameName(as: schema.name) else {
          continue
        }
        headers.append(
          try rows(of: file, in: earlier).header.map { names.header($0.name, of: table) })
      }
    }
    if headers.isEmpty { return nil }
    return try headers.joined().flatMap { try reading.columns($0) }
  }

  /// Whether a file that changes or retires rows lacks their old values. Only the header is read,
  /// since the table may no longer exist.
  package func isWithoutBase(
    _ file: MigrationFile, in migration: Migration, on connection: any DatabaseSession
  ) throws -> Bool {
    guard let (table, operation) = file.kind.rows, operation != "insert" else { return false }
    let reader = try rows(of: file, in: migration)
    guard let found = try connection.object(named: table), found.kind == .table else {
      return false
    }
    let schema = try connection.schema(of: found.name)
    let options = try options(of: migration).table(table)
    let key = options.key ?? schema.primaryKey.names
    let keys = key.asNames
    let reading = HeaderParser(schema, on: connection)
    func columns(_ names: [String]) throws -> [String] {
      // The merge reports a name that no longer exists.
      try names.flatMap { name in
        let columns = try reading.columns(name)
        return columns.isEmpty ? [name] : columns.names
      }
    }
    let names = reader.header.map(\.name)
    let set = try columns(names.filter { !$0.hasPrefix("was:") }).filter { !keys.contains($0) }
    if operation == "delete" {
      if !set.isEmpty { return false }
      return try !isKeyWholeRow(of: schema, key, options, in: migration, on: connection)
    }
    let bases = try columns(names.filter { $0.hasPrefix("was:") }.map { String($0.dropFirst(4)) })
    return !set.asNames.isSubset(of: bases.asNames)
  }
}
