import Seedbed

/// The next migration as the inverse of an earlier one, for a bad release that is in the field.
///
///     let summary = try Revert(directory: "Migrations", migration: "4").make()
///
/// What was inserted is retired, what was retired comes back, and changed values change back, keys
/// too. What a later migration did to one of these rows is never undone unseen: it is refused.
package struct Revert: Sendable {
  /// The catalog's folder.
  package let directory: String
  /// A version, or a folder by its name or its words.
  package let migration: String
  /// The words of the new folder's name; nil for `revert_` and those of the other.
  package var name: String?
  /// What becomes of its SQL.
  package var sql = SQL.refuse
  /// The prefix of the ledger's tables.
  package var ledger = Migrator.Options().ledger

  /// What becomes of the SQL of the migration, which nobody can turn round by looking at it.
  package enum SQL: Sendable {
    /// A migration that has any is an error.
    case refuse
    /// It stays as it is; the rows are taken back.
    case leave
    /// Its down twins run, on every device and whatever users have stored since.
    case takeBack
  }

  /// - Parameters:
  ///   - directory: the catalog's folder.
  ///   - migration: a version, or a folder by its name or its words.
  package init(directory: String, migration: String) {
    self.directory = directory
    self.migration = migration
  }

  /// Writes the folder and the lock; nothing if no row is as the migration made it any more.
  ///
  /// - Throws: `SeedbedError`; then nothing was written.
  package func make() throws -> ReleaseSummary {
    try reporting {
      let maker = try RevertMaker(self)
      do {
        return try maker.make()
      } catch is NothingLeft {
        return ReleaseSummary()
      }
    }
  }
}

/// What the migration did is not there any more.
private struct NothingLeft: Error {}

/// Makes one revert: turns the files round, tries them, compares, publishes.
struct RevertMaker {
  private let revert: Revert
  private let catalog: Catalog
  private let migration: Migration

  init(_ revert: Revert) throws {
    self.revert = revert
    catalog = try Catalog(authoring: revert.directory)
    try CatalogLock.refuseRewritten(catalog)
    migration = try catalog.migration(called: revert.migration)
    if migration.isWithdrawn { throw SeedbedError.revertsWithdrawn(migration.folder) }
  }

  func make() throws -> ReleaseSummary {
    let migrations = try catalog.migrations()
    let folder = try FolderNumber.next(
      after: migrations, words: revert.name ?? "revert_" + migration.name)
    var files = try sql()
    let states = try RevertedStates(migration, of: catalog, ledger: revert.ledger)
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

  /// SQL that stays is part of what differs.
  private var isExact: Bool { revert.sql != .leave || !hasSQL }
  private var hasSQL: Bool { migration.file(.up) != nil || migration.file(.after) != nil }

  /// The twins change places: what `down` runs runs now, and what ran is what takes that back.
  private func sql() throws -> [NewFile] {
    guard hasSQL else { return [] }
    if revert.sql == .leave { return [] }
    let twins: [(MigrationFile.Kind, MigrationFile.Kind, String, String)] = [
      (.after, .afterDown, "down.sql", "up.sql"), (.up, .down, "after.down.sql", "after.sql"),
    ]
    if revert.sql == .refuse {
      throw SeedbedError.revertsSQL(
        migration.folder,
        hasTwins: twins.allSatisfy { migration.file($0.0) == nil || migration.file($0.1) != nil })
    }
    return try twins.flatMap { made, undone, becomesUndone, becomes in
      guard let made = migration.file(made) else { return [NewFile]() }
      guard let undone = migration.file(undone) else {
        throw SeedbedError.noTwin(migration.folder, made.name)
      }
      return [
        NewFile(becomes, try catalog.bytes(of: undone.name, in: migration.folder)),
        NewFile(becomesUndone, try catalog.bytes(of: made.name, in: migration.folder)),
      ]
    }
  }

  /// Tried as on a device whose user made nothing: whatever gets in the way is of the catalog.
  private func confirm(
    _ next: Catalog, _ states: RevertedStates
  ) throws {
    let report = try states.scratch.apply(
      next, policies: Migrator.Policies(onEdited: .keepEdits, onTaken: .keepUser))
    // Rows that were taken back before are as they should be.
    let conflicts = report.migrations.flatMap(\.conflicts).filter { !$0.isDoneAlready }
    if !conflicts.isEmpty {
      throw SeedbedError.changedLater(
        migration.folder,
        conflicts.prefix(20).map { "\($0.table) \($0.key) (\($0.kind.rawValue))" },
        count: conflicts.count)
    }
    if isExact { try states.confirm() }
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

  fileprivate static func noTwin(_ folder: String, _ name: String) -> SeedbedError {
    let twin = name == "up.sql" ? "down.sql" : "after.down.sql"
    return SeedbedError(
      .sql,
      "'\(folder)/\(name)' has no counterpart. Write '\(twin)', which undoes it, next to it; or "
        + "revert only the rows with --rows-only.")
  }

  static func changedLater(
    _ folder: String, _ rows: [String], count: Int
  ) -> SeedbedError {
    let more = count - rows.count
    return SeedbedError(
      .conflict,
      "Later migrations changed what '\(folder)' did, and would be undone unseen: "
        + rows.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        + ". Correct the source CSV and make a release: migrate make.")
  }
}

extension Migrator.Conflict {
  /// Whether the row was already what the file makes of it, which is logged on a scratch database
  /// only.
  var isDoneAlready: Bool {
    kind == .edited && policy == nil || kind == .deletedByUser && seed == nil
  }
}
