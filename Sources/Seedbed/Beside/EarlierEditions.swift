/// What a search found in one table: a suggestion, and the row by which earlier editions have it.
struct FoundSuggestion {
  let suggestion: Migrator.Suggestion
  /// The row's key in the scratch database, and the values that the user made; nil for a row that
  /// the user deleted.
  var made: (key: [Value], values: [(field: SuggestionField, value: Value)])?
}

/// Tables in all editions of the catalog up to that of the database, by the keys of the scratch
/// database.
struct EarlierEditions {
  /// All editions are applied to it.
  private let playing: Scratch
  private let editions: Editions
  private let versions: [Version]

  /// - Parameters:
  ///   - tables: at the version of the database.
  ///   - playing: nothing is applied to it yet.
  init(_ tables: [SeededTable], of scratch: Scratch, playing: Scratch) throws {
    self.playing = playing
    versions = scratch.migrations.map(\.version)
    let played = try tables.enumerated().map {
      try PlayedTable(
        $0, $1.target, $1.scratchTarget, columns: $1.columns, hasLedger: true,
        on: playing.session)
    }
    var editions = Editions(playing, played) { NamesSince(after: $0, scratch.renamed) }
    try editions.play(versions)
    self.editions = editions
  }

  /// Leaves out what the publisher shipped: an old app may have left an earlier edition's value,
  /// which no user suggests.
  ///
  /// - Parameter found: for each table.
  func remove(from found: inout [[FoundSuggestion]]) throws {
    for table in editions.tables {
      found[table.number] = try found[table.number].filter { suggestion in
        guard let made = suggestion.made else { return true }
        return try !had(made.values, key: made.key, table)
      }
    }
  }

  /// Whether the row with this key had these values in an earlier edition.
  private func had(
    _ values: [(field: SuggestionField, value: Value)], key: [Value], _ table: PlayedTable
  ) throws -> Bool {
    let fills = values.map { $0.field.fills.compactMap(table.slot) }
    let first = fills.joined().map { editions.firstEditions[table.number][$0] }.max() ?? 1
    let now = "z.until = \(Editions.never) AND \(isKey(table, "z"))"
    let rows = try playing.session.rows(
      """
      SELECT \(fills.joined().map { "s.v\($0)" }.listed) FROM \(editions.states(table)) AS s
      WHERE s.until < \(Editions.never) AND s.until > \(first)
        AND (\(isKey(table, "s")) OR s.identity IN (
          SELECT z.identity FROM \(editions.states(table)) AS z WHERE \(now)))
      """, key + key)
    return try rows.contains { row in
      var rest = row[...]
      return try zip(values, fills).allSatisfy { made, slots in
        let shipped = try made.field.value(of: Array(rest.prefix(slots.count)), on: playing.session)
        rest = rest.dropFirst(slots.count)
        return shipped.map { table.target.isSame(made.value, $0, in: made.field.fills[0]) } ?? false
      }
    }
  }

  /// Whether a later release retired the row that had a key at a version, even if a still later one
  /// uses the key for another row. What a person says about the one is not said about the other.
  ///
  /// - Parameter table: its position.
  func hasRetired(_ key: [Value], since version: Version, in table: Int) throws -> Bool {
    let table = editions.tables[table]
    let edition = max(1, versions.count { $0 <= version })
    return try playing.session.value(
      """
      SELECT 1 FROM \(editions.states(table)) AS s
      WHERE \(isKey(table, "s")) AND s.edition <= \(edition) AND s.until > \(edition)
        AND NOT EXISTS (SELECT 1 FROM \(editions.states(table)) AS z
          WHERE z.identity = s.identity AND z.until = \(Editions.never))
      """, key) != nil
  }

  private func isKey(_ table: PlayedTable, _ row: String) -> String {
    table.keys.map { "\(row).v\($0) = ?" }.allTrue
  }
}
