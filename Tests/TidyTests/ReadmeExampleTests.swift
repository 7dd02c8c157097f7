import Foundation
import Testing

/// The test that a stranger would do first.
@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The Swift in the pages` {
  private static let pages = (try? Project.markdownFiles()) ?? []
  private static let examples = pages.flatMap(Markdown.examples)

  @Test(arguments: examples) func `compiles as it is printed`(example: Markdown.Example) throws {
    let checked = try compile(example.text)
    #expect(
      checked.status == 0,
      "Correct the example at \(example.testDescription):\n\(checked.output)")
  }

  /// Xcode 26 makes it the default of new apps.
  @Test(arguments: examples.filter { $0.text.contains("import GRDB\n") })
  func `compiles where all is the main actor's`(example: Markdown.Example) throws {
    let checked = try Built.typeCheck(
      example.text, modulesIn: Stubs.modules.get(),
      options: ["-default-isolation", "MainActor"])
    #expect(
      checked.status == 0,
      "Correct the example at \(example.testDescription):\n\(checked.output)")
  }

  @Test func `shows in the README how an app embeds the library`() {
    #expect(Self.examples.contains { $0.page == "README.md" })
  }

  @Test(arguments: Stubs.names) func `uses each stub`(module: String) {
    let isUsed = (Self.examples.map(\.text) + Stubs.texts).contains { text in
      text.contains("import \(module)\n")
    }
    #expect(isUsed, "No page imports \(module): remove \(Stubs.folder)/\(module).swift.")
  }

  @Test func `is found when it names what GRDB has not`() throws {
    let text = "import GRDB\nfunc a(_ db: GRDB.Database) throws { try db.tell() }\n"
    #expect(try compile(text).output.contains("has no member 'tell'"))
  }

  @Test func `is found when it does not compile`() throws {
    #expect(try compile("import Seedbed\nlet a = Migrator()\n").output.contains("error:"))
  }

  @Test func `is told from other code, with its lines`() {
    let text = "a\n```sh\nb\n```\n\n```swift\nc\nd\n```\ne `f`\n```swift\ng\n```\n"
    let found = Markdown.examples(in: SourceFile(path: "A.md", text: text))
    #expect(found.map(\.text) == ["c\nd\n", "g\n"])
    #expect(found.map(\.testDescription) == ["A.md:7", "A.md:12"])
  }

  private func compile(_ text: String) throws -> Shell {
    try Built.typeCheck(text, modulesIn: Stubs.modules.get())
  }
}
