#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Gives a copy the access rights of its model: never more people than can read the model.
extension Folder {
  /// Creates a file that must not exist, readable by those who may read the file at `model`.
  func create(_ name: String, like model: String) throws -> OpenFile {
    let file = try create(name, mode: 0o600)
    try orRemove(name) { try file.adoptAccess(of: model) }
    return file
  }

  /// Creates the folder if it is missing, readable by those who may read the file at `model`.
  func makeFolder(_ name: String, like model: String) throws {
    let readers = (Paths.mode(model) ?? 0o600) & 0o044
    // Reading a folder also needs the right to look names up.
    try makeFolder(name, mode: UInt32(0o700 | readers | readers >> 2))
  }
}

extension OpenFile {
  /// Takes over owner, group, permissions and data protection of another file.
  fileprivate func adoptAccess(of model: String) throws {
    var facts = stat()
    try host.call(.stat, model) { stat(model, &facts) }
    var mode = facts.st_mode & 0o666
    let own = try self.facts()
    if own.st_uid != facts.st_uid {
      // Only root may give files away. To everyone else the file was readable before.
      _ = fchown(descriptor, facts.st_uid, gid_t.max)
    }
    if own.st_gid != facts.st_gid, fchown(descriptor, uid_t.max, facts.st_gid) != 0 {
      // The file kept a group of its own, which may not read the model.
      mode &= ~0o070
    }
    try setMode(mode)
    // A class that cannot be read is none to keep: not every file system has them, nor every Mac.
    let level = host.protection.level(model)
    if level > 0, level != host.protection.level(path) {
      try host.call(.create, path) { host.protection.set(descriptor, level) }
    }
  }

  /// Keeps the file out of iCloud and device backups, as `isExcludedFromBackup` does on Apple's
  /// systems.
  ///
  /// File systems without extended attributes still get a backup.
  func excludeFromDeviceBackup() {
    #if canImport(Darwin)
      // A binary property list that holds the string "com.apple.backupd".
      var value: [UInt8] = Array("bplist00".utf8) + [0x5F, 0x10, 0x11]
      value += Array("com.apple.backupd".utf8)
      value += [8, 0, 0, 0, 0, 0, 0, 1, 1]
      value += [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 28]
      _ = fsetxattr(
        descriptor, "com.apple.metadata:com_apple_backup_excludeItem", value, value.count, 0, 0)
    #endif
  }
}

/// Data protection: a locked device keeps files from its apps, which must try again later.
struct Protection: Sendable {
  /// The class of a file; 0 if it has none, and -1 if it cannot be read.
  var level: @Sendable (_ path: String) -> Int32 = { _ in 0 }
  /// Sets the class of an open file; -1 is a failure.
  var set: @Sendable (_ descriptor: Int32, _ level: Int32) -> Int32 = { _, _ in 0 }

  /// Whether this system locks files. Elsewhere EPERM has causes that do not go away by themselves.
  static var locksFiles: Bool {
    // A TV has no passcode, and these two store files as a Mac does.
    #if targetEnvironment(simulator) || targetEnvironment(macCatalyst)
      false
    #elseif os(iOS) || os(watchOS) || os(visionOS)
      true
    #else
      false
    #endif
  }

  static var ofSystem: Protection {
    #if canImport(Darwin)
      if locksFiles {
        return Protection(level: classOfFile, set: { fcntl($0, F_SETPROTECTIONCLASS, $1) })
      }
    #endif
    return Protection()
  }

  #if canImport(Darwin)
    /// The class, without opening the file: it may be a database.
    ///
    /// > ATTR_CMN_DATA_PROTECT_FLAGS: a u_int32_t containing the data protection class of the
    /// > file system object. (man 2 getattrlist)
    @Sendable private static func classOfFile(_ path: String) -> Int32 {
      var request = attrlist()
      request.bitmapcount = UInt16(ATTR_BIT_MAP_COUNT)
      request.commonattr = attrgroup_t(ATTR_CMN_DATA_PROTECT_FLAGS)
      // The answer: its own length, then the class.
      var answer: (length: UInt32, level: UInt32) = (0, 0)
      let size = MemoryLayout.size(ofValue: answer)
      return getattrlist(path, &request, &answer, size, 0) == 0
        ? Int32(bitPattern: answer.level) : -1
    }
  #endif
}

extension SeedbedError {
  static func protected(_ what: String) -> SeedbedError {
    SeedbedError(.protected, "The device has locked \(what). Nothing is wrong: try again later.")
  }
}
