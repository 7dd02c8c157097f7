import Foundation
import Testing
import TestSupport

/// The sample app for phones, as far as it can be compiled and run without Apple's frameworks.
struct Sample {
  static let folder = "Samples/FieldGuide"

  static let texts = Project.files(in: folder) { $0.hasSuffix(".swift") }
    .compactMap { try? Project.text($0) }

  /// What only Apple's Foundation has.
  private static let foundation = """
    import Foundation

    extension FileManager {
      nonisolated func containerURL(
        forSecurityApplicationGroupIdentifier groupIdentifier: String
      ) -> URL? { nil }
    }

    extension ProcessInfo {
      nonisolated func performExpiringActivity(
        withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
      ) { block(false) }
    }

    """

  private static let runner = """
    import Testing

    @main struct Runner {
      static func main() async { await Testing.__swiftPMEntryPoint() as Never }
    }

    """

  /// Where the macros of its tests are.
  private static func macros() throws -> String {
    try Apple.target().resources + "/host/plugins"
  }

  /// A copy of the sources, in which other modules take the place of those that Linux has not.
  private let copy: Place

  init(in place: Place) throws {
    copy = place
    try copy.write("Shared/Foundation.swift", Self.foundation)
    for path in Project.files(in: Self.folder, where: { $0.hasSuffix(".swift") }) {
      let text = try Project.text(path).replacing(
        "import SQLite3\n", with: "import CSeedbedSQLite\n")
      try copy.write(String(path.dropFirst(Self.folder.count + 1)), text)
    }
  }

  /// Compiles all files of some folders as a module, to code.
  func compile(_ module: String, _ folders: String..., options: [String]) throws -> Shell {
    let words = [
      "swiftc", "-c", "-wmo", "-emit-module", "-enable-testing", "-parse-as-library",
      "-module-name", module, "-o", "\(module).o", "-swift-version", "6", "-warnings-as-errors",
      "-I", ".", "-I", try Stubs.modules.get().path, "-I", try Built.modules.path,
      "-I", Built.sources.path, "-plugin-path", try Self.macros(),
    ]
    return try Shell.run(words + options + files(in: folders), in: copy.url)
  }

  /// Runs the sample's own tests, beside the app's code in one program.
  func runTests() throws -> Shell {
    try remove("@main\n", in: "App/FieldGuideApp.swift")
    try remove("@testable import FieldGuide\n", in: "Tests/StartTests.swift")
    try copy.write("Tests/Runner.swift", Self.runner)
    let built = try Built.linked(
      files(in: ["App", "Shared", "Tests"]), with: ["SwiftUI", "UIKit", "WidgetKit", "os"],
      ["-plugin-path", Self.macros()], in: copy.url)
    guard built.status == 0 else { return built }
    try FileManager.default.copyItem(
      at: Project.root.appending(path: "\(Self.folder)/Migrations"),
      to: copy.url.appending(path: "Migrations"))
    return try Shell.run("./example", "--testing-library", "swift-testing", in: copy.url)
  }

  /// Removes a line.
  private func remove(_ line: String, in path: String) throws {
    let text = try copy.text(path)
    try #require(text.contains(line))
    try copy.write(path, text.replacing(line, with: ""))
  }

  private func files(in folders: [String]) throws -> [String] {
    try folders.flatMap { folder in
      try copy.names(in: folder).filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }
  }
}
