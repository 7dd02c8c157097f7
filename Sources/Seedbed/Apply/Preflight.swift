/// Checks, before anything is changed, whether a run can finish.
struct Preflight {
  let catalog: Catalog
  let path: String
  let host: Host

  func check(_ pending: [Migration], on connection: any DatabaseSession) throws {
    for migration in pending {
      try catalog.checkPresence(of: migration)
      try refuseSchemas(migration, connection.dialect)
    }
    // A database in memory has no disk to fill.
    if !path.isEmpty { try checkSpace(pending, on: connection) }
  }

  private func refuseSchemas(_ migration: Migration, _ dialect: any Dialect) throws {
    let options = try catalog.options(of: migration).tables.keys.sorted()
    let named =
      migration.files.compactMap { file in file.table.map { ($0, "/" + file.name) } }
      + options.map { ($0, "") }
    for (table, file) in named {
      guard let remedy = dialect.insteadOfSchema(in: table) else { continue }
      throw SeedbedError(
        .catalog, "The table's name '\(table.shortened(to: 40))' names a schema. \(remedy)",
        at: SeedbedError.Place(migration.folder + file), version: migration.version)
    }
  }

  private func checkSpace(_ pending: [Migration], on connection: any DatabaseSession) throws {
    let needed = try Self.neededBytes(pending, isWAL: connection.storage().hasLog)
    let folder = Paths.split(path).folder
    let free = try Paths.freeBytes(folder.isEmpty ? "." : folder, host: host)
    guard free >= needed else {
      throw SeedbedError(
        .diskFull,
        "The pending migrations need about \(needed) bytes in '\(folder)', and \(free) "
          + "are free. Free some space and try again.")
    }
  }

  /// The rows that come, twice in WAL, where each page is written to the log first.
  static func neededBytes(_ pending: [Migration], isWAL: Bool) -> Int64 {
    pending.map { bytes($0.files.filter(\.isRows)) }.reduce(0, +) * (isWAL ? 2 : 1)
  }

  /// Rows to change or to retire take about four times their content in the plan's temporary file,
  /// which is used by one migration after the other. It may be on another disk, so that this is an
  /// estimate and refuses nothing.
  static func temporaryBytes(_ pending: [Migration]) -> Int64 {
    let planned = pending.map { migration in
      bytes(migration.files.filter { $0.kind.rows.map { $0.operation != "insert" } ?? false })
    }
    return (planned.max() ?? 0) * 4
  }

  private static func bytes(_ files: [MigrationFile]) -> Int64 {
    files.reduce(0) { $0 + ($1.locked?.contentSize ?? $1.size * ($1.isCompressed ? 3 : 1)) }
  }
}
