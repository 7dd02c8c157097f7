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
