import Foundation
import TestSupport

/// What a process printed, both streams in one, and how it ended.
struct Shell {
  let status: Int32
  let output: String

  /// Runs a program by its name, and waits for it.
  static func run(_ words: String..., in folder: URL = Project.root) throws -> Shell {
    try run(words, in: folder)
  }

  static func run(_ words: [String], in folder: URL = Project.root) throws -> Shell {
    let ended = try Child.run(words, in: folder.path(percentEncoded: false))
    return Shell(status: ended.code, output: ended.output)
  }
}

/// A folder that goes when the test ends.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "tidy-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }  // What stays is in /tmp.
  try body(folder)
}

extension URL {
  /// Writes a file below this folder, with the folders it needs.
  func write(_ text: String, to path: String) throws {
    let file = appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
