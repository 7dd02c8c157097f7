import CSeedbedSQLite

/// Reads a database's bytes as they are on disk, through SQLite's own file handle.
///
/// If we opened and closed the file ourselves, this process would lose SQLite's locks.
struct RawFile {
  private let connection: Connection
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let methods: sqlite3_io_methods

  /// The database's file, or its rollback journal or WAL; nil if SQLite has no such file open.
  init?(of connection: Connection, isLog: Bool = false) {
    let operation = isLog ? SQLITE_FCNTL_JOURNAL_POINTER : SQLITE_FCNTL_FILE_POINTER
    var file: UnsafeMutablePointer<sqlite3_file>?
    // > SQLITE_FCNTL_FILE_POINTER: obtain a pointer to the sqlite3_file object associated with a
    // > particular database connection. Its methods are null where the file is not open.
    guard sqlite3_file_control(connection.handle, "main", operation, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods
    else { return nil }
    // Sound: SQLite owns the file as long as the connection is open, which this value keeps.
    (self.connection, self.file, self.methods) = (connection, file, methods.pointee)
  }

  func size() throws -> Int64 {
    var size: Int64 = 0
    guard let ask = methods.xFileSize, ask(file, &size) == SQLITE_OK else {
      throw failure(SQLITE_IOERR)
    }
    return size
  }

  /// `count` bytes from `offset` on. Bytes after the end of the file are zeros.
  func read(at offset: Int64, count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let read = methods.xRead else { throw failure(SQLITE_IOERR) }
    let code = read(file, &bytes, Int32(count), offset)
    guard code == SQLITE_OK || code == SQLITE_IOERR | (2 << 8) else { throw failure(code) }
    return bytes
  }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, message: String(cString: sqlite3_errstr(code)), sql: nil)
  }
}
