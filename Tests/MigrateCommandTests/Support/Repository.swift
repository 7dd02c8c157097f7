import Foundation

@testable import MigrateCommand

extension Sandbox {
  /// Runs the real git here, as nobody in particular, and returns what it printed.
  @discardableResult
  func git(_ words: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let nobody = [
      "user.name=Nobody", "user.email=nobody@example.com", "init.defaultBranch=main",
      "commit.gpgsign=false",
    ]
    process.arguments =
      ["git", "-C", path] + nobody.flatMap { ["-c", $0] } + words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    guard process.terminationStatus == 0 else {
      throw Failure(description: "git \(words) ended with \(process.terminationStatus): \(text)")
    }
    return text
  }

  /// Commits all there is, and gives it a tag.
  func commit(_ tag: String) throws {
    try git("add", "-A")
    try git("commit", "-q", "-m", tag)
    try git("tag", tag)
  }
}
