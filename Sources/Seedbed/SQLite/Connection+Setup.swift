import CSeedbedSQLite

extension Connection {
  /// Call it right after a connection is opened.
  func setUp() throws {
    guard let body = setup?.body else { return }
    do {
      try body(handle)
    } catch {
      if refusesKeyOfNoFile { return }
      throw SeedbedError(.io, "The app's own setup of a connection failed: \(error).")
    }
  }
}

extension Connection {
  /// Whether SQLite3MultipleCiphers has refused a key for a database in memory or in a temporary
  /// file, as it does. Such a database needs none.
  private var refusesKeyOfNoFile: Bool {
    let hasFile = sqlite3_db_filename(handle, "main").map { $0.pointee != 0 } ?? false
    return !hasFile && String(cString: sqlite3_errmsg(handle)).contains("in-memory or temporary")
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
