/// The rows of one table in one edition, by the columns' names in the version to adopt.
struct EditionRows {
  private let table: AdoptedTable
  private let schema: TableSchema
  private let editions: Scratch
  private let number: Int
  /// For each column of the version, its name in the edition; nil if it came later.
  private let names: [String?]
  /// The row's ids as the database chose them; nil if the ids are the catalog's.
  private let translating: SeededTable?

  /// - Parameters:
  ///   - name: the table's name in the edition.
  ///   - since: the names that it and its columns got since.
  init(
    _ table: AdoptedTable, _ name: String, _ since: NamesSince, _ editions: Scratch, _ number: Int
  ) throws {
    (self.table, self.editions, self.number) = (table, editions, number)
    let schema = try editions.session.schema(of: name)
    self.schema = schema
    names = table.columns.map { column in
      schema.columns.first { since.column($0.name, of: name).isSameName(as: column.name) }?.name
    }
    // Rows that are known by other names are compared from the edition on that has today's.
    let isAsNow = name.isSameName(as: table.target.name) && since.isEmpty
    translating =
      try table.isTranslated && isAsNow && editions.serving(name) != nil
      ? SeededTable(name, scratch: editions, version: table.seeded.version, table.seeded.context)
      : nil
    translating?.passesOverMissingParents = true
  }

  /// The names of the key's columns in the edition.
  private var keys: [String] {
    table.target.key.names.compactMap { key in
      table.columns.firstIndex { $0.name.isSameName(as: key) }.flatMap { names[$0] }
    }
  }

  /// Adds the rows that the edition changed.
  func read(_ played: Migrator.Report) throws {
    if table.isTranslated, translating == nil { return }
    let known = names.compactMap(\.self)
    let all = "SELECT \(known.quotedList) FROM \(schema.sql)"
    guard let changed = try changedKeys(played) else {
      let rows = try editions.session.cursor(all)
      while try rows.step() {
        try editions.session.cancellation?.check()
        try add(rows.values(from: 0))
      }
      return
    }
    let row = try editions.session.cursor(
      "\(all) WHERE \(keys.equalsParameters().allTrue)")
    for key in changed {
      try editions.session.cancellation?.check()
      row.bind(key.values)
      while try row.step() { try add(row.values(from: 0)) }
    }
  }

  /// The keys of the rows that the edition changed; nil if only reading all rows shows them.
  private func changedKeys(_ played: Migrator.Report) throws -> [Migrator.Row]? {
    guard number > 1, keys.count == table.target.key.count,
      try editions.session.triggers(of: schema.name).isEmpty, played.migrations.count == 1,
      let migration = editions.migrations.last, migration.version == played.migrations[0].version,
      migration.files.allSatisfy({ $0.table != nil }), try !changesKeys(migration)
    else { return nil }
    return played.migrations[0].tables.first { $0.table.isSameText(as: schema.name) }?
      .changedKeys
  }

  private func changesKeys(_ migration: Migration) throws -> Bool {
    try migration.files.contains { file in
      guard case .update(let name) = file.kind else { return false }
      let keys = try editions.seededTarget(name).key.names
      return try editions.catalog.rows(of: file, in: migration).header.contains { field in
        guard field.name.hasPrefix("was:") else { return false }
        let column = String(field.name.dropFirst(4))
        return keys.contains(name: column) || column.utf8.contains(UInt8(ascii: ":"))
      }
    }
  }

  private func add(_ values: [Value]) throws {
    var next = values.makeIterator()
    let row = try zip(names, table.columns).map { name, column in
      name == nil ? try table.valueBefore(column) : next.next() ?? .null
    }
    let state =
      try translating.map { try table.state(row, of: $0) } ?? AdoptedTable.State(values: row)
    if let state { try table.add(state, edition: number) }
  }
}
