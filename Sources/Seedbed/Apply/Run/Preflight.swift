/// Checks, before anything is changed, whether a run can finish.
extension Run {
  /// Gives a clear error before anything is changed.
  func prepare(_ pending: [Migration]) throws {
    // The author's tools check this themselves, and report an error in catalog.json only once.
    if !context.isOnScratch { try catalog.refuseOnSQLite() }
    context.tablesBefore = try connection.tableNumbers()
    meter.expect(pending.reduce(0) { $0 + $1.rowBytes })
    meter.begin(pending[0].version)
    for migration in pending {
      try catalog.checkPresence(of: migration)
      try refuseSchemas(migration)
    }
    // A database in memory does not use the disk.
    if !database.path.isEmpty { try checkSpace(pending) }
  }

  private func refuseSchemas(_ migration: Migration) throws {
    let options = try catalog.options(of: migration).tables.keys.texts
    let named =
      migration.files.compactMap { file in file.table.map { ($0, "/" + file.name) } }
      + options.map { ($0, "") }
    for (table, file) in named {
      guard let remedy = connection.dialect.insteadOfSchema(in: table) else { continue }
      throw SeedbedError(
        .catalog, "The table's name '\(table.shortened(to: 40))' names a schema. \(remedy)",
        at: SeedbedError.Place(migration.folder + file), version: migration.version)
    }
  }

  private func checkSpace(_ pending: [Migration]) throws {
    let needed = try pending.neededBytes(isWAL: connection.storage().hasLog)
    let folder = Paths.split(database.path).folder
    let look = { [host] in try Paths.freeBytes(folder.isEmpty ? "." : folder, host: host) }
    let backup = options.takesBackup ? Paths.size(database.path) ?? 0 : 0
    // If the free space is not known now, the code below asks for it again.
    disk?.promise(needed + backup, to: database.path) { try? look() }
    let free = try look()
    guard free >= needed else {
      throw SeedbedError(
        .diskFull,
        "The pending migrations need about \(needed) bytes in '\(folder)', and \(free) "
          + "are free. Free some space and try again.")
    }
  }
}

extension [Migration] {
  /// The new rows. In WAL mode they count twice, since each page is written to the log first.
  func neededBytes(isWAL: Bool) -> Int64 {
    reduce(0) { $0 + $1.contentBytes(\.isRows) } * (isWAL ? 2 : 1)
  }

  /// Rows to change or retire take about four times their content in the plan's temporary file. All
  /// migrations use the same file in turn. It may be on another disk, so this is an estimate, and
  /// refuses nothing.
  var temporaryBytes: Int64 {
    let planned = map { $0.contentBytes { $0.isRows && $0.kind.rows?.operation != "insert" } }
    return (planned.max() ?? 0) * 4
  }
}

extension Migration {
  fileprivate func contentBytes(_ counts: (MigrationFile) -> Bool) -> Int64 {
    files.filter(counts).reduce(0) {
      $0 + ($1.locked?.contentSize ?? $1.size * ($1.isCompressed ? 3 : 1))
    }
  }
}
