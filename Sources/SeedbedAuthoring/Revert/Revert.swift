package import Seedbed

/// Makes the next migration as the inverse of an earlier one, for a bad release that users already
/// have.
///
///     let summary = try Revert(directory: "Migrations", migration: "4").make()
///
/// Inserted rows are retired, retired rows are inserted again, and changed values and keys change
/// back. If a later migration changed one of these rows, the revert is refused.
package struct Revert: Sendable {
  /// The catalog's folder.
  package let directory: String
  /// The migration to revert: a version, a folder's name, or its words.
  package let migration: String
  /// The words of the new folder's name; nil for `revert_` and the words of the old one.
  package var name: String?
  /// The treatment of the migration's SQL.
  package var sql = SQL.refuse
  /// How scratch databases are opened.
  package var settings = ScratchSettings()
  /// Tries a catalog for PostgreSQL alone with the new folder; nil for any other.
  package var onServer: ServerTrial.Closure?

  /// The treatment of SQL, which cannot be inverted automatically.
  package enum SQL: Sendable {
    /// A migration with SQL is an error.
    case refuse
    /// The SQL stays; only the rows are reverted.
    case leave
    /// The down files run on every device, whatever users have stored since.
    case takeBack
  }

  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - migration: a version, a folder's name, or its words.
  package init(directory: String, migration: String) {
    self.directory = directory
    self.migration = migration
  }

  /// Writes the folder and the lock, or nothing if no row is as the migration left it.
  ///
  /// - Throws: `SeedbedError`. Nothing was written then.
  package func make() throws -> ReleaseSummary {
    let turn = try CatalogTurn(directory)
    defer { turn.end() }
    return try reporting {
      let maker = try RevertMaker(self)
      do {
        return try maker.make()
      } catch is NothingLeft {
        return ReleaseSummary()
      }
    }
  }
}

/// None of the migration's changes are left.
private struct NothingLeft: Error {}

/// Makes one revert: inverts the files, tests them, compares, publishes.
struct RevertMaker {
  private let revert: Revert
  private let catalog: Catalog
  private let migration: Migration
  /// The same with the SQL that its author wrote.
  private let authored: Migration

  init(_ revert: Revert) throws {
    self.revert = revert
    catalog = try Catalog(authoring: revert.directory)
    try CatalogLock.refuseRewritten(catalog)
    migration = try catalog.migration(called: revert.migration)
    authored = try catalog.authored(migration)
    if migration.isWithdrawn { throw SeedbedError.revertsWithdrawn(migration.folder) }
  }

  func make() throws -> ReleaseSummary {
    let migrations = try catalog.migrations()
    let folder = try FolderNumber.next(
      after: migrations, words: revert.name ?? "revert_" + migration.name)
    var files = try sql()
    let states = try RevertedStates(migration, of: catalog, revert.settings)
    if isExact { try states.refuseLaterChanges() }
    for file in migration.files where file.isRows {
      files.append(try InvertedFile(file, in: migration, of: catalog, states.scratch).content)
    }
    if files.isEmpty { throw SeedbedError.holdsNothing(migration.folder) }
    files.append(
      NewFile(
        "migration.json",
        try catalog.optionsFile(
          like: migration, description: "Reverts \(migration.folder).")))
    var summary = ReleaseSummary()
    summary.lock = try ReleaseWriter(directory: catalog.path).publish(
      [ReleaseWriter.FolderContent(name: folder, files: files)],
      options: try catalog.hasOptions() ? try catalog.bytes(of: "catalog.json") : nil
    ) { next in
      try confirm(next, states)
    }
    summary.folders = [folder]
    summary.tables = try ReleaseReading(directory: catalog.path, migration: folder).tables.map(
      \.summary)
    summary.compared = states.tables.count
    summary.sources = try catalog.plainSources(of: summary.tables.map(\.table))
    return summary
  }

  /// Whether the tables must be as before: SQL that stays makes a difference.
  private var isExact: Bool { revert.sql != .leave || !hasSQL }
  private var hasSQL: Bool { authored.file(.up) != nil || authored.file(.after) != nil }

  /// The SQL files change places: the files for `down` run now, and the files for `up` become the
  /// down files.
  private func sql() throws -> [NewFile] {
    guard hasSQL else { return [] }
    if revert.sql == .leave { return [] }
    let twins: [(MigrationFile.Kind, MigrationFile.Kind, String, String)] = [
      (.after, .afterDown, "down.sql", "up.sql"), (.up, .down, "after.down.sql", "after.sql"),
    ]
    if revert.sql == .refuse {
      throw SeedbedError.revertsSQL(
        migration.folder,
        hasTwins: twins.allSatisfy { authored.file($0.0) == nil || authored.file($0.1) != nil })
    }
    let engine = try catalog.authoredEngine()
    return try twins.flatMap { made, undone, becomesUndone, becomes in
      guard let made = authored.file(made) else { return [NewFile]() }
      guard let undone = authored.file(undone) else {
        throw SeedbedError.noTwin(migration.folder, made)
      }
      return [
        NewFile(engine.file(becomes), try catalog.bytes(of: undone.name, in: migration.folder)),
        NewFile(engine.file(becomesUndone), try catalog.bytes(of: made.name, in: migration.folder)),
      ]
    }
  }

  /// Tries it like on a device whose user has changed nothing. A conflict then comes from the
  /// catalog.
  private func confirm(
    _ next: Catalog, _ states: RevertedStates
  ) throws {
    let report = try states.scratch.apply(
      next, policies: Migrator.Policies(onEdited: .keepEdits, onTaken: .keepUser))
    // Rows that were reverted before are already correct.
    let conflicts = report.migrations.flatMap(\.conflicts).filter { !$0.isDoneAlready }
    if !conflicts.isEmpty {
      let rows = conflicts.prefix(20).map {
        "\($0.table) \($0.key.words) (\($0.kind.rawValue))"
      }
      throw SeedbedError.changedLater(
        migration.folder, rows, count: conflicts.count,
        isLast: try catalog.migrations().last?.version == migration.version)
    }
    if isExact { try states.confirm() }
    if try !catalog.servesSQLite() { try revert.onServer?(Catalog([catalog, next]), []) }
    let tables = report.migrations.flatMap(\.tables)
    if tables.allSatisfy({ $0.counts.changed == 0 }), revert.sql != .takeBack || !hasSQL {
      throw NothingLeft()
    }
  }
}

extension SeedbedError {
  fileprivate static func revertsWithdrawn(_ folder: String) -> SeedbedError {
    SeedbedError(
      .usage,
      "'\(folder)' is withdrawn, so it has no effect. Remove 'withdrawn' from its migration.json, "
        + "make the revert, and put it back.")
  }

  fileprivate static func holdsNothing(_ folder: String) -> SeedbedError {
    SeedbedError(.usage, "'\(folder)' has no row file, so there is nothing to revert.")
  }

  fileprivate static func revertsSQL(_ folder: String, hasTwins: Bool) -> SeedbedError {
    SeedbedError(
      .sql,
      "'\(folder)' runs SQL, which cannot be inverted automatically. Revert only its rows with "
        + "--rows-only, and write the rest by hand: migrate new."
        + (hasTwins
          ? " Or run its down files on every device with --with-down: what they drop is lost, "
            + "including users' rows."
          : ""))
  }

  fileprivate static func noTwin(_ folder: String, _ file: MigrationFile) -> SeedbedError {
    let twin = file.kind == .up ? "down" : "after.down"
    let ending = file.name.drop { $0 != "." }
    return SeedbedError(
      .sql,
      "'\(folder)/\(file.name)' has no counterpart. Write '\(twin)\(ending)', which undoes it, "
        + "next to it; or revert only the rows with --rows-only.")
  }

  static func changedLater(
    _ folder: String, _ rows: [String], count: Int, isLast: Bool = false
  ) -> SeedbedError {
    let more = count - rows.count
    return SeedbedError(
      .conflict,
      (isLast
        ? "Applied to the catalog's own rows, the inverse of '\(folder)' meets conflicts: "
        : "Later migrations changed the same rows as '\(folder)', and would be undone too: ")
        + rows.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        + ". Correct the source CSV and make a release: migrate make.")
  }
}

extension Migrator.Conflict {
  /// Whether the row already was as in the file, which is logged on a scratch database only.
  var isDoneAlready: Bool {
    kind == .edited && policy == nil || kind == .deletedByUser && seed == nil
  }
}
