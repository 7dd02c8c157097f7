/// What a search found in one table: a suggestion, and the row by which earlier editions have it.
struct FoundSuggestion {
  let suggestion: Migrator.Suggestion
  /// The row's key in the scratch database, and the values that the user made; nil for a row that
  /// the user deleted.
  var made: (key: [Value], values: [(field: SuggestionField, value: Value)])?
}

/// Leaves out what the publisher shipped: an old app may have left an earlier edition's value,
/// which no user suggests. The catalog is played a second time for that, edition by edition.
struct ShippedBefore {
  /// At the version of the database.
  let scratch: Scratch
  /// Nothing is applied to it yet.
  let editions: Scratch

  /// - Parameter found: by the present names of the tables.
  func remove(from found: inout [(table: SeededTable, suggestions: [FoundSuggestion])]) throws {
    let versions = scratch.migrations.map(\.version)
    for version in versions.dropLast() {
      if found.allSatisfy({ $0.suggestions.allSatisfy { $0.made == nil } }) { return }
      try editions.begin(to: version)
      let names = NamesSince(after: version, scratch.renamed)
      for table in try editions.session.tableNames() {
        let now = names.table(table)
        guard let index = found.firstIndex(where: { $0.table.target.name.isSameName(as: now) })
        else { continue }
        let edition = try EditionTable(found[index].table, table, names, editions.session)
        found[index].suggestions = try found[index].suggestions.filter { suggestion in
          guard let made = suggestion.made else { return true }
          return try !edition.has(made.values, key: made.key)
        }
      }
    }
  }
}

/// Finds conflicts whose row a later release retired, even if a still later one uses its key for
/// another row. What a person says about the one is not said about the other.
struct RetiredSince {
  /// At the version of the database.
  let scratch: Scratch

  /// - Parameters:
  ///   - editions: makes another one to which nothing is applied yet, if it is needed.
  ///   - table: a table by its present name; nil if there is none.
  /// - Returns: the numbers of the conflicts.
  func find(
    among conflicts: [Migrator.Conflict], editions: () throws -> Scratch,
    _ table: (String) throws -> SeededTable?
  ) throws -> Set<Int64> {
    var found: Set<Int64> = []
    let retiring = { (table: String) in
      scratch.migrations.dropLast().filter { migration in
        scratch.files(in: migration, of: table).contains {
          if case .delete = $0.kind { true } else { false }
        }
      }.map(\.version)
    }
    let groups = try conflicts.grouped(by: \.table).compactMap { group in
      let last = retiring(group[0].table).last ?? 0
      let old = group.filter { $0.version < last }
      return try old.isEmpty ? nil : table(group[0].table).map { (seeded: $0, conflicts: old) }
    }
    if groups.isEmpty { return [] }
    let editions = try editions()
    for version in Set(groups.flatMap { retiring($0.seeded.target.name) }).ordered() {
      try editions.begin(to: version)
      let names = NamesSince(after: version, scratch.renamed)
      for name in try editions.session.tableNames() {
        for (seeded, conflicts) in groups
        where seeded.target.name.isSameName(as: names.table(name)) {
          let edition = try EditionTable(seeded, name, names, editions.session)
          for conflict in conflicts where conflict.version < version {
            let key = try? seeded.catalogs(
              seeded.keyValues(conflict.key), seeded.keyNames, seeded.scratchTarget)
            if let key, try edition.row(key, []) == nil { found.insert(conflict.id) }
          }
        }
      }
    }
    return found
  }
}

/// One table in an earlier edition.
private struct EditionTable {
  let seeded: SeededTable
  let schema: TableSchema
  let session: any DatabaseSession
  /// The names of that edition, by the present ones.
  let columns: [Name: String]
  let isAsNow: Bool

  init(
    _ seeded: SeededTable, _ name: String, _ since: NamesSince, _ session: any DatabaseSession
  ) throws {
    (self.seeded, self.session) = (seeded, session)
    schema = try session.schema(of: name)
    columns = Dictionary(
      schema.columns.map { (Name(since.column($0.name, of: name)), $0.name) }
    ) { first, _ in first }
    isAsNow = since.isEmpty
  }

  /// Whether the edition's row with this key has these values.
  func has(_ values: [(field: SuggestionField, value: Value)], key: [Value]) throws -> Bool {
    for (field, value) in values {
      let fills = field.fills.compactMap { columns[Name($0)] }
      // A name of another row is looked up by today's names.
      guard fills.count == field.fills.count, field.name == nil || isAsNow else { return false }
      guard let row = try row(key, fills), let shipped = try field.value(of: row, on: session),
        seeded.target.isSame(value, shipped, in: field.fills[0])
      else { return false }
    }
    return true
  }

  /// These columns of a row, before a 1; nil if the edition has no such row.
  func row(_ key: [Value], _ names: [String]) throws -> [Value]? {
    let keys = seeded.keyNames.compactMap { columns[Name($0)] }
    guard keys.count == seeded.keyNames.count else { return nil }
    return try session.rows(
      "SELECT \((names.map(\.quoted) + ["1"]).listed) FROM \(schema.sql) "
        + "WHERE \(keys.equalsParameters().allTrue)", key
    ).first
  }
}
