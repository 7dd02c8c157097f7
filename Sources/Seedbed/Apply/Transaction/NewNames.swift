/// Updates the ledger if the SQL of a migration gives tables or columns new names. Refuses SQL
/// after which it is unclear which table is which.
final class NewNames {
  private let migration: Migration
  private let options: MigrationOptions
  private let context: RunContext
  /// The tables since the migration's first statement that may give new names.
  private var all: FollowedTables?
  /// The same for the SQL file that is running.
  private var ofFile: FollowedTables?
  /// Tables that its SQL created before that statement.
  private var made: Set<Name> = []
  /// The statements that dropped tables or columns, by the table's old name.
  private var losses: [ExactText: SeedbedError.Place] = [:]
  private var connection: any DatabaseSession { context.connection }

  init(_ migration: Migration, _ options: MigrationOptions, _ context: RunContext) {
    (self.migration, self.options, self.context) = (migration, options, context)
  }

  /// Statements that neither rename nor drop. They are most of a file, and need no comparison.
  private static let harmless: Set = ["CREATE", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"]

  /// - Returns: what follows the names that the statement has given, if it may give any.
  func look(_ statement: Script.UpcomingStatement) throws -> (() throws -> Void)? {
    if all == nil {
      for case .create(let table) in statement.effects { made.insert(table) }
    }
    if Self.harmless.contains(SQLTokens.firstWords(1, of: statement.sql).first ?? "") {
      return nil
    }
    let layouts = try ofFile?.layouts ?? layouts()
    all = all ?? FollowedTables(layouts)
    ofFile = ofFile ?? FollowedTables(layouts)
    return { [self] in try follow(statement.place) }
  }

  private func follow(_ place: SeedbedError.Place) throws {
    let layouts = try layouts()
    ofFile?.follow(layouts)
    all?.follow(layouts)
    for table in all?.tables ?? [] {
      let name = table.old.name
      let isWhole = table.isThere && table.columns.count == table.old.columns.count
      losses[name] = isWhole ? nil : losses[name] ?? place
    }
  }

  /// Reads the layouts between two statements, without the rules of the SQL file.
  private func layouts() throws -> [TableLayout] {
    try connection.asSeedbed { try connection.layouts() }
  }

  /// Runs an SQL file, and updates the ledger for the names that it gave.
  func following(_ kind: MigrationFile.Kind, _ run: () throws -> Void) throws {
    assert(ofFile == nil, "One file runs at a time.")
    try run()
    let renamed = ofFile?.renamed ?? []
    ofFile = nil
    if renamed.isEmpty { return }
    try context.ledger.follow(renamed, on: connection)
    context.renamed.append(.init(version: migration.version, file: kind, tables: renamed))
  }

  /// The new names that the migration's SQL has given so far.
  var given: [Ledger.Renamed] { all?.renamed ?? [] }

  // MARK: what cannot be followed

  /// Refuses names that cannot be followed. Only the catalog decides, so a device, `lint` and
  /// `make` refuse the same.
  func refuseWhatCannotBeFollowed() throws {
    guard let all else { return }
    for table in all.tables {
      let name = table.old.name
      guard let place = losses[name], !made.contains(name), try isServed(name)
      else { continue }
      let key = key(of: table)
      if !table.isThere, let other = try heir(to: key, among: all) {
        throw SeedbedError.madeAgain(name, as: other, place)
      }
      if table.isThere, let column = key.first(where: { table.columns[$0] == nil }) {
        throw SeedbedError.keyColumnGone(column, of: name, place)
      }
    }
  }

  private func isServed(_ table: String) throws -> Bool {
    let earlier = try context.catalog.migrations().filter { $0.version <= migration.version }
    return try (earlier + context.catalog.snapshots()).contains { migration in
      !migration.isWithdrawn && migration.files.contains { $0.serves(table) }
    }
  }

  /// The columns that identified its rows, under their names at that time.
  private func key(of table: FollowedTables.Table) -> [String] {
    let columns = table.old.columns
    let option = options.table(table.now.name).key ?? options.table(table.old.name).key ?? []
    let named = option.compactMap { name in columns.first { $0.name.isSameName(as: name) } }
    let isThere = !option.isEmpty && named.count == option.count
    return (isThere ? named : columns.filter(\.isInPrimaryKey)).map(\.name)
  }

  /// A table that the migration created with these columns.
  private func heir(to key: [String], among all: FollowedTables) throws -> String? {
    let known = all.tables.filter { $0.isThere && !made.contains($0.old.name) }
    let names = known.map(\.now.name).asTexts
    return try all.layouts.first { layout in
      try !names.contains(layout.name) && !context.ledger.owns(layout.name)
        && key.allSatisfy { name in layout.columns.map(\.name).contains(name: name) }
        && connection.object(named: layout.name)?.kind == .table
    }?.name
  }
}

extension SeedbedError {
  fileprivate static func madeAgain(
    _ table: String, as other: String, _ place: Place
  ) -> SeedbedError {
    SeedbedError(
      .sql,
      "This SQL drops '\(table)', which has rows of releases, and makes '\(other)' with the same "
        + "key columns. Seedbed knows by a table's name which keys are left to the user, and "
        + "cannot tell whether '\(other)' is the same table. If it is, rename it with ALTER TABLE "
        + "… RENAME TO. If it is not, drop '\(table)' in a migration of its own.", at: place)
  }

  fileprivate static func keyColumnGone(
    _ column: String, of table: String, _ place: Place
  ) -> SeedbedError {
    SeedbedError(
      .sql,
      "This SQL removes the column '\(column)' of '\(table)', by which Seedbed knows the rows of "
        + "releases and the keys that are left to the user. If it only has another name, rename it "
        + "with ALTER TABLE … RENAME COLUMN. If other columns are the key now, name them in the "
        + "option 'key', ship a release with rows of the table, and remove the column in a later "
        + "one.", at: place)
  }
}
