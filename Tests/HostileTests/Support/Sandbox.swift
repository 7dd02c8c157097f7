import Foundation
import SeedbedAuthoring

/// A folder in memory where there is such a place, gone with the value.
final class Sandbox: Sendable {
  let path: String

  init() throws {
    let memory = "/dev/shm"
    let isThere = FileManager.default.isWritableFile(atPath: memory)
    let base = isThere ? memory : FileManager.default.temporaryDirectory.path
    path = base + "/seedbed-hostile-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: catalog, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var catalog: String { path + "/Migrations" }
  var database: String { path + "/app.sqlite" }

  func write(_ bundle: Bundle) throws {
    for folder in bundle.folders { try makeFolder(catalog + "/" + folder) }
    for (file, bytes) in bundle.files { try write(bytes, to: file) }
    for (link, target) in bundle.links {
      try makeFolder((catalog + "/" + link as NSString).deletingLastPathComponent)
      try FileManager.default.createSymbolicLink(
        atPath: catalog + "/" + link, withDestinationPath: target)
    }
    if bundle.isLocked { _ = try CatalogLock.write(directory: catalog) }
    for change in bundle.changes {
      let file = catalog + "/" + change.path
      let before = FileManager.default.contents(atPath: file) ?? Data()
      if let bytes = change.edit(Array(before)) {
        try write(bytes, to: change.path)
      } else {
        try FileManager.default.removeItem(atPath: file)
      }
    }
  }

  private func write(_ bytes: [UInt8], to file: String) throws {
    let file = catalog + "/" + file
    try makeFolder((file as NSString).deletingLastPathComponent)
    try Data(bytes).write(to: URL(fileURLWithPath: file))
  }

  private func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The names beside the database, its own among them.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}
