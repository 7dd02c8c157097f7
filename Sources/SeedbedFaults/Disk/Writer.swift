import CSeedbedSQLite
import Seedbed

/// The connection that was last opened for writing to the database. A test uses it in the middle of
/// a run.
final class Writer: Sendable {
  private struct Handle: @unchecked Sendable {
    // Sound: used only on the thread of the run, while the connection is open.
    let pointer: OpaquePointer
  }

  private let handle = Guarded<Handle?>(nil)

  /// Remembers a connection if it was opened for writing.
  func note(_ opened: OpaquePointer) {
    guard let name = sqlite3_db_filename(opened, "main"),
      String(cString: name).hasSuffix("/" + Subject.database),
      sqlite3_db_readonly(opened, "main") == 0
    else { return }
    let writer = Handle(pointer: opened)
    handle.withLock { $0 = writer }
  }

  func run(_ sql: String) {
    guard let writer = handle.withLock({ $0 }) else { return }
    sqlite3_exec(writer.pointer, sql, nil, nil, nil)
  }

  /// Makes the connection write the pages that it holds back until COMMIT.
  func flush() {
    guard let writer = handle.withLock({ $0 }) else { return }
    sqlite3_db_cacheflush(writer.pointer)
  }
}
