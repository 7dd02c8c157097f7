#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif
internal import Seedbed

/// Questions about paths, for better words around an error; the library decides by itself.
enum Files {
  enum Kind { case nothing, folder, other }

  /// `nothing` only if there certainly is none.
  static func kind(_ path: String) -> Kind {
    var status = stat()
    if stat(path, &status) != 0 { return errno == ENOENT || errno == ENOTDIR ? .nothing : .other }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .other
  }

  /// Whether a file is there that does not begin as each SQLite database does; an empty one is a
  /// database without tables.
  static func isNoDatabase(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return false }
    defer { close(descriptor) }
    let mark = Array("SQLite format 3\0".utf8)
    var bytes = [UInt8](repeating: 0, count: mark.count)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 && Array(bytes.prefix(count)) != mark
  }

  /// The names in a folder; none if it cannot be read.
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

  /// The path of a neighbour whose name is nearly that of `path`, spelt as `given` was.
  static func nearest(to path: String, givenAs given: String, _ kind: Kind) -> String? {
    let (folder, name) = split(path)
    let candidates = names(in: folder).filter { self.kind("\(folder)/\($0)") == kind }
    guard let nearest = Nearest.known(to: name, among: candidates) else { return nil }
    return String(given.dropLast(name.count)) + nearest
  }

  /// The folder of a path and the last of its names.
  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = path[..<slash]
    return (folder.isEmpty ? "/" : String(folder), String(path[path.index(after: slash)...]))
  }
}
