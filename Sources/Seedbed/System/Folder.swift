#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder held open: names in it cannot be redirected by renaming what is above it.
package final class Folder: ReadableFolder, @unchecked Sendable {
  // Sound: the descriptor never changes, and the calls on it are safe from any thread.
  let descriptor: Int32
  package let path: String
  package let host: Host

  package struct Entry: Equatable {
    package enum Kind: Equatable { case file, folder, other }
    package var name: String
    package var kind: Kind
  }

  package init(_ path: String, host: Host = .real) throws {
    self.path = path
    self.host = host
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    descriptor = Int32(try host.call(.open, path) { Int(openat(AT_FDCWD, path, flags)) })
  }

  private init(inside parent: Folder, _ name: String) throws {
    path = parent.path + "/" + name
    host = parent.host
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
    let outer = parent.descriptor
    descriptor = Int32(try host.call(.open, path) { Int(openat(outer, name, flags)) })
  }

  deinit { close(descriptor) }

  package func folder(_ name: String) throws -> Folder { try Folder(inside: self, name) }

  package func list() throws -> [Entry] {
    // A descriptor of its own: each has one place in the folder that it reads on from.
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let folder = Int32(try host.call(.list, path) { Int(openat(descriptor, ".", flags)) })
    guard let stream = fdopendir(folder) else {
      let number = errno
      close(folder)
      throw SeedbedError.system(.list, path, number)
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let next = readdir(stream) else {
        if errno != 0 { throw SeedbedError.system(.list, path, errno) }
        return entries
      }
      // Sound: the name ends with a zero byte, and is read before the next call.
      let name = withUnsafeBytes(of: &next.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name == "." || name == ".." { continue }
      let kind: Entry.Kind? =
        switch Int32(next.pointee.d_type) {
        case Int32(DT_REG): .file
        case Int32(DT_DIR): .folder
        // Some file systems do not say.
        case Int32(DT_UNKNOWN): try self.kind(of: name)
        default: .other
        }
      entries.append(Entry(name: name, kind: kind ?? .other))
    }
  }

  package func kind(of name: String) throws -> Entry.Kind? {
    var facts = stat()
    do {
      // A link must not be followed here either.
      try host.call(.stat, path + "/" + name) {
        Int(fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW))
      }
    } catch {
      if fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) != 0, errno == ENOENT { return nil }
      throw error
    }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Opens a regular file for reading; a symbolic link, a pipe or a device is refused.
  package func open(_ name: String) throws -> OpenFile {
    let full = path + "/" + name
    // Without O_NONBLOCK the open of a named pipe would wait for a writer.
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let raw = Int32(try host.call(.open, full) { Int(openat(descriptor, name, flags)) })
    let file = OpenFile(raw, full, host)
    let facts = try file.facts()
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw SeedbedError(.io, "Cannot read '\(full)': it is not a regular file.")
    }
    return file
  }

  /// Creates a file that must not exist, with exactly this mode, or with what the process's umask
  /// leaves of it.
  package func create(
    _ name: String, mode: UInt32, obeysMask: Bool = false
  ) throws -> OpenFile {
    let full = path + "/" + name
    let mode = mode_t(mode)
    let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let raw = Int32(try host.call(.create, full) { Int(openat(descriptor, name, flags, mode)) })
    host.changed(.created(full))
    let file = OpenFile(raw, full, host)
    if obeysMask { return file }
    do {
      // The process's umask may have taken bits away.
      try host.call(.create, full) { Int(fchmod(raw, mode)) }
    } catch let error {
      // The first error is the one to report.
      try? remove(name)
      throw error
    }
    return file
  }

  /// Creates the folder if it is missing.
  package func makeFolder(_ name: String, mode: UInt32 = 0o777) throws {
    let full = path + "/" + name
    do {
      try host.call(.makeFolder, full) { Int(mkdirat(descriptor, name, mode_t(mode))) }
    } catch let error {
      var facts = stat()
      guard fstatat(descriptor, name, &facts, 0) == 0, facts.st_mode & S_IFMT == S_IFDIR
      else { throw error }
      return
    }
    host.changed(.madeFolder(full))
    try sync()
  }

  /// What a file system answers that knows no hard links.
  static let withoutLinks = [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS]

  /// Gives a finished file its final name, without ever replacing another.
  ///
  /// If the file system knows no hard links it is renamed, after a look that the name is free;
  /// the caller holds the database's write lock, so nobody else publishes there.
  func publish(_ temporary: String, as name: String) throws {
    let (source, target) = (path + "/" + temporary, path + "/" + name)
    try host.call(.link, target) {
      if linkat(descriptor, temporary, descriptor, name, 0) == 0 {
        host.changed(.linked(from: source, to: target))
        let result = unlinkat(descriptor, temporary, 0)
        if result == 0 { host.changed(.removed(source)) }
        return Int(result)
      }
      guard Self.withoutLinks.contains(errno) else { return -1 }
      guard size(of: name) == nil else {
        errno = EEXIST
        return -1
      }
      let result = renameat(descriptor, temporary, descriptor, name)
      if result == 0 { host.changed(.renamed(from: source, to: target)) }
      return Int(result)
    }
  }

  /// Gives a finished file the name of another, which it replaces in one step.
  package func replace(_ name: String, with temporary: String) throws {
    try host.call(.link, path + "/" + name) {
      Int(renameat(descriptor, temporary, descriptor, name))
    }
    host.changed(.renamed(from: path + "/" + temporary, to: path + "/" + name))
  }

  package func remove(_ name: String) throws {
    try host.call(.remove, path + "/" + name) { Int(unlinkat(descriptor, name, 0)) }
    host.changed(.removed(path + "/" + name))
  }

  /// Makes created and removed names durable.
  package func sync() throws {
    try host.call(.syncFolder, path) { Int(fsync(descriptor)) }
    host.changed(.syncedFolder(path))
  }

  package func size(of name: String) -> Int64? {
    var facts = stat()
    guard fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return Int64(facts.st_size)
  }
}
