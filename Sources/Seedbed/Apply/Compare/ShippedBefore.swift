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
    let keys = seeded.keyNames.compactMap { columns[Name($0)] }
    guard keys.count == seeded.keyNames.count else { return false }
    for (field, value) in values {
      let fills = field.fills.compactMap { columns[Name($0)] }
      // A name of another row is looked up by today's names.
      guard fills.count == field.fills.count, field.name == nil || isAsNow else { return false }
      let row = try session.rows(
        "SELECT \(fills.quotedList) FROM \(schema.sql) WHERE \(keys.equalsParameters().allTrue)",
        key
      ).first
      guard let row, let shipped = try field.value(of: row, on: session),
        seeded.target.isSame(value, shipped, in: field.fills[0])
      else { return false }
    }
    return true
  }
}
