#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension DeviceFile {
  /// Without a word to the rest of the process, as a kill.
  static func exitAtOnce() -> Never { _exit(70) }

  static func sleep() { usleep(250_000) }

  /// nil where the system has no such call; otherwise 0 or the error number.
  static func fullFlush(_ path: String) throws -> Int32? {
    #if canImport(Darwin)
      let descriptor = open(path, O_RDWR)
      guard descriptor >= 0 else { throw DeviceError("'\(path)': error \(errno)") }
      defer { close(descriptor) }
      return fcntl(descriptor, F_FULLFSYNC) == -1 ? errno : 0
    #else
      return nil
    #endif
  }

  /// Whether the file system shares the blocks of both files.
  static func clone(_ path: String, to copy: String) throws -> Bool {
    #if canImport(Darwin)
      return clonefile(path, copy, 0) == 0
    #else
      let source = open(path, O_RDONLY)
      let target = open(copy, O_WRONLY | O_CREAT, 0o600)
      guard source >= 0, target >= 0 else { throw DeviceError("'\(copy)': error \(errno)") }
      defer { [source, target].forEach { close($0) } }
      // FICLONE of linux/fs.h, a macro that Swift does not import.
      return ioctl(target, 0x4004_9409, source) == 0
    #endif
  }
}
