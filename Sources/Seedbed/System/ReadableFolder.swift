/// The place of a catalog's files: a folder on disk, or bytes in memory.
package protocol ReadableFolder: Sendable {
  associatedtype Inner: ReadableFolder
  associatedtype File: ReadableFile

  var path: String { get }

  /// The folder of that name in this one; a symbolic link is refused.
  func folder(_ name: String) throws -> Inner
  /// The entries of the folder in no order, without "." and "..".
  func list() throws -> [Folder.Entry]
  /// The kind of the entry with this name; nil if there is none.
  func kind(of name: String) throws -> Folder.Entry.Kind?
  /// The size of a file; nil if there is none.
  func size(of name: String) -> Int64?
  /// Opens a regular file for reading; anything else is refused.
  func open(_ name: String) throws -> File
}

extension ReadableFolder {
  /// The entries of the folder, in the order of their names' bytes.
  func entries() throws -> [Folder.Entry] {
    try list().ordered { ExactText($0.name) }
  }
}

/// One of its files, read from the first byte to the last.
package protocol ReadableFile: AnyObject {
  var path: String { get }

  func size() throws -> Int64
  /// Reads on into `buffer`; 0 at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ReadableFile {
  /// The whole content, if it is no longer than `limit`.
  package func content(limit: Int) throws -> [UInt8] {
    let bytes = try size()
    guard let size = Int(exactly: bytes), size <= limit else {
      throw SeedbedError(
        .catalog, "'\(path)' has \(bytes) bytes, more than the \(limit) that such a file may have.")
    }
    return try Array(unsafeUninitializedCapacity: size) { bytes, filled in
      while filled < size {
        let rest = UnsafeMutableBufferPointer(rebasing: bytes[filled...])
        let count = try read(into: UnsafeMutableRawBufferPointer(rest))
        if count == 0 { return }
        filled += count
      }
    }
  }

  /// At most `limit` bytes from the start of the file, in one read.
  package func start(_ limit: Int) throws -> [UInt8] {
    try Array(unsafeUninitializedCapacity: limit) { bytes, count in
      count = try read(into: UnsafeMutableRawBufferPointer(bytes))
    }
  }
}
