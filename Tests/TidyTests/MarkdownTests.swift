import TestSupport
import Testing

@Suite struct `Documents are true` {
  @Test func `every path in a Markdown file exists`() throws {
    expectNone(
      try Project.markdownFiles().flatMap { Markdown.brokenPaths(in: $0, exists: Project.exists) })
  }

  @Test func `every script is explained in CONTRIBUTING`() throws {
    let text = try Project.text("CONTRIBUTING.md")
    for script in Project.files(in: "Scripts", where: { !$0.hasSuffix(".md") }) {
      #expect(text.contains("`\(script)"), "Say in CONTRIBUTING.md what \(script) is for.")
    }
  }
}

@Suite struct `Paths are found in Markdown` {
  static let there: Set = [
    "README.md", "LICENSE", "Migrations/README.md", "Scripts/test", "Sources/Seedbed/",
    "Sources/Seedbed",
  ]

  static let cases: [(line: String, broken: [String])] = [
    ("`Scripts/test`", []),
    ("Run Scripts/test.", []),
    ("`Scripts/test --filter a`", []),
    ("`Scripts/tset`", ["Scripts/tset"]),
    ("(see Sources/Seedbed/)", []),
    ("`Sources/Seedbed/*.swift`", []),
    ("`Sources/Seed/A*.swift`", ["Sources/Seed/"]),
    ("`Documentation/None.md` and Plugins/None", ["Documentation/None.md", "Plugins/None"]),
    ("`Benchmarks/none/*.json`", ["Benchmarks/none/"]),
    ("[licence](../LICENSE)", []),
    ("[here](README.md#words)", []),
    ("[here](#words) and [there](https://example.com/Scripts/none)", []),
    ("[this](none.md) and [that](../README.md)", ["none.md"]),
    ("`/usr/Scripts/none` and MyScripts/none", []),
  ]

  @Test(arguments: cases) func `in a line`(line: String, broken: [String]) {
    let file = SourceFile(path: "Migrations/README.md", text: "\n" + line)
    let found = Markdown.brokenPaths(in: file, exists: Self.there.contains)
    #expect(found.map(\.found) == broken.map { "'\($0)' does not exist" })
    #expect(found.allSatisfy { $0.line == 2 })
  }

  @Test func `but not in what a shell printed`() {
    let text = """
          Scripts/one
          $ ls Scripts/two

          Scripts/three
      Scripts/four
          Scripts/five
      """
    let file = SourceFile(path: "README.md", text: text)
    let found = Markdown.brokenPaths(in: file, exists: { _ in false })
    #expect(found.map(\.line) == [1, 5, 6])
  }

  @Test func `code is told from prose`() {
    let text = "migrate `a b` it\n```sh\nc d\ne\n```\nf `g`\n```swift\nh\n```\n"
    #expect(Markdown.code(in: text) == ["a b", "sh", "c d", "e", "g", "swift", "h"])
    #expect(Checkout.blocks(of: "swift", in: text) == ["h\n"])
  }
}
