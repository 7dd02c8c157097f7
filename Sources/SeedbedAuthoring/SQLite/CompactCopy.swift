import Seedbed

/// Writing a database as one file that is to be shipped.
extension Connection {
  /// Writes all that the database holds to an empty file.
  func writeCompact(to path: String) throws {
    try interruptible { try execute("VACUUM main INTO ?", [.text(path)]) }
  }

  /// For a file that nobody else knows yet.
  func setJournalMode(_ mode: String) throws {
    // No -shm in WAL mode.
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    let found = try value("PRAGMA journal_mode=\(mode)")?.text
    guard found == mode else {
      throw SeedbedError(
        .io, "SQLite did not accept the journal mode '\(mode)': it stayed at '\(found ?? "")'.")
    }
  }

  /// - Throws: `corrupt` with the first thing that SQLite finds.
  func refuseDamage() throws {
    let answer = try value("PRAGMA main.integrity_check(1)")?.text ?? ""
    if answer == "ok" { return }
    throw SeedbedError(.corrupt, "The new database is damaged: \(answer). Write it again.")
  }
}
