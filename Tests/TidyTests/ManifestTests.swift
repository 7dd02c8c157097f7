import Foundation
import Testing
import TestSupport

@Suite struct `Any package can depend on this one` {
  @Test func `Package.swift has no unsafe flags and no dependency`() throws {
    let text = try Project.text("Package.swift")
    expectNone(Manifest.violations(in: SourceFile(path: "Package.swift", text: text)))
  }

  @Test(arguments: [
    "swiftSettings: [.unsafeFlags([\"-O\"])]",
    "swiftSettings: isFast ? [.unsafeFlags([\"-O\"])] : []",
    "dependencies: [.package(url: \"a\", from: \"1.0.0\")]",
    "dependencies: [.package(path: \"../a\")]",
  ])
  func `either is found`(line: String) {
    let file = SourceFile(path: "Package.swift", text: "// .unsafeFlags\n\(line)\n")
    #expect(Manifest.violations(in: file).map(\.line) == [2])
  }
}

@Suite struct `The manifest fits the system that reads it` {
  @Test func `a Mac takes what Apple ships, and declares what apps must`() throws {
    let manifest = try read(onMac: true)
    #expect(manifest.targets.allSatisfy { $0.pkgConfig == nil })
    #expect(manifest.resources(of: "Seedbed") == ["PrivacyInfo.xcprivacy"])
    #expect(
      Set(manifest.platforms.map(\.platformName))
        == ["macos", "maccatalyst", "ios", "tvos", "watchos", "visionos"])
  }

  @Test func `Linux pays for no resource`() throws {
    let manifest = try read(onMac: false)
    #expect(Set(manifest.targets.compactMap(\.pkgConfig)) == ["zlib", "libcrypto", "libsodium"])
    #expect(manifest.resources(of: "Seedbed") == [])
  }

  /// SwiftPM refuses a dependency that has one.
  @Test func `who depends on this package meets no unsafe flag`() throws {
    #expect(try !read(onMac: false).text.contains("unsafeFlags"))
  }

  private func read(onMac: Bool) throws -> Dump {
    let place = try Place()
    let text = try Project.text("Package.swift")
    try #require(text.contains("#if os(macOS)\n"))
    try place.write(
      "Package.swift",
      text.replacingOccurrences(of: "#if os(macOS)\n", with: "#if \(onMac)\n"))
    let dumped = try Shell.run(
      "env", "-u", "SEEDBED_CLONE", "-u", "SEEDBED_OPTIMIZED", "-u", "SEEDBED_POSTGRESQL",
      "swift",
      "package",
      "dump-package", in: place.url)
    let json = try #require(dumped.output.firstIndex(of: "{"), "\(dumped.output)")
    var result = try JSONDecoder().decode(Dump.self, from: Data(dumped.output[json...].utf8))
    result.text = dumped.output
    return result
  }

  private struct Dump: Decodable {
    var platforms: [Platform]
    var targets: [Target]
    /// All of it.
    var text = ""

    private enum CodingKeys: CodingKey { case platforms, targets }

    func resources(of name: String) -> [String]? {
      targets.first { $0.name == name }?.resources.map(\.path)
    }

    struct Platform: Decodable { var platformName: String }
    struct Resource: Decodable { var path: String }
    struct Target: Decodable {
      var name: String
      var pkgConfig: String?
      var resources: [Resource]
    }
  }
}
