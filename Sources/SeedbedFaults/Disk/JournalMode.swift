import CSeedbedSQLite

/// Sets a journal mode that is no property of the file on every connection.
package final class JournalMode: DiskObserver {
  private let mode: String

  package init(_ mode: String) { self.mode = mode }

  package func opened(_ handle: OpaquePointer) { Self.set(mode, on: handle) }

  static func set(_ mode: String?, on handle: OpaquePointer) {
    guard let mode, mode != "wal", mode != "delete" else { return }
    // What cannot be set, on a connection that only reads, is of no account there.
    sqlite3_exec(handle, "PRAGMA journal_mode=\(mode)", nil, nil, nil)
  }
}
