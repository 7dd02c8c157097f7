import Seedbed

// The parts of a scratch database that the author's tools need.

extension ScratchDatabase {
  /// Applies a catalog that continues after this one's last migration.
  ///
  /// - Parameter policies: override those of the catalogs.
  func apply(_ next: Catalog, policies: Migrator.Policies = Migrator.Policies()) throws
    -> Migrator.Report
  {
    try up(
      .authored(Catalog([catalog, settings.playable(next, after: source)])), policies: policies)
  }

  /// Applies more of this catalog, if the scratch database is not at its end.
  func advance(to version: Version) throws {
    _ = try up(resolved, to: version)
  }

  /// The columns of all tables but the ledger's.
  func columnsByTable() throws -> [ExactText: [String]] {
    let names = try connection.tableNames().filter { !ledger.owns($0) }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        (ExactText($0), try connection.schema(of: $0).columns.map(\.name))
      })
  }

  /// The tables to which each table refers.
  func parentsByTable() throws -> [ExactText: Set<ExactText>] {
    let names = try connection.tableNames()
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let keys = try connection.schema(of: name).foreignKeys
        let parents = keys.map(\.parent).asNames
        return (ExactText(name), names.filter { parents.contains($0) }.asTexts)
      })
  }

  /// The tables whose rows the app makes, and to which rows of the catalog refer. That those of an
  /// owner refer to the owner is known.
  func tablesOfApp() throws -> [String] {
    try connection.leftToApp.subtracting(general().ownersTables.asNames).map(\.text).sorted()
  }

  /// The references of a table, also those that only the options declare.
  func parentKeys(of table: String) throws -> [ParentKey] {
    let options = try KeyOptions(general(), ledger: ledger, on: connection)
    return try connection.parentKeys(of: connection.schema(of: table), and: options)
  }

  /// Loads the source of a table, all its files, into a temporary table.
  func source(_ files: [SourceFile], of target: TableTarget, number: Int) throws -> SourceTable {
    try SourceTable(files, of: target, options: general(), number: number, on: connection)
  }

  /// The changes of the table's keys, as listed in a file.
  func renamed(_ file: SourceFile, of source: SourceTable, number: Int) throws -> RenamedKeys {
    try RenamedKeys(file, of: source, number: number, on: connection)
  }
}

extension Scratch {
  /// The options of catalog.json.
  func general() throws -> MigrationOptions {
    if let generalOptions { return generalOptions }
    let options = try catalog.generalOptions()
    generalOptions = options
    return options
  }

  /// The table with its options in catalog.json; nil if there is no table with that name.
  ///
  /// - Parameter other: a user's database whose table is to be used.
  func target(_ table: String, on other: (any DatabaseSession)? = nil) throws -> TableTarget? {
    let session = other ?? session
    guard try session.object(named: table) != nil else { return nil }
    let options = try general()
    let keys = try KeyOptions(options, ledger: ledger, on: session)
    let target = try TableTarget.read(
      table, options: options.table(table), keyOptions: keys,
      place: SeedbedError.Place(Lock.optionsName), ledger: ledger, on: session)
    if other != nil { return target }
    return own(owners == nil ? target.ofAnyOwner : target)
  }

  /// The fields that read and write rows of a table, by the names in a header.
  func fields(
    _ names: [String], of target: TableTarget, on other: (any DatabaseSession)? = nil
  ) throws -> [SourceField] {
    try SourceField.read(
      names, place: Lock.optionsName, of: target, options: general(), on: other ?? session)
  }

  /// - Throws: if no table has the name. The error suggests the nearest one.
  func requireTable(_ name: String, on other: (any DatabaseSession)? = nil) throws -> TableTarget {
    if let target = try target(name, on: other) { return target }
    let names = try (other ?? session).tableNames().filter { !ledger.owns($0) }
    throw SeedbedError.noTableToShow(name, among: names)
  }
}

extension SeedbedError {
  fileprivate static func noTableToShow(_ name: String, among names: [String]) -> SeedbedError {
    let near = Nearest.question(about: name, among: names)
    return SeedbedError(.usage, "There is no table '\(name.shortened(to: 40))'.\(near)")
  }
}
