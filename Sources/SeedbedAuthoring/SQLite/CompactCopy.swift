import Seedbed

/// Writes a database as a single file for shipping.
extension Connection {
  /// Writes the whole database to an empty file.
  func writeCompact(to path: String) throws {
    try interruptible { try execute("VACUUM main INTO ?", [.text(path)]) }
  }

  /// For a file that no other process knows yet.
  func setJournalMode(_ mode: String) throws {
    // Avoids a -shm file in WAL mode.
    try execute("PRAGMA locking_mode=EXCLUSIVE")
    let found = try value("PRAGMA journal_mode=\(mode)")?.text
    guard found == mode else {
      throw SeedbedError(
        .io, "SQLite did not accept the journal mode '\(mode)': it stayed at '\(found ?? "")'.")
    }
  }

  /// - Throws: `corrupt` with the first error that SQLite finds.
  func refuseDamage() throws {
    let answer = try value("PRAGMA main.integrity_check(1)")?.text ?? ""
    if answer == "ok" { return }
    throw SeedbedError(.corrupt, "The new database is damaged: \(answer). Write it again.")
  }
}
