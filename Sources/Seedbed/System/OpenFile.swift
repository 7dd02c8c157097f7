#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file held open; closed when the last reference goes.
///
/// Do not use it for a database or the files that SQLite keeps next to it: closing any descriptor
/// of such a file drops SQLite's POSIX locks in this process.
package final class OpenFile: ReadableFile, @unchecked Sendable {
  // Sound: the descriptor never changes; one thread at a time reads from it.
  let descriptor: Int32
  package let path: String
  let host: Host

  init(_ descriptor: Int32, _ path: String, _ host: Host) {
    (self.descriptor, self.path, self.host) = (descriptor, path, host)
  }

  deinit { close(descriptor) }

  func facts() throws -> stat {
    var facts = stat()
    try host.call(.stat, path) { fstat(descriptor, &facts) }
    return facts
  }

  /// Sets the file's permissions, whatever the process's umask says.
  func setMode(_ mode: mode_t) throws {
    try host.call(.create, path) { fchmod(descriptor, mode) }
  }

  package func size() throws -> Int64 { Int64(try facts().st_size) }

  /// Goes on reading from there.
  package func seek(to offset: Int64) throws {
    try host.call(.read, path) { lseek(descriptor, off_t(offset), SEEK_SET) }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try host.call(.read, path) {
      #if canImport(Darwin)
        Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
    }
  }

  /// Writes all bytes: for small files of our own, such as the lock.
  package func write(_ bytes: [UInt8]) throws {
    var done = 0
    while done < bytes.count {
      let written = try bytes.withUnsafeBytes { whole in
        let rest = UnsafeRawBufferPointer(rebasing: whole[done...])
        return try host.call(.create, path) {
          #if canImport(Darwin)
            Darwin.write(descriptor, rest.baseAddress, rest.count)
          #else
            Glibc.write(descriptor, rest.baseAddress, rest.count)
          #endif
        }
      }
      host.changed(
        .written(
          path, offset: Int64(lseek(descriptor, 0, SEEK_CUR)) - Int64(written),
          bytes: Array(bytes[done..<(done + written)])))
      done += written
    }
  }

  /// Removes all content. The next byte written is the first.
  func empty() throws {
    try host.call(.create, path) { ftruncate(descriptor, 0) }
    host.changed(.truncated(path, size: 0))
    try host.call(.create, path) { lseek(descriptor, 0, SEEK_SET) }
  }

  /// Returns when the content is on the disk. After an error the kernel may have dropped the
  /// pages: never call it again for the same file.
  package func sync() throws {
    try host.call(.sync, path) { Self.flush(descriptor) }
    host.changed(.synced(path))
  }

  static func flush(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      // > Note that while fsync() will flush all data from the host to the drive, the drive
      // > itself may not physically write the data to the platters. (man fsync, Darwin)
      fcntl(descriptor, F_FULLFSYNC) == -1 ? fsync(descriptor) : 0
    #else
      fsync(descriptor)
    #endif
  }
}
