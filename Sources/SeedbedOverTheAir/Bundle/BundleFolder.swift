import Seedbed

/// A bundle, read in place: as the catalog's own folder, or one of the folders in it.
struct BundleFolder: ReadableFolder {
  let bundle: String
  let host: Host
  let layout: BundleLayout
  /// nil for the catalog's own folder.
  var folder: String?

  var path: String { folder.map { bundle + "/" + $0 } ?? bundle }

  func folder(_ name: String) throws -> BundleFolder {
    guard layout.migrations.contains(where: { $0.folder == name }) else {
      throw SeedbedError(
        .catalog,
        "The download leaves out the releases up to \(layout.since). Download the whole bundle.",
        at: SeedbedError.Place(name)
      ).because(of: .leftOut(layout.since))
    }
    var inner = self
    inner.folder = name
    return inner
  }

  func list() -> [Folder.Entry] {
    let files = files.map { Folder.Entry(name: $0.name, kind: .file) }
    guard folder == nil else { return files }
    return files + layout.migrations.map { Folder.Entry(name: $0.folder, kind: .folder) }
  }

  func kind(of name: String) -> Folder.Entry.Kind? { list().first { $0.name == name }?.kind }

  func size(of name: String) -> Int64? { files.first { $0.name == name }?.size }

  func open(_ name: String) throws -> BundleFile {
    guard let file = files.first(where: { $0.name == name }) else {
      throw SeedbedError(
        .catalog, "The download does not have this file.", at: SeedbedError.Place(place(of: name)))
    }
    return try BundleFile(self, named: name, at: file.header, size: file.size)
  }

  /// The path of a file in the catalog.
  func place(of name: String) -> String { folder.map { $0 + "/" + name } ?? name }

  private var files: [(name: String, header: Int64, size: Int64)] {
    var files: [(name: String, header: Int64, size: Int64)] = []
    layout.walk { folder, name, header, size in
      if folder == self.folder { files.append((name, header, size)) }
    }
    return files
  }
}

/// A file of a bundle. Its reader compares the content with the lock.
final class BundleFile: ReadableFile {
  let path: String
  private let file: OpenFile
  private let whole: Int64
  private var rest: Int64

  init(_ folder: BundleFolder, named name: String, at offset: Int64, size: Int64) throws {
    let (place, archive) = Paths.split(folder.bundle)
    file = try Folder(place, host: folder.host).open(archive)
    path = folder.path + "/" + name
    (whole, rest) = (size, Int64(Ustar.blockSize))
    try file.seek(to: offset)
    guard try next(Ustar.blockSize) == Ustar.header(folder.place(of: name), size: size) else {
      throw SeedbedError(
        .catalog, "The header of this file differs from the one that the lock implies.",
        at: SeedbedError.Place(folder.place(of: name)))
    }
    rest = size
  }

  func size() -> Int64 { whole }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let wanted = Int(min(rest, Int64(buffer.count)))
    if wanted == 0 { return 0 }
    let count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
    rest -= Int64(count)
    return count
  }
}

extension ReadableFile {
  /// The next bytes; fewer at the end of the file.
  func next(_ count: Int) throws -> [UInt8] {
    try Array(unsafeUninitializedCapacity: count) { bytes, filled in
      while filled < count {
        let rest = UnsafeMutableBufferPointer(rebasing: bytes[filled...])
        let found = try read(into: UnsafeMutableRawBufferPointer(rest))
        if found == 0 { return }
        filled += found
      }
    }
  }
}
