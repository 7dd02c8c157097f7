import Foundation
import TestSupport

/// The checkout that these tests stand in.
enum Project {
  static let root = Checkout.root

  static func text(_ path: String) throws -> String { try Checkout.text(path) }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  /// The paths of all files below some folders, in order, from the root of the checkout.
  static func files(in folders: String..., where isWanted: (String) -> Bool) -> [String] {
    folders.flatMap { folder -> [String] in
      let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      let paths = names?.compactMap { $0 as? String }.map { "\(folder)/\($0)" } ?? []
      return paths.filter { isWanted($0) && !isFolder($0) }.sorted()
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let file = root.appending(path: path).path
    return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// All Swift files in Plugins, Samples, Sources and Tests.
  static func swiftFiles() throws -> [SourceFile] {
    try files(in: "Plugins", "Samples", "Sources", "Tests") { $0.hasSuffix(".swift") }
      .map { SourceFile(path: $0, text: try text($0)) }
  }

  /// All Markdown files: those in the root and those below its folders.
  static func markdownFiles() throws -> [SourceFile] {
    let inRoot = try FileManager.default.contentsOfDirectory(atPath: root.path)
    let folders = [
      "Conformance", "Documentation", "Migrations", "Samples", "Scripts", "Sources", "Tests",
    ]
    let below = folders.flatMap { files(in: $0) { _ in true } }
    return try (inRoot + below).filter { $0.hasSuffix(".md") }.sorted()
      .map { SourceFile(path: $0, text: try text($0)) }
  }
}

/// One file, by its path from the root of the checkout.
struct SourceFile {
  let path: String
  let text: String

  var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
}
