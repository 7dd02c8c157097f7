import Testing

@Suite struct `Any package can depend on this one` {
  @Test func `Package.swift has no unsafe flags and no dependency`() throws {
    let text = try Project.text("Package.swift")
    expectNone(Manifest.violations(in: SourceFile(path: "Package.swift", text: text)))
  }

  @Test(arguments: [
    "swiftSettings: [.unsafeFlags([\"-O\"])]",
    "dependencies: [.package(url: \"a\", from: \"1.0.0\")]",
    "dependencies: [.package(path: \"../a\")]",
  ])
  func `either is found`(line: String) {
    let file = SourceFile(path: "Package.swift", text: "// .unsafeFlags\n\(line)\n")
    #expect(Manifest.violations(in: file).map(\.line) == [2])
  }
}
