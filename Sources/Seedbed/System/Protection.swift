// What Apple's systems keep beside a file's permissions.

/// Data protection: a locked device keeps files from its apps, which must try again later.
enum Protection {
  /// Whether this system locks files. Elsewhere EPERM has causes that do not pass by themselves.
  static var locksFiles: Bool {
    #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
      true
    #else
      false
    #endif
  }
}

extension SeedbedError {
  static func protected(_ what: String) -> SeedbedError {
    SeedbedError(.protected, "The device has locked \(what). Nothing is wrong: try again later.")
  }
}

#if canImport(Darwin)
  import Darwin

  extension OpenFile {
    /// Carries over the data-protection class, without opening `model`: it may be a database.
    func adoptProtection(of model: String) throws {
      #if !os(macOS) && !targetEnvironment(simulator)
        guard let level = try protection(of: model) else { return }
        try host.call(.create, path) { Int(fcntl(descriptor, F_SETPROTECTIONCLASS, level)) }
      #endif
    }

    #if !os(macOS) && !targetEnvironment(simulator)
      /// > ATTR_CMN_DATA_PROTECT_FLAGS: a u_int32_t containing the data protection class of the
      /// > file system object. (man 2 getattrlist)
      private func protection(of model: String) throws -> Int32? {
        var request = attrlist()
        request.bitmapcount = UInt16(ATTR_BIT_MAP_COUNT)
        request.commonattr = attrgroup_t(ATTR_CMN_DATA_PROTECT_FLAGS)
        // The answer: its own length, then the class.
        var answer: (length: UInt32, level: UInt32) = (0, 0)
        try host.call(.stat, model) {
          Int(getattrlist(model, &request, &answer, MemoryLayout.size(ofValue: answer), 0))
        }
        return answer.level == 0 ? nil : Int32(bitPattern: answer.level)
      }
    #endif

    /// Keeps the file out of iCloud and device backups, as `isExcludedFromBackup` does.
    ///
    /// A file system without extended attributes is no reason to do without a backup.
    func excludeFromDeviceBackup() {
      // A binary property list that holds the string "com.apple.backupd".
      var value: [UInt8] = Array("bplist00".utf8) + [0x5F, 0x10, 0x11]
      value += Array("com.apple.backupd".utf8)
      value += [8, 0, 0, 0, 0, 0, 0, 1, 1]
      value += [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 28]
      _ = fsetxattr(
        descriptor, "com.apple.metadata:com_apple_backup_excludeItem", value, value.count, 0, 0)
    }
  }
#else
  extension OpenFile {
    func adoptProtection(of model: String) throws {}
    func excludeFromDeviceBackup() {}
  }
#endif
