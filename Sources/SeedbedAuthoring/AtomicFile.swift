import Seedbed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Small files that are written completely or not at all.
package enum AtomicFile {
  /// Writes a file next to the old one, makes it durable, and gives it the old one's name.
  ///
  /// A process that is killed here leaves at most `.<name>.<its number>.partial` behind.
  package static func write(_ bytes: [UInt8], to name: String, in folder: String) throws {
    try write(bytes, to: name, in: folder, host: .real)
  }

  static func write(
    _ bytes: [UInt8], to name: String, in folder: String, host: Host
  ) throws {
    try write(to: name, in: folder, host: host) { try $0(bytes) }
  }

  /// Writes a file in the same way, from content in pieces.
  ///
  /// - Parameter check: gets the path of the whole file before it has its name.
  package static func write<Result>(
    to name: String, in folder: String,
    _ content: (_ write: @escaping ([UInt8]) throws -> Void) throws -> Result,
    check: (_ path: String) throws -> Void = { _ in }
  ) throws -> Result {
    try write(to: name, in: folder, host: .real, content, check: check)
  }

  private static func write<Result>(
    to name: String, in folder: String, host: Host,
    _ content: (_ write: @escaping ([UInt8]) throws -> Void) throws -> Result,
    check: (_ path: String) throws -> Void = { _ in }
  ) throws -> Result {
    let folder = try Folder(Paths.absolute(folder), host: host)
    // The rename would replace a link or a device by the file.
    switch try folder.kind(of: name) {
    case nil, .file: break
    case .folder: throw SeedbedError(.io, "'\(folder.path)/\(name)' is a folder. Name a file.")
    case .other:
      throw SeedbedError(
        .io,
        "'\(folder.path)/\(name)' is not a regular file, so it is not replaced. Name another.")
    }
    let temporary = ".\(name).\(getpid()).partial"
    if try folder.kind(of: temporary) != nil { try folder.remove(temporary) }
    let result: Result
    do {
      let file = try folder.create(temporary, mode: 0o644)
      result = try content { try file.write($0) }
      // > Calling fsync() does not necessarily ensure that the entry in the directory containing
      // > the file has also reached disk. (man 2 fsync)
      try file.sync()
      try check(folder.path + "/" + temporary)
      try folder.replace(name, with: temporary)
    } catch let error {
      // The first error is the one to report. Every reader ignores a leftover.
      try? folder.remove(temporary)
      throw error
    }
    try folder.sync()
    return result
  }
}
