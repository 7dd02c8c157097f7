extension Catalog {
  /// Opens a file with rows.
  @inline(never) func rows(of file: MigrationFile, in migration: Migration) throws -> RowReader {
    let place = migration.place(of: file)
    if let content = try cache?.content(of: file, in: migration, of: self) {
      return try RowReader(
        MemoryFile(content, place), place: place, isCompressed: false, locked: file.locked)
    }
    return try RowReader(
      open(file, in: migration), place: place, isCompressed: file.isCompressed,
      locked: file.locked)
  }
}

extension DatabaseSession {
  /// Core Data owns its file: its caches do not see rows that others write.
  func refuseCoreData() throws {
    guard try object(named: "Z_METADATA") != nil else { return }
    throw SeedbedError(
      .foreignDatabase,
      "'\(shownPath)' belongs to Core Data (it has the table Z_METADATA), which keeps "
        + "its own account of its file. Ship the rows through Core Data, or use a file of your own."
    )
  }
}
