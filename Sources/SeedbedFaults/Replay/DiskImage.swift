import Seedbed

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// All files below a folder, by their paths in it.
package struct DiskImage: Sendable, Hashable {
  package var files: [String: [UInt8]] = [:]
  package var folders: Set<String> = []
  /// Of the names of one file all but the first, each with the first.
  package var links: [String: String] = [:]

  package init() {}

  /// `-shm` is left out. It is memory that processes share, and the first process after a crash
  /// makes it again.
  package init(of folder: String) throws {
    var first: [FileIdentity: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() {
      if name.hasSuffix("-shm") { continue }
      let path = folder + "/" + name
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type]
      if type as? FileAttributeType == .typeDirectory {
        folders.insert(name)
        continue
      }
      files[name] = try Self.bytes(of: path)
      guard let file = Paths.identity(path) else { continue }
      if let other = first[file] { links[name] = other } else { first[file] = name }
    }
  }

  static func bytes(of path: String) throws -> [UInt8] {
    // Foundation 6.3.1 on Linux never frees the buffer for an empty file.
    if Paths.size(path) == 0 { return [] }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Replaces the content of the folder by these files.
  package func write(to folder: String) throws {
    let manager = FileManager.default
    if manager.fileExists(atPath: folder) { try manager.removeItem(atPath: folder) }
    try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in folders.sorted() {
      try manager.createDirectory(
        atPath: folder + "/" + name, withIntermediateDirectories: true)
    }
    for (name, bytes) in files where links[name] == nil {
      guard manager.createFile(atPath: folder + "/" + name, contents: Data(bytes)) else {
        throw Trouble("Cannot write '\(folder)/\(name)'.")
      }
    }
    for (name, first) in links {
      try manager.linkItem(atPath: folder + "/" + first, toPath: folder + "/" + name)
    }
  }
}

extension DiskImage {
  /// Divides the files into those that remain after SQLite's first look, and those that no later
  /// look reads.
  func withoutLeftovers() -> (image: DiskImage, leftovers: DiskImage) {
    var (image, leftovers) = (self, DiskImage())
    for name in files.keys where name.hasSuffix("-journal") || name.hasSuffix(".partial") {
      leftovers.files[name] = image.files.removeValue(forKey: name)
      leftovers.links[name] = image.links.removeValue(forKey: name)
    }
    return (image, leftovers)
  }

  /// Distinguishes images.
  package typealias Fingerprint = Int

  /// 64 bits are enough: among two million disks, the odds against two equal fingerprints are ten
  /// million to one.
  package var fingerprint: Fingerprint {
    var hasher = Hasher()
    for folder in folders.sorted() { hasher.combine(folder) }
    for name in files.keys.sorted() {
      hasher.combine(name)
      files[name]?.withUnsafeBytes { hasher.combine(bytes: $0) }
      hasher.combine(files[name]?.count)
      hasher.combine(links[name])
    }
    return hasher.finalize()
  }
}
