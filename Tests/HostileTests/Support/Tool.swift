import Foundation

/// Another program, asked for its opinion.
enum Tool {
  /// What it prints, errors too; `input` is its stdin.
  static func run(
    _ name: String, _ arguments: [String], in sandbox: Sandbox, input: [UInt8] = []
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [name] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: sandbox.path)
    // Files, so that no pipe can fill up while nobody reads it.
    let (source, target) = (sandbox.path + "/tool-input", sandbox.path + "/tool-output")
    try Data(input).write(to: URL(fileURLWithPath: source))
    _ = FileManager.default.createFile(atPath: target, contents: nil)
    let output = FileHandle(forWritingAtPath: target)
    process.standardInput = FileHandle(forReadingAtPath: source)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    return try String(contentsOfFile: target, encoding: .utf8)
  }
}
