import Foundation
import Testing

@Suite struct `What the library calls is declared to Apple` {
  @Test func `each category is declared, and no other`() throws {
    let files = try Project.swiftFiles().filter { file in
      ["Seedbed", "SeedbedCells"].contains { file.path.hasPrefix("Sources/\($0)/") }
    }
    let declared = try manifest().accessed
    expectNone(Privacy.violations(in: files, declared: declared.map(\.category)))
    // Files in the app's container; whether there is room to write.
    #expect(declared.map(\.reasons) == [["C617.1"], ["E174.1"]])
  }

  @Test func `nothing is collected and nobody tracked`() throws {
    let manifest = try manifest()
    #expect(manifest.collected.isEmpty && manifest.trackingDomains.isEmpty && !manifest.isTracking)
  }

  @Test func `a call without its declaration is found, and the reverse`() {
    let file = SourceFile(path: "A.swift", text: "// lstat\nlet a = lstat(path, &facts)\n")
    let time = "NSPrivacyAccessedAPICategoryFileTimestamp"
    #expect(Privacy.violations(in: [file], declared: []).map(\.line) == [2])
    #expect(Privacy.violations(in: [file], declared: [time]).isEmpty)
    #expect(Privacy.violations(in: [], declared: [time]).map(\.path) == [Privacy.path])
  }

  private func manifest() throws -> Privacy.Manifest {
    try PropertyListDecoder().decode(
      Privacy.Manifest.self, from: Data(Project.text(Privacy.path).utf8))
  }
}
