import Testing

@Suite struct `Nothing is left for later` {
  @Test func `no file holds a note to oneself`() throws {
    let scripts = Project.files(in: "Scripts", ".ci") { _ in true }
    let others = Project.files(in: "Sources", "Tests", "Migrations") { path in
      [".h", ".sql", ".modulemap"].contains { path.hasSuffix($0) }
    }
    let files = try (scripts + others).map { SourceFile(path: $0, text: try Project.text($0)) }
    let readable = try files + Project.swiftFiles() + Project.markdownFiles()
    expectNone(readable.flatMap(Leftovers.found))
  }

  @Test(arguments: Leftovers.words) func `such a note is found`(word: String) {
    let file = SourceFile(path: "A.swift", text: "a\n// \(word): b\n")
    #expect(Leftovers.found(in: file).map(\.line) == [2])
  }

  @Test(arguments: Leftovers.marks) func `a mark of a merge is found`(mark: String) {
    let file = SourceFile(path: "A.md", text: "a `\(mark)` b\n\(mark)HEAD\n")
    #expect(Leftovers.found(in: file).map(\.line) == [2])
  }

  @Test func `the pattern of a temporary file's name is none`() {
    let pattern = String(repeating: "X", count: 6)
    #expect(Leftovers.found(in: SourceFile(path: "A.swift", text: "\"/a.\(pattern)\"")).isEmpty)
  }
}
