import CSeedbedSQLite

/// Copies all pages of one database over those of another, in one transaction of the target.
struct PageCopy: ~Copyable {
  private let backup: OpaquePointer
  private let source: Connection
  private let target: Connection

  /// A few hundred pages at a time, so that a cancellation takes effect soon.
  static let pagesPerStep: Int32 = 256

  init(from source: Connection, to target: Connection) throws {
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw target.failure(nil)
    }
    self.backup = backup
    self.source = source
    self.target = target
  }

  /// > If sqlite3_backup_step() has not yet returned SQLITE_DONE, any active write-transaction on
  /// > the destination database is rolled back. (sqlite3_backup_finish)
  deinit { sqlite3_backup_finish(backup) }

  /// Copies the next pages; true when all are copied and committed. The first step, even of no
  /// pages, takes the target's write lock. The lock is exclusive without a WAL.
  @inline(never) func step(pages: Int32 = Self.pagesPerStep) throws -> Bool {
    let code = sqlite3_backup_step(backup, pages)
    switch code {
    case SQLITE_OK: return false
    case SQLITE_DONE: return true
    default:
      throw SQLiteFailure(
        code: code, message: String(cString: sqlite3_errstr(code)), sql: nil,
        systemNumber: target.lastSystemError)
    }
  }

  /// Copies to the end.
  func run(
    _ cancellation: Migrator.Cancellation?, _ progress: (Double) -> Void = { _ in }
  ) throws {
    try cancellation?.check()
    while try !step() {
      progress(fraction)
      try cancellation?.check()
    }
    progress(1)
  }

  /// Whether the next step commits.
  var isNearEnd: Bool { sqlite3_backup_remaining(backup) <= Self.pagesPerStep }

  /// The progress, from 0 to 1.
  var fraction: Double {
    let total = sqlite3_backup_pagecount(backup)
    return total > 0 ? 1 - Double(sqlite3_backup_remaining(backup)) / Double(total) : 0
  }
}

extension Connection {
  /// The system's last error number for reading or writing the database's file.
  fileprivate var lastSystemError: Int32 {
    var number: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_LAST_ERRNO, &number)
    return number
  }

  /// > The data version changes whenever any change occurs to the corresponding database file,
  /// > by this connection or by others. (SQLITE_FCNTL_DATA_VERSION)
  /// It is brought up to date where a transaction begins.
  func dataVersion() -> UInt32 {
    var version: UInt32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_DATA_VERSION, &version)
    return version
  }
}
