/// Looks, before anything is touched, whether a run can come to its end.
struct Preflight {
  let catalog: Catalog
  let path: String
  let options: MigratorOptions
  let host: Host

  func check(_ pending: [Migration], on connection: Connection) throws {
    for migration in pending {
      try catalog.checkPresence(of: migration)
      _ = try catalog.options(of: migration)
    }
    // A database in memory has no disk to fill.
    if !path.isEmpty { try checkSpace(pending, on: connection) }
  }

  private func checkSpace(_ pending: [Migration], on connection: Connection) throws {
    let needed = try Self.neededBytes(pending, isWAL: connection.journalMode() == "wal")
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
    let content = pending.flatMap(\.files).filter(\.isRows).reduce(Int64(0)) { sum, file in
      sum + (file.locked?.contentSize ?? file.size * (file.isCompressed ? 3 : 1))
    }
    return content * (isWAL ? 2 : 1)
  }
}
