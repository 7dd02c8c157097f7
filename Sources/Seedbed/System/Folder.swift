#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder held open. Renaming a folder above it does not redirect the names in it.
package final class Folder: ReadableFolder, @unchecked Sendable {
  // Sound: the descriptor never changes, and the calls on it are safe from any thread.
  let descriptor: Int32
  package let path: String
  let host: Host

  package struct Entry: Equatable {
    package enum Kind: Equatable { case file, folder, other }
    package var name: String
    package var kind: Kind

    package init(name: String, kind: Kind) { (self.name, self.kind) = (name, kind) }
  }

  package convenience init(_ path: String, host: Host = .real) throws {
    try self.init(path, host) { openat(AT_FDCWD, path, $0) }
  }

  private init(_ path: String, _ host: Host, open: (_ flags: Int32) -> Int32) throws {
    (self.path, self.host) = (path, host)
    descriptor = try host.call(.open, path) { open(O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
  }

  deinit { close(descriptor) }

  package func folder(_ name: String) throws -> Folder {
    try Folder(path + "/" + name, host) { openat(descriptor, name, $0 | O_NOFOLLOW) }
  }

  package func list() throws -> [Entry] {
    // A second descriptor, since each descriptor keeps its own position in the listing.
    let folder = try host.call(.list, path) {
      openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
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
        // Some file systems do not report the kind.
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
        fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) != 0, errno == ENOENT { return nil }
      throw error
    }
    return switch facts.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  package func size(of name: String) -> Int64? {
    var facts = stat()
    guard fstatat(descriptor, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return Int64(facts.st_size)
  }

  // MARK: turns

  /// Locks the folder for this process until `unlock`, or until the process ends. Returns false if
  /// another process has the lock. On a file system without such locks, every process gets it.
  package func lock() -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  package func unlock() { _ = flock(descriptor, LOCK_UN) }

  // MARK: files

  func open(
    _ name: String, as call: SystemCall, _ flags: Int32, mode: mode_t = 0
  ) throws -> OpenFile {
    let full = path + "/" + name
    let file = try host.call(call, full) {
      openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW, mode)
    }
    return OpenFile(file, full, host)
  }

  /// Opens a regular file for reading; a symbolic link, a pipe or a device is refused.
  package func open(_ name: String) throws -> OpenFile {
    // Without O_NONBLOCK the open of a named pipe would wait for a writer.
    let file = try open(name, as: .open, O_RDONLY | O_NONBLOCK)
    guard try file.facts().st_mode & S_IFMT == S_IFREG else {
      throw SeedbedError(.io, "Cannot read '\(file.path)': it is not a regular file.")
    }
    return file
  }

  /// Creates a file that must not exist, either with exactly this mode or with the process's umask
  /// applied.
  package func create(
    _ name: String, mode: UInt32, obeysMask: Bool = false
  ) throws -> OpenFile {
    let file = try open(name, as: .create, O_RDWR | O_CREAT | O_EXCL, mode: mode_t(mode))
    host.changed(.created(file.path))
    if !obeysMask { try orRemove(name) { try file.setMode(mode_t(mode)) } }
    return file
  }

  /// Runs `body` for a new file, and removes the file if that fails.
  func orRemove<Result>(_ name: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch {
      // The first error is the one to report.
      try? remove(name)
      throw error
    }
  }

  /// Creates the folder if it is missing.
  package func makeFolder(_ name: String, mode: UInt32 = 0o777) throws {
    let full = path + "/" + name
    do {
      try host.call(.makeFolder, full) { mkdirat(descriptor, name, mode_t(mode)) }
    } catch {
      var facts = stat()
      guard fstatat(descriptor, name, &facts, 0) == 0, facts.st_mode & S_IFMT == S_IFDIR
      else { throw error }
      return
    }
    host.changed(.madeFolder(full))
    try sync()
  }

  @inline(never) package func remove(_ name: String) throws {
    try host.call(.remove, path + "/" + name) { unlinkat(descriptor, name, 0) }
    host.changed(.removed(path + "/" + name))
  }

  /// Makes created and removed names durable.
  package func sync() throws {
    try host.call(.syncFolder, path) { OpenFile.flush(descriptor) }
    host.changed(.syncedFolder(path))
  }

  // MARK: final names

  /// Gives a finished file its final name, without ever replacing another.
  ///
  /// If the file system has no hard links, the file is renamed after a check that the name is free.
  /// The caller holds the database's write lock, so no other process publishes there.
  func publish(_ temporary: String, as name: String) throws {
    if try claim(name, for: temporary) { return }
    guard size(of: name) == nil else {
      throw SeedbedError.system(.link, path + "/" + name, EEXIST)
    }
    try replace(name, with: temporary)
  }

  /// Gives a finished file its final name, while others may do the same: the first one wins.
  ///
  /// Where it takes two steps, a process that is killed in between leaves both names of the file.
  ///
  /// - Parameter then: is done while the file has both names, or after the one step.
  /// - Returns: false if the file system has neither way; then nothing was done.
  func claim(_ name: String, for temporary: String, then: () -> Void = {}) throws -> Bool {
    let (source, target) = (path + "/" + temporary, path + "/" + name)
    if host.renamesInOneStep, try renameIfFree(temporary, to: name) {
      host.changed(.renamed(from: source, to: target))
      then()
      return true
    }
    var hasLinks = true
    try host.call(.link, target) {
      if linkat(descriptor, temporary, descriptor, name, 0) == 0 { return 0 }
      hasLinks = ![EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(errno)
      return hasLinks ? -1 : 0
    }
    guard hasLinks else { return false }
    host.changed(.linked(from: source, to: target))
    then()
    // The file has its final name. A leftover second name is not a failure.
    if unlinkat(descriptor, temporary, 0) == 0 { host.changed(.removed(source)) }
    return true
  }

  /// Gives a folder another name. The caller holds the database's write lock.
  func rename(_ folder: String, to name: String) throws {
    try host.call(.link, path + "/" + name) { renameat(descriptor, folder, descriptor, name) }
    host.changed(.renamed(from: path + "/" + folder, to: path + "/" + name))
  }

  /// Apple's SQLite takes a file whose number of names changes while it is open for a broken one.
  ///
  /// - Returns: false if the file system cannot; then nothing was done.
  private func renameIfFree(_ temporary: String, to name: String) throws -> Bool {
    var isDone = true
    try host.call(.link, path + "/" + name) {
      #if canImport(Darwin)
        let code = renameatx_np(descriptor, temporary, descriptor, name, UInt32(RENAME_EXCL))
      #else
        // Only tests get here, one at a time.
        let isFree = size(of: name) == nil
        errno = EEXIST
        let code = isFree ? renameat(descriptor, temporary, descriptor, name) : -1
      #endif
      isDone = code == 0
      return isDone || errno == ENOTSUP ? 0 : -1
    }
    return isDone
  }

  /// Gives a finished file the name of another, which it replaces in one step.
  package func replace(_ name: String, with temporary: String) throws {
    try host.call(.link, path + "/" + name) {
      renameat(descriptor, temporary, descriptor, name)
    }
    host.changed(.renamed(from: path + "/" + temporary, to: path + "/" + name))
  }
}
