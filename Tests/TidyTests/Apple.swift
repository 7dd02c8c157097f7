import Foundation
import Testing
import TestSupport

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

  let place: Place
  let system: System

  /// A system, by the conditions that hold there.
  enum System: String, CaseIterable {
    case phone = "iOS"
    case mac = "macOS"
    case tv = "tvOS"
    case watch = "watchOS"
    case vision = "visionOS"
    case catalyst = "iOS macCatalyst"
    case simulator = "iOS simulator"

    var conditions: [(String, String)] {
      let names = rawValue.split(separator: " ").map(String.init)
      return ["iOS", "macOS", "tvOS", "watchOS", "visionOS", "Linux"].map {
        ("os(\($0))", "\(names.contains($0))")
      }
        + ["macCatalyst", "simulator"].map {
          ("targetEnvironment(\($0))", "\(names.contains($0))")
        }
    }
  }

  /// - Parameter place: an empty one, where the modules go, or that of another system, whose
  ///   modules are imported.
  init(in place: Place, _ system: System = .phone) throws {
    (self.place, self.system) = (place, system)
    for stub in ["DarwinTypes", "Darwin", "CryptoKit", "XcodeProjectPlugin"] {
      let text = try Project.text("Tests/Apple/\(stub).swift")
      try place.write("\(stub)/\(stub).swift", replacingConditions(in: text))
      let made = try emit(stub)
      try #require(made.status == 0, "\(made.output)")
    }
  }

  /// Compiles a module up to where the compiler has found all that it can find, for those after it
  /// too.
  func check(_ module: String, _ files: [SourceFile]) throws -> Shell {
    for file in files {
      try place.write("\(module)/\(file.path)", replacingConditions(in: file.text))
    }
    let strict = ["-warnings-as-errors", "-enable-upcoming-feature", "MemberImportVisibility"]
    // A module file is made of SIL, and so after all diagnostics. The index is not made with it.
    let made = try compile(module, ["-emit-module", "-o", "\(module).swiftmodule"] + strict)
    guard made.status == 0, system == .phone else { return made }
    return try compile(
      module, ["-typecheck", "-index-store-path", "index", "-index-ignore-system-modules"] + strict)
  }

  func replacingConditions(in text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let code = line.drop { $0 == " " }
      guard code.hasPrefix("#if") || code.hasPrefix("#elseif") else { return String(line) }
      let replaced = system.conditions.reduce(String(line)) {
        $0.replacingOccurrences(of: $1.0, with: $1.1)
      }
      return Self.evaluated(replaced)
    }
    return lines.joined(separator: "\n")
  }

  /// `#if true || false` as `#if true`: systems that compile the same code have the same text then.
  private static func evaluated(_ line: String) -> String {
    guard let keyword = line.firstRange(of: "if ") else { return line }
    let terms = line[keyword.upperBound...].components(separatedBy: " || ").map { term in
      let factors = term.components(separatedBy: " && ").map { Bool($0) }
      return factors.contains(nil) ? nil : !factors.contains(false)
    }
    return terms.contains(nil) ? line : line[..<keyword.upperBound] + "\(terms.contains(true))"
  }

  /// Makes the module file of a stub.
  private func emit(_ module: String) throws -> Shell {
    try compile(module, ["-emit-module", "-o", "\(module).swiftmodule"])
  }

  private func compile(_ module: String, _ options: [String]) throws -> Shell {
    let names = FileManager.default.enumerator(atPath: place.path + "/" + module)
    let sources = (names?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".swift") }.sorted().map { "\(module)/\($0)" }
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
    return try Shell.run(words, in: place.url)
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
