import Foundation
import Testing

@testable import Seedbed

/// A catalog in a temporary folder, gone with its last reference.
final class CatalogFixture {
  let path: String

  /// `files` by their path in the catalog; a path that ends in `/` makes a folder.
  init(_ files: [String: String] = [:]) throws {
    let name = "seedbed-catalog-" + UUID().uuidString
    path = Paths.absolute(NSTemporaryDirectory()) + "/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (file, text) in files { try write(file, text) }
  }

  deinit {
    // What stays behind is in the temporary folder.
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ file: String, _ text: String) throws {
    try write(file, Array(text.utf8))
  }

  func write(_ file: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: path + "/" + file)
    let folder = file.hasSuffix("/") ? url : url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if !file.hasSuffix("/") { try Data(bytes).write(to: url) }
  }

  func remove(_ file: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + file)
  }

  func link(_ file: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path + "/" + file, withDestinationPath: target)
  }

  func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path + "/" + file)))
  }

  func catalog() throws -> Catalog { try Catalog(directory: path) }

  /// What a call throws, as the user reads it, with this folder as `CATALOG`.
  func failure(_ body: () throws -> Void) -> String? {
    failureText(body)?.replacingOccurrences(of: path, with: "CATALOG")
  }
}

/// What a call throws, as the user reads it.
func failureText(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
