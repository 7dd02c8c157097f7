import CSeedbedSQLite

/// Sets the journal mode on every connection, for modes that the file does not store.
package final class JournalMode: DiskObserver {
  private let mode: String

  package init(_ mode: String) { self.mode = mode }

  package func opened(_ handle: OpaquePointer) { Self.set(mode, on: handle) }

  static func set(_ mode: String?, on handle: OpaquePointer) {
    guard let mode, mode != "wal", mode != "delete" else { return }
    // On a connection that only reads, the mode may not be set, and does not matter.
    sqlite3_exec(handle, "PRAGMA journal_mode=\(mode)", nil, nil, nil)
  }
}
