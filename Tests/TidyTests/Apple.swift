import Foundation
import Testing

/// Sources as Apple's systems compile them, as far as that can be seen elsewhere: `Tests/Apple` has
/// stubs for the modules of Apple's SDKs, so `canImport(Darwin)` is true, and what is left of the
/// conditions is replaced in a copy.
struct Apple {
  /// With the real SDK the build itself is the check.
  static var isHere: Bool {
    #if canImport(Darwin)
      true
    #else
      false
    #endif
  }

  let folder: URL

  /// An iPhone's, of all systems the one with the most code of its own.
  private static let conditions = [
    "os(iOS)": "true", "os(tvOS)": "false", "os(watchOS)": "false", "os(visionOS)": "false",
    "os(macOS)": "false", "os(Linux)": "false", "targetEnvironment(simulator)": "false",
  ]

  /// - Parameter folder: an empty one, where the modules go.
  init(in folder: URL) throws {
    self.folder = folder
    for stub in ["DarwinTypes", "Darwin", "CryptoKit", "XcodeProjectPlugin"] {
      try folder.write(Project.text("Tests/Apple/\(stub).swift"), to: "\(stub)/\(stub).swift")
      let made = try emit(stub)
      try #require(made.status == 0, "\(made.output)")
    }
  }

  /// Type-checks a module, for those after it too.
  func check(_ module: String, _ files: [SourceFile]) throws -> Shell {
    for file in files {
      try folder.write(Self.replacingConditions(in: file.text), to: "\(module)/\(file.path)")
    }
    let checked = try compile(
      module, "-typecheck", "-warnings-as-errors", "-index-store-path", "index",
      "-index-ignore-system-modules")
    return checked.status == 0 ? try emit(module) : checked
  }

  static func replacingConditions(in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let code = line.drop { $0 == " " }
      guard code.hasPrefix("#if") || code.hasPrefix("#elseif") else { return String(line) }
      return conditions.reduce(String(line)) {
        $0.replacingOccurrences(of: $1.key, with: $1.value)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Makes the module file; that the bodies are right was seen before.
  private func emit(_ module: String) throws -> Shell {
    try compile(
      module, "-emit-module", "-o", "\(module).swiftmodule",
      "-Xfrontend", "-experimental-skip-all-function-bodies")
  }

  private func compile(_ module: String, _ options: String...) throws -> Shell {
    let names = FileManager.default.enumerator(atPath: folder.appending(path: module).path)
    let sources = (names?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(module)/\($0)" }
    // The real Foundation does without MemberImportVisibility: its Linux has more modules.
    let words =
      [
        "swiftc", "-wmo", "-parse-as-library", "-module-name", module, "-package-name", "seedbed",
        "-package-description-version", "6.1.0", "-swift-version", "6",
        "-enable-upcoming-feature", "ExistentialAny",
        "-enable-upcoming-feature", "InternalImportsByDefault", "-I", ".", "-I",
        Project.root.appending(path: "Sources").path, "-I",
        Project.root.appending(path: "Sources/CSeedbedProgram/include").path, "-I",
        try Self.target().resources + "/pm/PluginAPI",
      ] + options + sources
    return try Shell.run(words, in: folder)
  }

  /// What the compiler says of this system.
  static func target() throws -> (triple: String, resources: String) {
    let printed = try Shell.run("swiftc", "-print-target-info")
    let info = try JSONDecoder().decode(TargetInfo.self, from: Data(printed.output.utf8))
    return (info.target.triple, info.paths.runtimeResourcePath)
  }

  private struct TargetInfo: Decodable {
    var target: Target
    var paths: Paths

    struct Target: Decodable { var triple: String }
    struct Paths: Decodable { var runtimeResourcePath: String }
  }
}
