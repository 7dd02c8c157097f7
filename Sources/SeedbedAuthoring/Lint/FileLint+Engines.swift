import Seedbed

// SQL that needs another file next to it.

extension FileLint {
  /// SQL for `up` needs SQL for `down` that undoes it.
  func checkDown(_ migration: Migration) throws {
    for (kind, down, name) in [
      (MigrationFile.Kind.up, MigrationFile.Kind.down, "down.sql"),
      (.after, .afterDown, "after.down.sql"),
    ] {
      if let file = migration.file(kind), try isNotUndone(file, down, migration) {
        try add(file, name, migration)
      }
      // PostgreSQL's SQL need not be undone if it does nothing.
      if let other = migration.ofOtherEngine, let file = other.file(kind), other.file(down) == nil,
        try !text(of: file, in: migration).code.isEmpty
      {
        try add(file, FileName.twin(of: name), migration)
      }
    }
  }

  /// Whether no SQL undoes the file's SQL. A file that `migrate new` began contains only a comment.
  private func isNotUndone(
    _ file: MigrationFile, _ down: MigrationFile.Kind, _ migration: Migration
  ) throws -> Bool {
    guard let other = migration.file(down) else { return true }
    return try text(of: other, in: migration).code.isEmpty
      && !text(of: file, in: migration).code.isEmpty
  }

  /// PostgreSQL needs its own SQL for each file that SQLite runs. A catalog that was for PostgreSQL
  /// alone, and has no SQL for SQLite yet, needs that.
  func checkTwins(_ migration: Migration) throws {
    guard isForPostgreSQL, let other = migration.ofOtherEngine else { return }
    if lacksSQLite {
      for file in other.files where file.isSQL && (file.changesData || file.kind == .schema) {
        let name = FileName.fixed(file.kind) ?? file.name
        findings.add(
          .missingTwin, try place(of: file, in: migration),
          "There is no \(name), so databases on SQLite run nothing in place of this.", migration)
      }
    }
    for file in migration.files where file.isSQL && other.file(file.kind) == nil {
      let effect =
        file.changesData
        ? "databases on PostgreSQL refuse the catalog" : "PostgreSQL has nothing instead of it"
      findings.add(
        .missingTwin, try place(of: file, in: migration),
        "There is no \(FileName.twin(of: file.name)), so \(effect).", migration)
    }
  }

  private func add(_ file: MigrationFile, _ name: String, _ migration: Migration) throws {
    findings.add(
      .irreversible, try place(of: file, in: migration),
      migration.files.contains { $0.name == name }
        ? "The \(name) has no statement, so 'migrate down' undoes nothing of it."
        : "There is no \(name) that undoes it, so 'migrate down' refuses this migration.", migration
    )
  }

  private func place(
    of file: MigrationFile, in migration: Migration
  ) throws -> SeedbedError.Place {
    let line = try text(of: file, in: migration).firstLine
    return SeedbedError.Place(migration.place(of: file), line: line)
  }

  private func text(of file: MigrationFile, in migration: Migration) throws -> SQLText {
    SQLText(try catalog.bytes(of: file.name, in: migration.folder))
  }
}
