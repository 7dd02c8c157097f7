/// Compares one table's rows in a database with the catalog's, and puts what the user changed into
/// words that mean the same in every database: ids that this one chose become natural keys.
///
/// 1. Each row of the database is looked up in the scratch database, by the catalog's own key.
/// 2. A row that is there is the seed's, unless its key is left to the user: each differing value
///    of a column that files set is an edit.
/// 3. A row that is not there is the user's own: an addition.
/// 4. A row of the scratch database that the database does not have was deleted, unless the merge
///    skipped it.
final class SuggestionSearch {
  private let seeded: SeededTable
  private let isOfOther: UserRowFinder.Test
  private let fields: [SuggestionField]
  private(set) var found: [FoundSuggestion] = []
  /// Changes that were left out, since they refer to rows of the user's own.
  private(set) var omitted = 0
  private var scratch: any DatabaseSession { seeded.scratch.session }
  private var scratchTarget: TableTarget { seeded.scratchTarget }

  /// - Parameter isOfOther: whether a row is of another catalog of the database.
  init(_ seeded: SeededTable, isOfOther: @escaping UserRowFinder.Test) throws {
    (self.seeded, self.isOfOther) = (seeded, isOfOther)
    fields = try SuggestionField.read(of: seeded.scratchTarget, in: seeded.scratch)
  }

  func run(deletions: Bool, additions: Bool) throws {
    let keys = seeded.target.key.map(\.name.quoted)
    let rows = try seeded.connection.cursor(
      "SELECT \((seeded.keyNames + seeded.names).quotedList) FROM \(seeded.target.sql) "
        + "WHERE \(keys.map { "\($0) IS NOT NULL" }.allTrue) "
        + "ORDER BY \(keys.joined(separator: ", "))"
    )
    let originals = try scratch.cursor(
      "SELECT \(seeded.names.quotedList) FROM \(scratchTarget.sql) WHERE \(seeded.isRow)")
    while try rows.step() {
      let values = rows.values(from: 0)
      let key = Array(values.prefix(seeded.keyNames.count))
      let mine = Migrator.Row(seeded.names, Array(values.dropFirst(key.count)))
      guard let original = try original(of: key, originals) else {
        if additions, try !isOfOther(key, mine) { try add(mine) }
        continue
      }
      let edits = try fields.filter { try !$0.isKey && isChanged($0, mine, original) }
      // If a release left a key to the user, its row is theirs.
      if !edits.isEmpty, try isUsers(key) {
        if additions, try !isOfOther(key, mine) { try add(mine) }
        continue
      }
      for field in edits { try edit(field, mine, original) }
    }
    if deletions { try delete() }
  }

  /// The catalog's row with this key of the database; nil for a row of the user's own.
  private func original(of key: [Value], _ originals: any Cursor) throws -> Migrator.Row? {
    guard let key = try seeded.catalogs(key, seeded.keyNames, scratchTarget) else { return nil }
    originals.bind(key)
    guard try originals.step() else { return nil }
    let values = originals.values(from: 0)
    while try originals.step() {}
    return Migrator.Row(seeded.names, values)
  }

  private func isUsers(_ key: [Value]) throws -> Bool {
    try seeded.reason(key) != nil
  }

  // MARK: edits

  private func isChanged(
    _ field: SuggestionField, _ mine: Migrator.Row, _ original: Migrator.Row
  ) throws -> Bool {
    func isSame(_ mine: Migrator.Row) -> Bool {
      field.fills.allSatisfy { seeded.target.isSame(mine[$0], original[$0], in: $0) }
    }
    // Ids that each database chose differ, and mean the same.
    guard try hasChosenIDs(field) else { return !isSame(mine) }
    return try catalogs(field, mine).map { !isSame($0) } ?? true
  }

  private func edit(
    _ field: SuggestionField, _ mine: Migrator.Row, _ original: Migrator.Row
  ) throws {
    guard let mine = try catalogs(field, mine) else { return omitted += 1 }
    let (base, value) = (try self.value(field, original), try self.value(field, mine))
    // Several fields may name one row, and this one may be the same in both.
    if seeded.target.isSame(base, value, in: field.header) { return }
    found.append(
      FoundSuggestion(
        suggestion: Migrator.Suggestion(
          .edit, table: seeded.target.name, key: try key(original), column: field.header,
          base: base, mine: value, version: seeded.version),
        made: (seeded.keyNames.map { original[$0] ?? .null }, [(field, value)])))
  }

  // MARK: references

  private func references(_ field: SuggestionField) -> [ParentKey] {
    scratchTarget.parents.filter { !$0.childColumns.asNames.isDisjoint(with: field.fills.asNames) }
  }

  private func hasChosenIDs(_ field: SuggestionField) throws -> Bool {
    try references(field).contains { try seeded.targetWithChosenIDs($0) != nil }
  }

  /// The row with the catalog's own ids in the columns that a field fills; nil if one of them
  /// refers to a row that the catalog does not have.
  private func catalogs(_ field: SuggestionField, _ row: Migrator.Row) throws -> Migrator.Row? {
    var values = row.values
    for parent in references(field) {
      let slots = parent.childColumns.compactMap { name in
        seeded.names.firstIndex(where: name.isSameName)
      }
      let referred = slots.map { row.values[$0] }
      if slots.count < parent.childColumns.count || referred.contains(.null) { continue }
      guard let own = try seeded.catalogs(referred, parent.childColumns, scratchTarget),
        try scratch.value(
          "SELECT 1 FROM \(scratch.schema(of: parent.parent).sql) "
            + "WHERE \(parent.parentColumns.equalsParameters().allTrue)", own) != nil
      else { return nil }
      for (slot, value) in zip(slots, own) { values[slot] = value }
    }
    return Migrator.Row(row.columns, values)
  }

  /// The value of a field for a row with the catalog's own ids.
  private func value(_ field: SuggestionField, _ row: Migrator.Row) throws -> Value {
    try field.value(of: field.fills.map { row[$0] ?? .null }, on: scratch) ?? .null
  }

  private func key(_ row: Migrator.Row) throws -> Migrator.Row {
    let keys = fields.filter(\.isKey)
    return Migrator.Row(keys.map(\.header), try keys.map { try value($0, row) })
  }

  // MARK: whole rows

  private func add(_ row: Migrator.Row) throws {
    var values: [Value] = []
    var key = row
    for field in fields {
      guard let own = try catalogs(field, row) else { return omitted += 1 }
      if field.isKey { key = own }
      values.append(try value(field, own))
    }
    let whole = Migrator.Row(fields.map(\.header), values)
    let keys = fields.filter(\.isKey).map(\.header)
    found.append(
      FoundSuggestion(
        suggestion: Migrator.Suggestion(
          .addition, table: seeded.target.name,
          key: Migrator.Row(keys, keys.compactMap { whole[$0] }), row: whole,
          version: seeded.version),
        made: (seeded.keyNames.map { key[$0] ?? .null }, Array(zip(fields, values)))))
  }

  private func delete() throws {
    try seeded.eachAbsent { row, _, key in
      guard try seeded.absence(of: key) == .deletedByUser else { return }
      self.found.append(
        FoundSuggestion(
          suggestion: Migrator.Suggestion(
            .deletion, table: seeded.target.name, key: try self.key(row), version: seeded.version)))
    }
  }
}

/// A column of a table as the catalog's files name it.
struct SuggestionField {
  let header: String
  /// The columns of the table that it fills.
  let fills: [String]
  let isKey: Bool
  /// For a reference by natural key, a query for the name of the row with these ids.
  let name: String?

  /// The value for a row with these values in its columns; nil if it names a row that is absent.
  func value(of values: [Value], on session: any DatabaseSession) throws -> Value? {
    guard let name else { return values.first }
    return values.contains(.null) ? .null : try session.value(name, values)
  }

  /// The fields of a table without those that triggers or the app rewrite.
  static func read(of target: TableTarget, in scratch: Scratch) throws -> [SuggestionField] {
    let header = try scratch.seededNames(of: target).map {
      RowReader.HeaderField(name: $0, column: 1)
    }
    let file = MigrationFile(
      name: target.name, kind: .insert(table: target.name), size: 0, isCompressed: false)
    let check = HeaderCheck(
      file: file, place: target.name, target: target, seesEdits: false, isInverted: false,
      options: try scratch.servingOptions(of: target.name), connection: scratch.session)
    let (fields, naturals) = try check.read(header)
    let key = target.key.names.asNames
    let ignored = target.options.ignore.asNames
    return header.indices.compactMap { index in
      let natural = naturals.first { $0.fields.contains(index) }
      let column = fields[index].column
      let fills = natural.map { $0.receivers.map { fields[$0].column.name } } ?? [column.name]
      let isKey = !key.isDisjoint(with: fills.asNames)
      if !isKey, fills.allSatisfy({ ignored.contains($0) }) { return nil }
      let name = natural.map {
        "SELECT \(column.name.quoted) FROM \($0.parent.sql) "
          + "WHERE \($0.keyColumns.names.equalsParameters().allTrue)"
      }
      return SuggestionField(
        header: fields[index].header, fills: fills, isKey: isKey, name: name)
    }
  }
}

extension UserRowFinder {
  /// Finds what the user changed in the seed's rows.
  ///
  /// - Parameter tables: nil for all that the catalog's files fill.
  /// - Returns: how many changes were left out, since they refer to rows of the user's own.
  package func suggestions(
    _ tables: [String]?, deletions: Bool, additions: Bool,
    _ body: @escaping (Migrator.Suggestion) throws -> Void
  ) throws -> Int {
    let filled = try scratch.session.tableNames().filter { try scratch.serving($0) != nil }
    var omitted = 0
    var searched: [SeededTable] = []
    var found: [[FoundSuggestion]] = []
    for table in tables ?? filled.ordered() {
      let seeded = try SeededTable(table, scratch: scratch, version: version, context)
      seeded.passesOverMissingParents = true
      let search = try SuggestionSearch(seeded, isOfOther: testOfOthers(of: seeded.target))
      try connection.withFixedSchema {
        try search.run(deletions: deletions, additions: additions)
      }
      omitted += search.omitted
      searched.append(seeded)
      found.append(search.found)
    }
    if found.joined().contains(where: { $0.made != nil }) {
      try EarlierEditions(searched, of: scratch, playing: makeScratch()).remove(from: &found)
    }
    for suggestion in found.joined() { try body(suggestion.suggestion) }
    return omitted
  }
}
