// Errors of the comparison: differences between the catalog and the ledger.

extension SeedbedError {
  /// A migration in errors: `3 (iupac_2016)`.
  struct MigrationLabel: Sendable, Equatable, CustomStringConvertible {
    var version: Version
    var name: String

    var description: String { name.isEmpty ? "\(version)" : "\(version) (\(name))" }
  }

  static func newer(current: Version, target: Version) -> SeedbedError {
    SeedbedError(
      .newer,
      "The database is at \(current), newer than this catalog, which ends at \(target). Use the "
        + "program that migrated it, or a newer one.", version: current)
  }

  /// Work that needs the files of a release that a download brought.
  static func downloadNeeded(
    current: Version, target: Version, _ passedOver: [Migrator.PassedOver]
  ) -> SeedbedError {
    let others = passedOver.map { " \($0)" }.joined()
    return SeedbedError(
      .newer,
      "The database is at \(current), and this needs the files of that release, but the catalog "
        + "here ends at \(target). Name a download that has \(current), or a program that ships "
        + "it.\(others)", version: current)
  }

  static func tooOld(current: Version, base: Version, advice: String?) -> SeedbedError {
    SeedbedError(
      .tooOld,
      "The database is at \(current), and this catalog begins after \(base): the migrations "
        + "between were removed from it. "
        + (advice ?? bring(to: base)), version: current)
  }

  private static func bring(to base: Version) -> String {
    "Bring the database to \(base) first, with an earlier release of the app."
  }

  /// The error for an empty database, or one that the app filled before it had Seedbed.
  static func noWayFromNothing(
    base: Version, snapshot: Version?, engine: EngineName, advice: String?
  ) -> SeedbedError {
    let why =
      snapshot.map { "its snapshot is of \($0), and goes into an empty database only" }
      ?? (engine == .sqlite
        ? "it has no snapshot that could begin one"
        : "a server begins with the first folder, which was dropped")
    let fact = "The database has no ledger, and this catalog begins after \(base): \(why). "
    if let advice { return SeedbedError(.tooOld, fact + advice) }
    let (remedy, database) =
      engine == .sqlite
      ? (bring(to: base), "it")
      : ("Begin with a dump of a database that is at \(base) or above.", "this one")
    return SeedbedError(
      .tooOld, "\(fact)\(remedy) If \(database) already holds a release, mark that as applied."
    ).remedied(by: .markBaseline(nil))
  }

  static func otherBase(_ migration: MigrationLabel, found: String) -> SeedbedError {
    SeedbedError(
      .drift,
      "Migration \(migration) was different when it was applied: the ledger has \(short(found)), "
        + "and this catalog begins after one with other data. Use the catalog of the app that made "
        + "this database.", version: migration.version)
  }

  static func otherCatalog(
    _ migration: MigrationLabel, current: Version, target: Version
  ) -> SeedbedError {
    SeedbedError(
      .drift,
      "Another catalog migrated this database: it is at \(current), and its migration "
        + "\(migration) is not the one of this catalog, which ends at \(target). Use the catalog "
        + "that made this database.",
      version: migration.version)
  }

  static func newerNote(current: Version, target: Version) -> String {
    "The database is at \(current), newer than this catalog, which ends at \(target). It was not "
      + "changed."
  }

  static func backwards(to wanted: Version, current: Version) -> SeedbedError {
    SeedbedError(
      .usage,
      "The database is already at \(current), and 'up' only goes forward. Undo the later ones."
    ).remedied(by: .down(to: wanted))
  }

  /// The same error for several migrations. The message names the first.
  private static func about(
    _ migrations: [MigrationLabel], _ code: Code, _ what: String, _ remedy: String
  ) -> SeedbedError {
    SeedbedError(
      code, "Migration \(migrations[0]) \(what)\(others(migrations)) \(remedy)",
      version: migrations[0].version)
  }

  static func drift(
    _ migrations: [MigrationLabel], _ migration: Migration, _ row: AppliedMigration,
    lineEndings: [LineEndingRule]
  ) -> SeedbedError {
    let rules = lineEndings.map { "'\($0.line)'" }.joined(separator: " and ")
    let found = short(migration.checksum ?? "")
    let (why, remedy) =
      rules.isEmpty
      ? (
        "its checksum is \(found), the ledger has \(short(row.checksum)).",
        "Put its files back as they were, and ship the change as a new migration."
      )
      : (
        "its files differ from what was applied only by line endings, LF or CRLF, which git "
          + "converts on some systems.",
        "Put \(rules) into .gitattributes, and check the files out again."
      )
    return about(migrations, .drift, "was changed after it was applied: " + why, remedy)
      .located(at: Place(migration.folder))
  }

  static func missing(_ migrations: [MigrationLabel]) -> SeedbedError {
    about(
      migrations, .missing, "is in the ledger, but not in the catalog.", "Put its folder back.")
  }

  static func outOfOrder(_ migrations: [MigrationLabel], current: Version) -> SeedbedError {
    about(
      migrations, .outOfOrder, "is pending, but the database is already at \(current).",
      "Give it a number above \(current), or allow it."
    ).remedied(by: .allowOutOfOrder)
  }

  /// ` The same holds for 4 (weights_2021) and 7 more.`, or nothing.
  private static func others(_ migrations: [MigrationLabel]) -> String {
    let others = migrations.dropFirst()
    if others.isEmpty { return "" }
    let named = others.prefix(5).map(\.description)
    let rest = others.count - named.count
    let list = (rest > 0 ? named + ["\(rest) more"] : named).inWords
    return " The same holds for \(list)."
  }

  /// The algorithm and enough digits to distinguish two digests: `sha256:9f3c2a…`
  private static func short(_ checksum: String) -> String { checksum.shortened(to: 14) }
}
