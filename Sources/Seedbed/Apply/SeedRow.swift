/// One row of a table, in the database and in the catalog.
extension Reseed {
  /// The values of a key in the order of the table's key.
  func keyValues(_ key: Migrator.Row) throws -> [Value] {
    let names = target.key.map(\.name)
    let values = names.compactMap { name in
      key.columns.firstIndex { $0.asciiLowercased() == name.asciiLowercased() }
        .map { key.values[$0] }
    }
    guard values.count == names.count, key.columns.count == names.count else {
      throw SeedbedError.notTheKey(key, of: target.name, names)
    }
    return values
  }

  /// The row in the database, whole.
  func current(_ key: [Value]) throws -> Migrator.Row? {
    let names = target.schema.columns.map(\.name)
    return try connection.rows(
      "SELECT \(names.quotedList) FROM \(target.sql) WHERE \(isRow)", key
    ).first.map { Migrator.Row(names, $0) }
  }

  /// The row of the catalog, its references by the keys that rows have in this database.
  ///
  /// - Parameter asks: whether its parent must be there.
  func wanted(_ key: [Value], parent asks: Bool = true) throws -> Migrator.Row? {
    try refuseChosenIDs()
    let names = columns.map(\.name)
    let found = try scratch.session.rows(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql) WHERE \(isRow)", key
    ).first
    guard let found else { return nil }
    if let row = try live(found, names, scratchTarget) { return Migrator.Row(names, row) }
    if asks { throw try parentMissing(found) }
    return Migrator.Row(names, found)
  }

  private var isRow: String { Self.isRow(target.key.map(\.name)) }

  /// A key that holds an id which the database chose is another one in the catalog's own tables.
  private func refuseChosenIDs() throws {
    let key = Set(target.key.map(\.name))
    for parent in scratchTarget.parents where !key.isDisjoint(with: parent.childColumns) {
      guard try scratch.serving(parent.parent) != nil else { continue }
      let seeded = try scratch.seededColumns(of: scratch.seededTarget(parent.parent)).map(\.name)
      if !parent.parentColumns.allSatisfy(seeded.contains) {
        throw SeedbedError.chosenID(target.name, parent.parent)
      }
    }
  }

  /// Whether a migration after that one gave rows of the table other keys.
  func hasNewKeys(since version: Version) throws -> Bool {
    let bases = Set(target.key.map { "was:" + $0.name.asciiLowercased() })
    return try scratch.migrations.contains { migration in
      try migration.version > version
        && migration.files.contains { file in
          guard case .update = file.kind, file.serves(target.name) else { return false }
          return try scratch.catalog.rows(of: file, in: migration).header.contains {
            bases.contains($0.name.asciiLowercased())
          }
        }
    }
  }

  /// The key of a seed row as a person writes it on a command line.
  func key(written text: String) throws -> [Value] {
    let names = target.key.map(\.name)
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    if words.count == names.count, !text.contains("\"") {
      // As the columns compare: 3 is 3.0, and NOCASE knows no case.
      let found = try scratch.session.rows(
        "SELECT \(names.quotedList) FROM \(scratchTarget.sql) WHERE \(isRow)",
        words.map { .text($0) })
      if let key = found.first { return key }
    }
    let rows = try scratch.session.cursor(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql)")
    while try rows.step() {
      let values = rows.values(from: 0)
      if Self.text(values).utf8.elementsEqual(text.utf8) { return values }
    }
    throw SeedbedError.noSuchSeedRow(text, target.name, key: names)
  }

  /// Whether its rows go with those that they refer to.
  func isDisposable() throws -> Bool {
    try mergeContext().keyOptions.disposable.values.joined().contains(target.name)
  }

  /// Why the key is left to the user; nil if it is not.
  func reason(_ key: [Value]) throws -> String? {
    try ledger.reason(table: target.name, key: collated(key), on: connection)
  }

  /// As the ledger has it.
  func collated(_ key: [Value]) -> String { RowJSON.collatedKey(target.key, key) }
}
