import Foundation
import PackagePlugin

/// The program that a plugin runs: the one that SwiftPM built for it, or in its place an installed
/// one that the environment names, which must have exactly the version of this package.
///
/// The manifest reads the same variable, and then has nothing built.
struct Program {
  let url: URL

  init(built: () throws -> PluginContext.Tool) throws {
    guard let path = ProcessInfo.processInfo.environment[Self.variable] else {
      url = try built().url
      return
    }
    url = URL(fileURLWithPath: path)
    let (found, wanted) = (try Self.version(of: url), try Self.versionOfPackage())
    guard found == wanted else {
      throw Failure(
        "\(Self.variable) names '\(path)', whose version is \(found ?? "unknown"), and the package "
          + "seedbed has \(wanted). Install that version, or unset the variable to have it built.")
    }
  }

  private static let variable = "SEEDBED_COMMAND"

  /// `migrate --version` prints `migrate 0.1.0`, and perhaps a commit.
  private static func version(of program: URL) throws -> String? {
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      throw Failure(
        "\(variable) names '\(program.path)', which is not an executable file. Give the absolute "
          + "path of an installed program, such as /usr/bin/seedbed.")
    }
    let (process, output) = (Process(), Pipe())
    process.executableURL = program
    process.arguments = ["--version"]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = text.split(whereSeparator: \.isWhitespace)
    return words.count > 1 ? String(words[1]) : nil
  }

  /// The version, read from the package's source.
  private static func versionOfPackage() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let source = root.appending(path: "Sources/Seedbed/Model/Tool.swift")
    let text = try String(contentsOf: source, encoding: .utf8)
    let words = text.components(separatedBy: "static let version = \"")
    guard words.count == 2, let version = words[1].split(separator: "\"").first else {
      throw Failure("'\(source.path)' has no version.")
    }
    return String(version)
  }

  private struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
}
