import CSeedbedSQLite

/// A file system with another clock. A database made under it shows which values SQL takes from the
/// clock.
enum OtherTime {
  /// The name under which SQLite knows it; nil if SQLite refused it.
  static let vfs: String? = register() ? name : nil

  private static let name = "seedbed-other-time"
  /// Changes year, month, day, hour, minute and second.
  private static let shiftMs: Int64 = (11_111 * 86_400 + 12_813) * 1000

  /// > The pNext field is the only field in the sqlite3_vfs structure that SQLite will ever modify.
  /// It and its name are never freed: SQLite keeps them until the process ends.
  private static func register() -> Bool {
    guard let original = sqlite3_vfs_find(nil), original.pointee.iVersion >= 2 else { return false }
    let copy = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    copy.initialize(to: original.pointee)
    let letters = Array(name.utf8CString)
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: letters.count)
    text.initialize(from: letters, count: letters.count)
    copy.pointee.zName = UnsafePointer(text)
    copy.pointee.xCurrentTimeInt64 = { _, time in
      guard let original = sqlite3_vfs_find(nil), let now = original.pointee.xCurrentTimeInt64
      else { return SQLITE_ERROR }
      let code = now(original, time)
      if code == SQLITE_OK { time?.pointee += OtherTime.shiftMs }
      return code
    }
    return sqlite3_vfs_register(copy, 0) == SQLITE_OK
  }
}
