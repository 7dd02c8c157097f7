/// One row of a table, in the database and in the catalog.
extension SeededTable {
  /// The values of a key in the order of the table's key.
  ///
  /// - Parameter key: by the names of its columns, or `Row(positional:)`.
  func keyValues(_ key: Migrator.Row) throws -> [Value] {
    if key.isPositional, key.values.count == keyNames.count { return key.values }
    let values = keyNames.compactMap { name in
      key.columns.firstIndex { $0.isSameName(as: name) }
        .map { key.values[$0] }
    }
    guard values.count == keyNames.count, key.columns.count == keyNames.count else {
      let given = key.columns.isEmpty ? "nothing" : key.columns.joined(separator: ", ")
      let names = try keyForm().map { ", or by \($0.headers.joined(separator: ", "))" } ?? ""
      throw SeedbedError(
        .usage,
        "A row of '\(target.name)' is known by \(keyNames.joined(separator: ", "))\(names), and "
          + "not by \(given.shortened(to: 80)).")
    }
    return values
  }

  /// The whole row in the database.
  func current(_ key: [Value]) throws -> Migrator.Row? {
    let names = target.schema.columns.names
    return try connection.rows(
      "SELECT \(names.quotedList) FROM \(target.sql) WHERE \(isRow)", key
    ).first.map { Migrator.Row(names, $0) }
  }

  /// The catalog's row that has this key in the database, with its references changed to the keys
  /// in this database.
  ///
  /// - Parameter asks: whether its parent must exist.
  func wanted(_ key: [Value], parent asks: Bool = true) throws -> Migrator.Row? {
    try refuseHalfReferences()
    if let theirs = try catalogs(key, keyNames, scratchTarget) {
      return try seedRow(theirs, parent: asks)
    }
    // The catalog has no row that refers to a user's. It may have one that refers to a row that is
    // gone.
    if let unknown = try unknownParent(of: key), unknown.isMissing {
      throw SeedbedError(.foreignKey, "\(unknown.sentence) Put that row back first.")
    }
    return nil
  }

  /// The row with this key of the catalog, with its references changed to the keys in this
  /// database.
  func seedRow(_ key: [Value], parent asks: Bool) throws -> Migrator.Row? {
    let found = try scratch.session.rows(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql) WHERE \(isRow)", key
    ).first
    guard let found else { return nil }
    if let row = try live(found, names, scratchTarget) { return Migrator.Row(names, row) }
    if asks { throw try parentMissing(found) }
    return Migrator.Row(names, found)
  }

  /// The catalog's row that has this key in the database, with its references changed to the keys
  /// in this database; nil if the catalog does not have it.
  ///
  /// - Parameter others: columns that no file fills, whose values are wanted as well.
  func original(of key: [Value], with others: [String]) throws -> Migrator.Row? {
    guard let key = try catalogs(key, keyNames, scratchTarget) else { return nil }
    let names = self.names + others
    let found = try scratch.session.rows(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql) WHERE \(isRow)", key
    ).first
    guard let found else { return nil }
    return Migrator.Row(names, try live(found, names, scratchTarget) ?? found)
  }

  /// The same values, with references to ids that this database chose changed to those in the
  /// scratch database; nil if it does not have a row that is referred to.
  func catalogs(
    _ values: [Value], _ names: [String], _ target: TableTarget, depth: Int = 0
  ) throws -> [Value]? {
    try Self.refuseCircle(depth, target)
    var values = values
    for (parent, slots, referred) in Self.references(of: values, names, by: target.parents) {
      guard let other = try targetWithChosenIDs(parent) else { continue }
      let natural = other.key.names
      let mine = try connection.rows(
        "SELECT \(natural.quotedList) FROM \(connection.schema(of: parent.parent).sql) "
          + "WHERE \(parent.parentColumns.equalsParameters().allTrue)", referred
      ).first
      guard let mine, let key = try catalogs(mine, natural, other, depth: depth + 1),
        let theirs = try scratch.session.rows(
          "SELECT \(parent.parentColumns.quotedList) FROM \(other.sql) "
            + "WHERE \(natural.equalsParameters().allTrue)", key
        ).first
      else { return nil }
      for (slot, value) in zip(slots, theirs) { values[slot] = value }
    }
    return values
  }

  /// Whether a row of the database or of the catalog is the seed's or the user's.
  ///
  /// - Parameter left: why its key is left to the user.
  func kind(
    _ current: Migrator.Row?, _ wanted: Migrator.Row?, left: Reason?
  ) -> Migrator.Origin.Kind {
    guard let current else { return .deletedSeed }
    // If a release left a key to the user, its row is theirs.
    guard let wanted, left == nil else { return .user }
    let ignored = target.options.ignore.asNames
    let isSame = zip(wanted.columns, wanted.values).allSatisfy { name, value in
      ignored.contains(name) || target.isSame(current[name], value, in: name)
    }
    return isSame ? .seed : .editedSeed
  }

  /// Whether a migration gave rows of the table other keys, from that one on.
  func hasNewKeys(from version: Version) throws -> Bool {
    let keys = keyNames.asNames
    return try scratch.migrations.contains { migration in
      guard migration.version >= version else { return false }
      let names = scratch.names(since: migration)
      return try scratch.files(in: migration, of: target.name).contains { file in
        guard case .update(let table) = file.kind else { return false }
        return try scratch.catalog.rows(of: file, in: migration).header.contains { field in
          field.name.hasPrefix("was:")
            && keys.contains(names.column(String(field.name.dropFirst(4)), of: table))
        }
      }
    }
  }

  /// The error if a row of the same table, to which the key of the catalog's row refers, is gone.
  func parentMissing(of key: [Value]) throws -> SeedbedError {
    let row = try scratch.session.rows(
      "SELECT \(names.quotedList) FROM \(scratchTarget.sql) WHERE \(isRow)", key
    ).first
    return try row.map { try parentMissing($0) } ?? .reseedOrphans(target.name)
  }

  /// Whether its rows are deleted with the rows that they refer to.
  func isDisposable() throws -> Bool {
    try mergeContext().keyOptions.disposable.values.joined().contains(text: target.name)
  }

  /// Why a release or a person left the key to the user; nil if none did.
  func reason(_ key: [Value]) throws -> Reason? {
    try ledger.reason(table: target.name, key: collated(key), on: connection)
  }

  func isPinned(_ key: [Value]) throws -> Bool {
    try ledger.isPinned(table: target.name, key: collated(key), on: connection)
  }

  /// The key in the ledger's form.
  func collated(_ key: [Value]) -> String { RowJSON.collatedKey(target.key, key) }
}
