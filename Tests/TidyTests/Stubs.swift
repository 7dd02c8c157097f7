import Foundation
import Testing

/// As much of other libraries and of Apple's frameworks as the pages use, with their signatures.
enum Stubs {
  static let folder = "Tests/Stubs"

  /// One module for each file.
  static let names = Project.files(in: folder) { $0.hasSuffix(".swift") }
    .map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }

  static let texts = names.compactMap { try? Project.text("\(folder)/\($0).swift") }

  /// The folder with the compiled modules and their code, made once for each run of the tests.
  static let modules = Result { try compile() }

  /// It stays in the build folder, as everything does that is built.
  private static func compile() throws -> URL {
    let modules = try Built.modules.deletingLastPathComponent().appending(path: "Stubs")
    try FileManager.default.createDirectory(at: modules, withIntermediateDirectories: true)
    // Those that others import come first.
    for name in names.sorted(by: { $0 == "System" && $1 != "System" }) {
      let isSwift5 = try Project.text("\(folder)/\(name).swift").hasPrefix("// Swift 5,")
      let made = try Shell.run(
        "swiftc", "-emit-module", "-c", "-parse-as-library", "-swift-version",
        isSwift5 ? "5" : "6", "-warnings-as-errors", "-module-name", name, "-I", ".",
        Project.root.appending(path: "\(folder)/\(name).swift").path, in: modules)
      try #require(made.status == 0, "\(made.output)")
    }
    return modules
  }
}
