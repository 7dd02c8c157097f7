/// What a catalog makes of an empty database, for who writes its next migration.
package final class Scratch {
  package let catalog: Catalog
  let fold: Fold
  private let cancellation: Cancellation?
  private let options: MigrationOptions
  let writes: SQLWrites?

  /// Applies all migrations of the catalog to a private database that SQLite removes.
  ///
  /// schema.sql stands in where the app owns its tables.
  ///
  /// - Parameters:
  ///   - notesWrites: for who asks which tables SQL files write.
  ///   - atOtherTime: by another clock, to see what SQL takes from it.
  package init(
    _ catalog: Catalog, to version: Version = .max, ledger: String = MigratorOptions().ledger,
    startingWith snapshot: Migration? = nil, notesWrites: Bool = false,
    atOtherTime: Bool = false, cancellation: Cancellation? = nil
  ) throws {
    self.catalog = catalog
    let writes = notesWrites ? SQLWrites() : nil
    self.writes = writes
    self.cancellation = cancellation
    options = try catalog.generalOptions()
    fold = try Fold(
      catalog, to: version, ledger: ledger, host: .real, cancellation: cancellation,
      startingWith: snapshot, atOtherTime: atOtherTime,
      onStatement: writes.map { writes in { writes.note($1, of: $0) } })
  }

  package var connection: Connection { fold.connection }

  /// Applies a catalog that goes on behind this one's last migration.
  ///
  /// - Parameter policies: above those of the catalogs.
  package func apply(_ next: Catalog, policies: Policies = Policies()) throws -> Report {
    try fold.goOn(with: next, policies, cancellation)
  }

  /// Applies more of this catalog, where the scratch stopped before its end.
  package func advance(to version: Version) throws {
    try fold.goOn(to: version, cancellation)
  }

  /// The table as catalog.json describes it; nil where there is none of that name.
  ///
  /// - Parameter other: a user's database, to look at that one's table.
  package func target(_ table: String, on other: Connection? = nil) throws -> TableTarget? {
    let connection = other ?? connection
    guard try connection.object(named: table) != nil else { return nil }
    let keys = try KeyOptions(options, ledger: fold.ledger, on: connection) { _ in false }
    return try TableTarget.read(
      table, options: options.table(table), keyOptions: keys,
      place: SeedbedError.Place(Lock.optionsName), ledger: fold.ledger, on: connection)
  }

  /// The names by which the catalog's files fill a table, each column by the last file that does,
  /// in the table's order; empty where no file serves it.
  package func seededNames(of target: TableTarget) throws -> [String] {
    try fold.seededNames(of: target)
  }

  /// The columns of all tables but the ledger's.
  package func columnsByTable() throws -> [String: [String]] {
    let names = try connection.tableNames().filter { !fold.ledger.owns($0) }
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try connection.schema(of: $0).columns.map(\.name)) })
  }

  /// Loads the readable truth of a table, all its files, beside the table.
  package func truth(_ files: [TruthFile], of target: TableTarget, number: Int) throws -> Truth {
    try Truth(files, of: target, options: options, number: number, on: connection)
  }

  /// The keys that rows of the table change, by a file that says so.
  package func renamed(_ file: TruthFile, of truth: Truth, number: Int) throws -> RenamedKeys {
    try RenamedKeys(file, of: truth, number: number, on: connection)
  }

  /// The fields by which a header's names read and write rows of a table.
  package func fields(
    _ names: [String], of target: TableTarget, on other: Connection? = nil
  ) throws -> [TruthField] {
    try TruthField.read(
      names, place: Lock.optionsName, of: target, options: options, on: other ?? connection)
  }

  /// - Throws: for a name that no table has, with the nearest one.
  package func requireTable(_ name: String, on other: Connection? = nil) throws -> TableTarget {
    if let target = try target(name, on: other) { return target }
    let names = try (other ?? connection).tableNames().filter { !fold.ledger.owns($0) }
    throw SeedbedError.noTableToShow(name, among: names)
  }

  /// The first of these tables that a user's database does not have, or would not.
  package static func missing(
    _ tables: [String], at path: String, lockTimeoutSeconds: Double
  ) throws -> String? {
    guard Paths.exists(path) else { return tables.first }
    return try Connection.reading(path, lockTimeoutSeconds: lockTimeoutSeconds) { connection in
      try tables.first { try connection.object(named: $0) == nil }
    }
  }

  /// Looks at a user's database, and changes nothing.
  package static func looking<Result>(
    at path: String, ledger: String, lockTimeoutSeconds: Double,
    _ body: (Connection, Version) throws -> Result
  ) throws -> Result {
    let ledger = try Ledger(prefix: ledger)
    return try Connection.reading(path, lockTimeoutSeconds: lockTimeoutSeconds) { connection in
      let isThere = try connection.object(named: ledger.prefix + "_migrations") != nil
      return try body(
        connection, isThere ? try ledger.head(on: connection)?.version ?? 0 : 0)
    }
  }
}

extension SeedbedError {
  fileprivate static func noTableToShow(_ name: String, among names: [String]) -> SeedbedError {
    let near = Nearest.word(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return SeedbedError(.usage, "There is no table '\(name.shortened(to: 40))'.\(near)")
  }
}
