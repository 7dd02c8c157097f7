import Foundation
import Testing

/// The house may grow, but not unnoticed. Each version lowers every bound by one per cent. A commit
/// that raises one begins its body with `Grows:` and the price: what is gained, and what goes for
/// it.
@Suite struct `The size of the house is decided` {
  private static let sources = 71_740
  private static let library = 35_280
  /// The library without what is beside the road of `up`: the aim is 28,000.
  private static let device = 32_360
  private static let merge = 5_770
  private static let declarations = 1_052
  private static let verbs = 30

  @Test func `nothing has more lines, declarations or verbs`() throws {
    let files = try Size.files()
    for (name, most, found) in [
      ("lines of Sources", Self.sources, Size.lines(of: files, below: "Sources/")),
      (
        "lines of the library, with its cells", Self.library,
        Size.lines(of: files, below: "Sources/Seedbed/", "Sources/SeedbedCells/")
      ),
      (
        "lines of the library without Beside", Self.device,
        Size.lines(of: files, below: "Sources/Seedbed/", "Sources/SeedbedCells/")
          - Size.lines(of: files, below: "Sources/Seedbed/Beside/")
      ),
      ("lines of the merge", Self.merge, Size.lines(of: files, below: "Sources/Seedbed/Merge/")),
      (
        "'package' declarations in the library", Self.declarations,
        files.filter { Size.isLibrary($0.path) }.reduce(0) { $0 + Size.declarations(in: $1) }
      ),
      ("verbs", Self.verbs, Verbs.declared(by: files.map(\.path)).count),
    ] {
      #expect(
        found <= most,
        """
        There are \(found) \(name), and \(most) were decided. Let something go, or raise the \
        number in a commit whose body begins with 'Grows:' and the price.
        """)
      // A bound that lies far above what is there says no to nothing.
      #expect(found * 100 >= most * 99, "\(name): lower the number to \(found).")
    }
  }

  @Test(.enabled(if: Project.exists(".git")))
  func `a commit that raises a number says the price`() throws {
    // All of the file before each commit, which shows whether the rule was there.
    let log = try Shell.run(
      "git", "log", Commits.formatOfPrices, "--patch", "--unified=999", "--no-color",
      "--no-ext-diff", "--", "Tests/TidyTests/SizeTests.swift")
    #expect(log.status == 0, "\(log.output)")
    expectNone(Commits.withoutPrice(in: log.output))
  }

  @Test(arguments: [
    ("package func f() {}", 1), ("package private(set) var a = 1", 1), ("package init() {}", 1),
    ("public package(set) var a = 1", 0), ("package import A", 0), ("// package func f()", 0),
    ("package package(set) var a = 1", 1), ("let a = \"package func\"", 0),
    ("package struct A {\n  package static let b = 1\n}", 2),
  ])
  func `a declaration is counted once`(text: String, count: Int) {
    #expect(Size.declarations(in: SourceFile(path: "A.swift", text: text)) == count)
  }
}

/// How large the house is.
private enum Size {
  /// All that is below Sources, C and JavaScript too, but the pages: they are counted in words.
  static func files() throws -> [SourceFile] {
    try Project.files(in: "Sources") { !$0.contains(".docc/") }
      .map { SourceFile(path: $0, text: try Project.text($0)) }
  }

  static func isLibrary(_ path: String) -> Bool {
    path.hasPrefix("Sources/Seedbed/") || path.hasPrefix("Sources/SeedbedCells/")
  }

  static func lines(of files: [SourceFile], below folders: String...) -> Int {
    files.filter { file in folders.contains { file.path.hasPrefix($0) } }
      .reduce(0) { $0 + $1.lines.count - 1 }
  }

  /// The words `package` that begin a declaration: not those of imports and of setters.
  static func declarations(in file: SourceFile) -> Int {
    guard file.path.hasSuffix(".swift") else { return 0 }
    let tokens = Token.all(in: file.text)
    return zip(tokens, tokens.dropFirst()).count {
      $0.text == "package" && !["import", "("].contains($1.text)
    }
  }
}
