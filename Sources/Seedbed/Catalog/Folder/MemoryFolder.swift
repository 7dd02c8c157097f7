/// A folder whose files are bytes in memory, by their paths in it.
struct MemoryFolder: ReadableFolder {
  private let files: [String: [UInt8]]
  /// The entries of this folder and of each folder in it, by the folder's path with a "/" at its
  /// end. Deeper folders are ignored.
  private let kinds: [String: [String: Folder.Entry.Kind]]
  /// "" for the top, "0001_elements/" for a folder.
  private var prefix = ""

  /// The path of a database or catalog without a path, as SQLite writes it.
  static let path = ":memory:"

  package var path: String { prefix.isEmpty ? Self.path : Self.path + "/" + prefix.dropLast() }

  /// - Throws: `catalog` for a path that no file in a folder could have.
  init(_ files: [String: [UInt8]]) throws {
    var kinds: [String: [String: Folder.Entry.Kind]] = ["": [:]]
    // In order, so that the same one of several mistakes is reported each time.
    for path in files.keys.ordered() {
      let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard names.allSatisfy({ !["", ".", ".."].contains($0) }) else {
        throw SeedbedError.inCatalog(
          "'\(path.shortened(to: 80))' is not a valid path in a catalog. Use a path such as "
            + "'catalog.json' or '0001_elements/up.sql'.", nil)
      }
      var folder = ""
      for (depth, name) in names.prefix(2).enumerated() {
        let kind: Folder.Entry.Kind = depth == names.count - 1 ? .file : .folder
        let known = kinds[folder, default: [:]].updateValue(kind, forKey: name)
        if let known, known != kind {
          throw SeedbedError.inCatalog(
            "This is the name of both a file and a folder. Rename one of them.", folder + name)
        }
        folder += name + "/"
      }
    }
    (self.files, self.kinds) = (files, kinds)
  }

  func folder(_ name: String) -> MemoryFolder {
    var inner = self
    inner.prefix += name + "/"
    return inner
  }

  package func list() -> [Folder.Entry] {
    (kinds[prefix] ?? [:]).map { Folder.Entry(name: $0, kind: $1) }
  }

  package func kind(of name: String) -> Folder.Entry.Kind? { kinds[prefix]?[name] }

  package func size(of name: String) -> Int64? { files[prefix + name].map { Int64($0.count) } }

  package func open(_ name: String) throws -> MemoryFile {
    guard let bytes = files[prefix + name] else {
      throw SeedbedError.fileGone(prefix + name)
    }
    return MemoryFile(bytes, path + "/" + name)
  }
}

/// A file in memory, with a position for reading.
package final class MemoryFile: ReadableFile {
  package let path: String
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8], _ path: String) { (self.bytes, self.path) = (bytes, path) }

  package func size() -> Int64 { Int64(bytes.count) }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let part = bytes[position...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    position += part.count
    return part.count
  }
}
