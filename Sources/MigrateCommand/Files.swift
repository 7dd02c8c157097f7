#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

/// Facts about paths for more helpful messages. The library does not depend on them.
enum Files {
  enum Kind { case nothing, file, folder, other }

  /// `nothing` only if there certainly is no file.
  static func kind(_ path: String) -> Kind {
    var status = stat()
    if stat(path, &status) != 0 { return errno == ENOENT || errno == ENOTDIR ? .nothing : .other }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  private static let mark = Array("SQLite format 3\0".utf8)

  /// Whether a file exists that does not begin like an SQLite database. An empty file is a database
  /// without tables.
  static func isNoDatabase(_ path: String) -> Bool {
    let start = start(of: path)
    return !start.isEmpty && start != mark
  }

  /// Whether an empty file exists.
  static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_size == 0
  }

  /// Whether a file begins like an SQLite database.
  static func isDatabase(_ path: String) -> Bool { start(of: path) == mark }

  /// The first bytes; empty if the file cannot be read.
  private static func start(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: mark.count)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(count, 0)))
  }

  /// A whole file.
  ///
  /// - Parameters:
  ///   - name: its name in errors.
  ///   - limit: the most bytes that such a file may have.
  static func bytes(of path: String, _ name: String, limit: Int) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, kind(path) != .folder else {
      let reason = descriptor < 0 ? String(cString: strerror(errno)) : "It is a folder"
      if descriptor >= 0 { close(descriptor) }
      throw SeedbedError(.io, "Cannot read '\(name.printable)': \(reason). Name another file.")
    }
    defer { close(descriptor) }
    let bytes = bytes(of: descriptor, upTo: limit + 1)
    try refuse(bytes, above: limit, name)
    return bytes
  }

  /// Standard input, if it has no more bytes than this.
  static func input(of context: CommandContext, limit: Int) throws -> [UInt8] {
    let bytes = context.invocation.input(limit + 1)
    try refuse(bytes, above: limit, "stdin")
    return bytes
  }

  private static func refuse(_ bytes: [UInt8], above limit: Int, _ name: String) throws {
    if bytes.count <= limit { return }
    throw SeedbedError(
      .io,
      "'\(name.printable)' has more than \(Measures.bytes(Int64(limit))), the most that is read of "
        + "such a file. Name another one.")
  }

  /// The bytes that can be read from a descriptor, up to a number.
  static func bytes(of descriptor: Int32, upTo limit: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < limit {
      let count = read(descriptor, &buffer, min(buffer.count, limit - bytes.count))
      if count > 0 { bytes += buffer.prefix(count) }
      if count == 0 || count < 0 && errno != EINTR { return bytes }
    }
    return bytes
  }

  /// The paths that match a shell's pattern, in the order of their names.
  static func matching(_ pattern: String) -> [String] {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob(pattern, 0, nil, &found) == 0 else { return [] }
    return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
  }

  /// Whether a name or an absolute path matches a shell's pattern.
  static func isMatch(_ path: String, _ pattern: String) -> Bool {
    fnmatch(pattern, path, FNM_PATHNAME) == 0
  }

  /// The names in a folder; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The path in the same folder with the name nearest to that of `path`, spelled like `given`.
  static func nearest(to path: String, givenAs given: String, _ kind: Kind) -> String? {
    let (folder, name) = split(path)
    let candidates = names(in: folder).filter { self.kind("\(folder)/\($0)") == kind }
    guard let nearest = Nearest.known(to: name, among: candidates) else { return nil }
    return String(given.dropLast(name.count)) + nearest
  }

  /// The folder of a path and its last name.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}
