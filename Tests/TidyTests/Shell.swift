import Foundation

/// What a process printed, both streams in one, and how it ended.
struct Shell {
  let status: Int32
  let output: String

  /// Runs a program by its name, and waits for it.
  static func run(_ words: String..., in folder: URL = Project.root) throws -> Shell {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = folder
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Shell(
      status: process.terminationStatus, output: String(decoding: output, as: UTF8.self))
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
