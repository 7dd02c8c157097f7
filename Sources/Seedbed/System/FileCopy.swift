#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Folder {
  /// Copies a file to one that must not exist, with the permissions of a new database. If the file
  /// system can clone, the copy takes neither time nor space.
  ///
  /// Nothing is synced yet.
  func copy(
    _ source: OpenFile, to name: String, afterEachPiece: () throws -> Void
  ) throws -> OpenFile {
    // A test that records changes to the disk has to see the bytes written.
    let mayClone = host.changing == nil
    #if canImport(Darwin)
      // On a device that locks its files, a clone would keep the protection class of the app's
      // bundle.
      if mayClone, !Protection.locksFiles, let clone = try clone(source, to: name) { return clone }
    #endif
    let copy = try create(name, mode: 0o644, obeysMask: true)
    #if !canImport(Darwin)
      // FICLONE of linux/fs.h, a macro that Swift does not import.
      if mayClone, ioctl(copy.descriptor, 0x4004_9409, source.descriptor) == 0 { return copy }
    #endif
    return try orRemove(name) {
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
        if count == 0 { return copy }
        try copy.write(count == buffer.count ? buffer : Array(buffer[..<count]))
        try afterEachPiece()
      }
    }
  }

  #if canImport(Darwin)
    /// nil if the file system cannot clone.
    private func clone(_ source: OpenFile, to name: String) throws -> OpenFile? {
      let flags = UInt32(CLONE_NOOWNERCOPY)
      if fclonefileat(source.descriptor, descriptor, name, flags) != 0 { return nil }
      let clone = try open(name, as: .open, O_RDWR)
      // Files in the app's bundle may be read-only.
      try clone.setMode(clone.facts().st_mode & 0o755 | 0o600)
      return clone
    }
  #endif
}
