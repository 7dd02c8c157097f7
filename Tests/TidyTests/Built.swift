import Foundation
import Testing
import TestSupport

/// The library as it was built with these tests.
enum Built {
  /// Type-checks a file of a stranger's.
  ///
  /// - Parameters:
  ///   - mode: `-c` also finds races, which the compiler looks for after it knows all types.
  ///   - modules: others that it imports, by their names.
  ///   - folder: where compiled modules are that it imports.
  ///   - options: more of the compiler's.
  static func typeCheck(
    _ text: String, mode: String = "-typecheck", beside modules: [String: String] = [:],
    modulesIn folder: URL? = nil,
    options: [String] = []
  ) throws -> Shell {
    let place = try Place()
    try place.write("example.swift", text)
    for (module, source) in modules {
      try place.write("\(module).swift", source)
      let made = try Shell.run(
        "swiftc", "-emit-module", "-parse-as-library", "-module-name", module,
        "\(module).swift", in: place.url)
      try #require(made.status == 0, "\(made.output)")
    }
    let words = [
      "swiftc", mode, "-swift-version", "6", "-warnings-as-errors", "-parse-as-library",
      "-I", ".", "-I", (folder ?? place.url).path, "-I", try Self.modules.path,
      "-I", Self.sources.path, "example.swift",
    ]
    return try Shell.run(words + options, in: place.url)
  }

  /// Links files of a stranger's with the library and stubs, as the program `example`.
  static func linked(
    _ files: [String], with stubs: [String], _ options: [String] = [], in folder: URL
  ) throws -> Shell {
    let modules = try Stubs.modules.get()
    let library = try ["Seedbed", "SeedbedCells", "SeedbedChecks", "SeedbedOverTheAir"].flatMap {
      target in
      let folder = try Self.modules.deletingLastPathComponent().appending(path: "\(target).build")
      // Code of files that are gone stays in that folder.
      return try Project.swiftFiles().filter { $0.path.hasPrefix("Sources/\(target)/") }
        .map { folder.appending(path: "\($0.path.split(separator: "/").last ?? "").o").path }
    }
    let words = [
      "swiftc", "-swift-version", "6", "-default-isolation", "MainActor", "-parse-as-library",
      "-o", "example", "-I", try Self.modules.path, "-I", Self.sources.path, "-I", modules.path,
      "-lsqlite3", "-lz", "-lcrypto", "-lsodium",
    ]
    let objects = library + stubs.map { modules.appending(path: "\($0).o").path }
    return try Shell.run(words + options + files + objects, in: folder)
  }

  /// What a module shows to the world, one sorted line each: its path and its declaration.
  static func publicSymbols(of module: String) throws -> [String] {
    var lines: [String] = []
    let place = try Place()
    let info = try Shell.run("swiftc", "-print-target-info", in: place.url)
    let target = try JSONDecoder().decode(TargetInfo.self, from: Data(info.output.utf8)).target
    let extracted = try Shell.run(
      "swift", "symbolgraph-extract", "-module-name", module, "-target", target.triple,
      "-I", try Self.modules.path, "-I", Self.sources.path, "-output-dir", ".",
      "-minimum-access-level", "public", "-skip-synthesized-members", in: place.url)
    try #require(extracted.status == 0, "\(extracted.output)")
    for file in try FileManager.default.contentsOfDirectory(atPath: place.path)
    where file.hasPrefix(module) && file.hasSuffix(".symbols.json") {
      let graph = try Data(contentsOf: place.url.appending(path: file))
      lines += try JSONDecoder().decode(SymbolGraph.self, from: graph).symbols.map(\.line)
    }
    return lines.sorted()
  }

  static let sources = Project.root.appending(path: "Sources")

  static var modules: URL {
    get throws {
      let build = try #require(Bundle.main.executableURL).deletingLastPathComponent()
      return build.appending(path: "Modules")
    }
  }

  private struct TargetInfo: Decodable {
    var target: Target

    struct Target: Decodable { var triple: String }
  }

  private struct SymbolGraph: Decodable {
    var symbols: [Symbol]

    struct Symbol: Decodable {
      var pathComponents: [String]
      var declarationFragments: [Fragment]

      var line: String {
        pathComponents.joined(separator: ".") + ": "
          + declarationFragments.map(\.spelling).joined()
      }
    }

    struct Fragment: Decodable { var spelling: String }
  }
}
