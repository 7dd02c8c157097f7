#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Who may read a file, carried over to what is made of it: never to more people.
extension Folder {
  /// Creates a file that must not exist, for those who may read the file at `model`.
  func create(_ name: String, like model: String) throws -> OpenFile {
    let file = try create(name, mode: 0o600)
    do {
      try file.adoptAccess(of: model)
    } catch {
      // The first error is the one to report.
      try? remove(name)
      throw error
    }
    return file
  }

  /// Creates the folder if it is missing, for those who may read the file at `model`.
  func makeFolder(_ name: String, like model: String) throws {
    let readers = (Paths.mode(model) ?? 0o600) & 0o044
    // A reader of the folder also needs the right to look names up.
    try makeFolder(name, mode: UInt32(0o700 | readers | readers >> 2))
  }
}

extension OpenFile {
  /// Takes over owner, group, permissions and data protection of another file.
  fileprivate func adoptAccess(of model: String) throws {
    var facts = stat()
    try host.call(.stat, model) { Int(stat(model, &facts)) }
    var mode = facts.st_mode & 0o666
    let own = try self.facts()
    if own.st_uid != facts.st_uid {
      // Only root may give files away; to everybody else the file was open all the same.
      _ = fchown(descriptor, facts.st_uid, gid_t.max)
    }
    if own.st_gid != facts.st_gid, fchown(descriptor, uid_t.max, facts.st_gid) != 0 {
      // The group that the file has now is another one, and may not read the model.
      mode &= ~0o070
    }
    try host.call(.create, path) { Int(fchmod(descriptor, mode)) }
    try adoptProtection(of: model)
  }
}
