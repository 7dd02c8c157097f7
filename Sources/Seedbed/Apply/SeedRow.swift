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
      "SELECT \(names.quotedList) FROM \(target.sql) WHERE \(Self.isRow(target.key.map(\.name)))",
      key
    ).first.map { Migrator.Row(names, $0) }
  }

  /// The row of the catalog, its references by the keys that rows have in this database.
  func wanted(_ key: [Value]) throws -> Migrator.Row? {
    let names = columns.map(\.name)
    let found = try scratch.connection.rows(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql) "
        + "WHERE \(Self.isRow(target.key.map(\.name)))", key
    ).first
    guard let found else { return nil }
    guard let row = try live(found, names, scratchTarget) else { throw try parentMissing(found) }
    return Migrator.Row(names, row)
  }

  /// The key of a seed row as a person writes it on a command line.
  func key(written text: String) throws -> Migrator.Row {
    let names = target.key.map(\.name)
    let rows = try scratch.connection.prepare(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql)")
    while try rows.step() {
      let values = rows.values()
      if Self.text(values) == text { return Migrator.Row(names, values) }
    }
    throw SeedbedError.noSuchSeedRow(text, target.name, key: names)
  }

  /// Whether its rows go with those that they refer to.
  func isDisposable() throws -> Bool {
    try mergeContext().keyOptions.disposable.values.joined().contains(target.name)
  }

  /// As the ledger has it.
  func collated(_ key: [Value]) -> String { RowJSON.collatedKey(target.key, key) }
}
