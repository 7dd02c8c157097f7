import Testing

/// What the comments claim is held by assertions, which run where the tests run.
@Suite struct `Assertions` {
  @Test func `are many, in what ships`() throws {
    let sources = try Project.swiftFiles().filter { $0.path.hasPrefix("Sources/") }
    let count = sources.map { $0.text.split(separator: "assert(").count - 1 }.reduce(0, +)
    #expect(count >= 40)
  }

  @Test func `run in the optimised build of the tests`() throws {
    let manifest = try Project.text("Package.swift")
    let flags = try #require(manifest.firstMatch(of: /let optimizing = \[([^\]]*)\]/)).output.1
    #expect(flags.contains(#""-assert-config", "Debug""#))
  }
}
