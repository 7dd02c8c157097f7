import CSeedbedSQLite

extension Connection {
  /// Call it right after a connection is opened.
  func setUp() throws {
    guard let body = setup?.body else { return }
    do {
      try body(handle)
    } catch {
      throw SeedbedError(.io, "The app's own setup of a connection failed: \(error).")
    }
  }
}

extension ConnectionSetup {
  /// The name of the VFS of a handle's database; nil for SQLite's default.
  package static func vfs(of handle: OpaquePointer, _ database: String = "main") -> String? {
    var found: UnsafeMutablePointer<sqlite3_vfs>?
    sqlite3_file_control(handle, database, SQLITE_FCNTL_VFS_POINTER, &found)
    guard let found, found != sqlite3_vfs_find(nil) else { return nil }
    return found.pointee.zName.map { String(cString: $0) }
  }
}
