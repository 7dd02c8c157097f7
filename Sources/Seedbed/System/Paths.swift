#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Questions about paths. `stat` is safe on a database: it opens nothing.
package enum Paths {
  /// The path from the root. Symbolic links are resolved as far as the path exists.
  ///
  /// SQLite always gets such a path: it would read one that begins with `file:` as a URI. A path
  /// that no system call takes is returned as it is, and so is a relative one after its working
  /// folder was deleted.
  package static func absolute(_ path: String) -> String {
    guard path.utf8.count < Int(PATH_MAX) else { return path }
    var existing = path
    var missing: [String] = []
    while true {
      if let resolved = realpath(existing, nil) {
        defer { free(resolved) }
        return missing.reversed().reduce(String(cString: resolved)) { above, name in
          above == "/" ? "/" + name : above + "/" + name
        }
      }
      let (folder, name) = split(existing)
      guard !name.isEmpty, existing != ".", folder != existing else { return path }
      missing.append(name)
      existing = folder.isEmpty ? "." : folder
    }
  }

  /// The folder and the last name: `a/b` is `a` and `b`, `b` is `` and `b`, `/b` is `/` and `b`.
  package static func split(_ path: String) -> (folder: String, name: String) {
    var trimmed = Substring(path)
    while trimmed.utf8.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
    guard let slash = trimmed.lastIndex(of: "/") else { return ("", String(trimmed)) }
    let folder = trimmed[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(trimmed[trimmed.index(after: slash)...]))
  }

  package static func exists(_ path: String) -> Bool { facts(path) != nil }

  static func isFolder(_ path: String) -> Bool {
    facts(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// The kind of the object at a path that is not a regular file, links followed; nil for a file,
  /// or if nothing is there.
  package static func whatIsNoFile(_ path: String) -> String? {
    guard let facts = facts(path) else { return nil }
    return switch facts.st_mode & S_IFMT {
    case S_IFREG: nil
    case S_IFDIR: "a folder"
    case S_IFIFO: "a named pipe"
    case S_IFSOCK: "a socket"
    default: "a device"
    }
  }

  /// The size in bytes; nil if there is no file.
  package static func size(_ path: String) -> Int64? { facts(path).map { Int64($0.st_size) } }

  /// The reason, in sentences, why this user cannot write to a database or its folder; nil if that
  /// is not the cause.
  static func whyNotWritable(_ path: String) -> String? {
    let folder = absolute(split(path).folder.isEmpty ? "." : split(path).folder)
    let isThere = exists(path)
    switch (isThere ? refusal(path, W_OK) : nil) ?? refusal(folder, W_OK) {
    case EROFS:
      return
        "'\(isThere ? path : folder)' is on a read-only file system. Make that writable, or move "
        + "the database to another one."
    case EACCES where isThere && refusal(path, R_OK) != nil:
      return "This user may not read '\(path)'. Give the user that permission."
    case EACCES where isThere && refusal(path, W_OK) != nil:
      return "This user may not write to '\(path)'. Give the user that permission."
    case EACCES:
      return "This user may not write to the folder '\(folder)', and SQLite puts a journal beside "
        + "each database that it changes. Give the user that permission."
    default: return nil
    }
  }

  /// The error number with which the system denies this process an access; nil if it allows it.
  private static func refusal(_ path: String, _ mode: Int32) -> Int32? {
    access(path, mode) == 0 ? nil : errno
  }

  /// The number of names (hard links) of the file; 0 if there is none.
  static func linkCount(_ path: String) -> Int { facts(path).map { Int($0.st_nlink) } ?? 0 }

  /// The permission bits; nil if there is no file.
  static func mode(_ path: String) -> mode_t? { facts(path).map { $0.st_mode & 0o777 } }

  /// nil if there is no file.
  package static func identity(_ path: String) -> FileIdentity? {
    facts(path).map {
      FileIdentity(
        device: UInt64(truncatingIfNeeded: $0.st_dev), inode: UInt64(truncatingIfNeeded: $0.st_ino))
    }
  }

  /// The facts that change if a file is written to; nil if there is no file.
  package static func state(_ path: String) -> FileState? { facts(path).map { FileState($0) } }

  private static func facts(_ path: String) -> stat? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts : nil
  }

  /// The bytes that this user may still write to the file system of a folder.
  package static func freeBytes(_ folder: String, host: Host) throws -> Int64 {
    #if canImport(Darwin)
      // `statvfs` counts blocks in 32 bits there.
      var facts = statfs()
      try host.call(.freeSpace, folder) { statfs(folder, &facts) }
      let (blocks, size) = (facts.f_bavail, facts.f_bsize)
    #else
      var facts = statvfs()
      try host.call(.freeSpace, folder) { statvfs(folder, &facts) }
      let (blocks, size) = (facts.f_bavail, facts.f_frsize)
    #endif
    let (bytes, isMore) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(size))
    return isMore ? .max : Int64(clamping: bytes)
  }
}

/// The facts that change if a file is written to.
package struct FileState: Sendable, Equatable {
  private let numbers: [Int64]

  fileprivate init(_ facts: stat) {
    #if canImport(Darwin)
      let (content, any) = (facts.st_mtimespec, facts.st_ctimespec)
    #else
      let (content, any) = (facts.st_mtim, facts.st_ctim)
    #endif
    numbers = [
      Int64(truncatingIfNeeded: facts.st_dev), Int64(truncatingIfNeeded: facts.st_ino),
      Int64(facts.st_size), Int64(content.tv_sec), Int64(content.tv_nsec), Int64(any.tv_sec),
      Int64(any.tv_nsec),
    ]
  }
}

/// Identifies a file, whatever its name.
package struct FileIdentity: Hashable {
  var device: UInt64
  var inode: UInt64
}
