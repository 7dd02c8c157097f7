import TestSupport
import Testing

@Suite struct `Documents are true` {
  @Test func `every path in a Markdown file exists`() throws {
    expectNone(
      try Project.markdownFiles().flatMap { Markdown.brokenPaths(in: $0, exists: Project.exists) })
  }

  @Test func `every script is in CONTRIBUTING or in Scripts/help`() throws {
    let page = try Project.text("CONTRIBUTING.md")
    let help = try Shell.run("sh", "Scripts/help").output
    let words = Set((page + help).split { !($0.isLetter || $0.isNumber || "/.-_".contains($0)) })
    for script in Project.files(in: "Scripts", where: { !$0.hasSuffix(".md") }) {
      #expect(words.contains(script[...]), "Say in Scripts/help what \(script) is for.")
    }
    let printed = SourceFile(path: "Scripts/help", text: help)
    expectNone(Markdown.brokenPaths(in: printed, exists: Project.exists))
  }

  @Test func `Scripts/help finds commands by a word`() throws {
    let found = try Shell.run("sh", "Scripts/help", "MUTANT")
    #expect(found.status == 0 && found.output.contains("  Scripts/checks/mutants --list\n"))
    #expect(!found.output.contains("Scripts/bench"))
    #expect(try Shell.run("sh", "Scripts/help", "no such word").status == 1)
  }

  @Test func `ARCHITECTURE is read in one sitting, and names what is there`() throws {
    let page = SourceFile(path: "ARCHITECTURE.md", text: try Project.text("ARCHITECTURE.md"))
    #expect(page.lines.count <= 201, "Move what a newcomer can do without to a page.")
    #expect(DataPaths.stations(in: page.text).count > 40)
    expectNone(DataPaths.violations(page) { try? Project.text("Sources/\($0)") })
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

  @Test func `but not in what a shell printed, nor in the files of a transcript`() {
    let text = """
          Scripts/one
          $ ls Scripts/two

          Scripts/three
      Scripts/four
          Scripts/five
      ```txtar
      Scripts/six
      ```
      Scripts/seven
      """
    let file = SourceFile(path: "README.md", text: text)
    let found = Markdown.brokenPaths(in: file, exists: { _ in false })
    #expect(found.map(\.line) == [1, 5, 6, 10])
  }

  @Test func `code is told from prose`() {
    let text = "migrate `a b` it\n```sh\nc d\ne\n```\nf `g`\n```swift\nh\n```\n"
    #expect(Markdown.code(in: text) == ["a b", "sh", "c d", "e", "g", "swift", "h"])
    #expect(Checkout.blocks(of: "swift", in: text) == ["h\n"])
  }
}
