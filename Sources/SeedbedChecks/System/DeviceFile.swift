import Foundation

/// What the checks ask of files and of the process, by other calls than those of the library where
/// there are such.
enum DeviceFile {
  static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Removes a file, and what SQLite and Seedbed put beside a database.
  static func remove(_ path: String) {
    for suffix in ["", "-journal", "-wal", "-shm", ".backups"] {
      try? FileManager.default.removeItem(atPath: path + suffix)
    }
  }

  static func write(_ count: Int, to path: String) {
    // A file that is missing then is the finding of the check.
    _ = FileManager.default.createFile(atPath: path, contents: Data(count: count))
  }
}

/// Data protection and device backups, as Foundation tells them. Elsewhere it tells nothing.
extension DeviceFile {
  /// nil if the file has no class.
  static func protection(of path: String) throws -> String? {
    #if canImport(Darwin)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.protectionKey] as? FileProtectionType)?.rawValue
    #else
      _ = try FileManager.default.attributesOfItem(atPath: path)
      return nil
    #endif
  }

  static func protectionOfTemporaryFile() throws -> String? {
    let path = FileManager.default.temporaryDirectory.path + "/seedbed-checks"
    write(1, to: path)
    defer { remove(path) }
    return try protection(of: path)
  }

  static func protectCompletely(_ path: String) throws {
    #if canImport(Darwin)
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.complete], ofItemAtPath: path)
    #endif
  }

  /// nil where there are no such backups.
  static func isExcluded(_ path: String) throws -> Bool? {
    #if canImport(Darwin)
      let values = try URL(fileURLWithPath: path).resourceValues(forKeys: [.isExcludedFromBackupKey]
      )
      return values.isExcludedFromBackup
    #else
      return nil
    #endif
  }
}
