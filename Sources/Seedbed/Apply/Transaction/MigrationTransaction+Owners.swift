extension MigrationTransaction {
  /// The owners for whom the files are read.
  func readOwners(_ options: KeyOptions) throws {
    guard let owners = options.owners else { return }
    if context.isOnScratch {
      for (name, table) in self.options.tables {
        guard let column = table.per?.column?.value else { continue }
        try connection.leaveToApp(column, of: name.text)
      }
    } else {
      try ledger.create(for: owners, on: connection)
      try ledger.forgetGoneOwners(of: owners, on: connection)
    }
    let standIn = context.isOnScratch ? [owners.anyOwner] : nil
    let all = try context.owners ?? standIn ?? ledger.owners(on: connection)
    isWithoutOwners = all.isEmpty
    try owners.read(for: all, mixes: context.owners != nil || standIn == nil, on: connection)
  }

  /// Throws what is wrong with the option `per`, or if a new owner's rows could not be worked out.
  func refuseOwners(of table: String, _ keys: KeyOptions, _ place: String) throws {
    if keys.owners == nil {
      var owners = MigrationOptions()
      for (name, table) in options.tables where table.per != nil {
        var own = TableOptions()
        (own.ownKey, own.per) = (table.ownKey, table.per)
        owners.tables[name] = own
      }
      _ = try KeyOptions(owners, ledger: ledger, on: connection, insists: (true, true))
    }
    if context.isOnScratch { return }
    let all = try catalog.snapshots() + catalog.migrations()
    for name in [table] + (keys.owners.map { [$0.table.name] } ?? [])
    where try !catalog.isNamed(
      name, in: [.schema, .up, .after], of: all, connection.dialect.flavour, behind: "REFERENCES")
    {
      throw SeedbedError.catalog(
        "No SQL of the catalog creates '\(name)', and the rows of a new owner are worked out on a "
          + "scratch database. Write a schema.sql that creates the tables of the app.",
        SeedbedError.Place(place))
    }
  }
}
