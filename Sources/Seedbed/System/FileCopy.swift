#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Folder {
  /// Copies a file to one that must not exist, with the permissions of a new database: a clone,
  /// which takes neither time nor room, if the file system makes one.
  ///
  /// Nothing is synced yet.
  func copy(
    _ source: OpenFile, to name: String, afterEachPiece: () throws -> Void
  ) throws -> OpenFile {
    // A test is to see what is written.
    let mayClone = host.changing == nil
    #if canImport(Darwin)
      // On a device that locks its files a clone would keep the class of the app's bundle.
      if mayClone, !Protection.locksFiles, let clone = try clone(source, to: name) { return clone }
    #endif
    let copy = try create(name, mode: 0o644, obeysMask: true)
    #if !canImport(Darwin)
      // FICLONE of linux/fs.h, a macro that Swift does not import.
      if mayClone, ioctl(copy.descriptor, 0x4004_9409, source.descriptor) == 0 { return copy }
    #endif
    do {
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = try buffer.withUnsafeMutableBytes { try source.read(into: $0) }
        if count == 0 { return copy }
        try copy.write(count == buffer.count ? buffer : Array(buffer[..<count]))
        try afterEachPiece()
      }
    } catch {
      // The first error is the one to report.
      try? remove(name)
      throw error
    }
  }

  #if canImport(Darwin)
    /// nil if the file system makes none.
    private func clone(_ source: OpenFile, to name: String) throws -> OpenFile? {
      let flags = UInt32(CLONE_NOOWNERCOPY)
      if fclonefileat(source.descriptor, descriptor, name, flags) != 0 { return nil }
      let clone = try openForWriting(name)
      // The app's bundle may be read-only.
      let mode = try clone.facts().st_mode & 0o755 | 0o600
      try host.call(.create, clone.path) { Int(fchmod(clone.descriptor, mode)) }
      return clone
    }

    private func openForWriting(_ name: String) throws -> OpenFile {
      let full = path + "/" + name
      let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW
      let raw = Int32(try host.call(.open, full) { Int(openat(descriptor, name, flags)) })
      return OpenFile(raw, full, host)
    }
  #endif

  /// Gives a finished file its final name, while others may do the same: the first one wins.
  ///
  /// A process that is killed in between leaves both names of the one file.
  ///
  /// - Returns: false if the file system has no hard links; then nothing was done.
  func claim(_ name: String, for temporary: String) throws -> Bool {
    let (source, target) = (path + "/" + temporary, path + "/" + name)
    var hasLinks = true
    try host.call(.link, target) {
      if linkat(descriptor, temporary, descriptor, name, 0) == 0 {
        host.changed(.linked(from: source, to: target))
        if unlinkat(descriptor, temporary, 0) == 0 { host.changed(.removed(source)) }
        return 0
      }
      hasLinks = !Self.withoutLinks.contains(errno)
      return hasLinks ? -1 : 0
    }
    return hasLinks
  }
}
