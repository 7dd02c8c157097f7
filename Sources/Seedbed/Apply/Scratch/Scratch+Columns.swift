extension Scratch {
  /// The columns that each file of a migration names for a table, by their present names and
  /// without the mark of old values. A snapshot has more, such as ids from SQLite that no file ever
  /// named.
  package func headers(
    in migration: Migration, _ schema: TableSchema
  ) throws -> [[String]] {
    let names = names(since: migration)
    if migration.isSnapshot {
      guard let (table, columns) = try filled(by: migration, schema.name) else { return [] }
      return [columns.map { names.header($0, of: table) }]
    }
    return try files(in: migration, of: schema.name).map { file in
      try catalog.rows(of: file, in: migration).header.map { field in
        // A column that has this name takes precedence.
        let isBase = field.name.hasPrefix("was:") && schema.column(field.name) == nil
        let name = isBase ? String(field.name.dropFirst(4)) : field.name
        return names.header(name, of: file.table ?? schema.name)
      }
    }
  }

  /// The names by which the catalog's files fill the table. Each column is spelled as in the last
  /// file.
  package func seededNames(of target: TableTarget) throws -> [String] {
    let reading = HeaderParser(target.schema, on: session)
    var found: [(name: String, columns: [String], file: Int)] = []
    var last: [Name: Int] = [:]
    var number = 0
    for migration in migrations {
      for names in try headers(in: migration, target.schema) {
        number += 1
        // In an update file each column may appear twice.
        var seen: Set<Name> = []
        for name in names where seen.insert(name) {
          // A column that was dropped since does not count.
          let columns = try reading.columns(name).map(\.name)
          if columns.isEmpty { continue }
          found.append((name, columns, number))
          for column in columns { last[column] = number }
        }
      }
    }
    let current = found.filter { entry in
      entry.columns.allSatisfy { last[$0] == entry.file }
        && entry.columns.allSatisfy { target.schema.column($0)?.generated == .no }
    }
    let slots = try current.map { try target.schema.slot(of: $0.columns[0]) }
    return zip(slots, current).ordered(by: \.0).map(\.1.name)
  }

  /// The columns of the seed's rows: those that files fill, and the owner's.
  package func copiedColumns(of target: TableTarget) throws -> [ColumnSchema] {
    let seeded = try seededColumns(of: target)
    return target.schema.columns.filter { column in
      column === target.owner || seeded.contains { $0 === column }
    }
  }

  /// The columns that the catalog's files fill, in the table's order. The others are the user's.
  package func seededColumns(of target: TableTarget) throws -> [ColumnSchema] {
    let reading = HeaderParser(target.schema, on: session)
    let names = try migrations.flatMap { try headers(in: $0, target.schema) }.joined()
    let found = try names.flatMap { try reading.columns($0) }.names.asNames
    return target.schema.columns.filter { found.contains($0.name) }
  }
}

extension MigrationFile {
  /// The table of a row file.
  package var table: String? { kind.rows?.table }

  package func serves(_ name: String) -> Bool {
    table?.isSameName(as: name) == true
  }
}
