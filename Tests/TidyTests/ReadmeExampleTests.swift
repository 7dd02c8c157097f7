import Foundation
import Testing

/// The test that a stranger would do first.
@Suite(.enabled(if: Bundle.main.executableURL != nil))
struct `The Swift in the pages` {
  private static let pages = (try? Project.markdownFiles()) ?? []
  private static let examples = pages.flatMap(Markdown.examples)

  /// An app calls it from a view, and a program from `@main`.
  @Test(arguments: examples)
  func `compiles as it is printed, and where it is called`(example: Markdown.Example) throws {
    let checked = try compile(example.text)
    #expect(
      checked.status == 0,
      "Correct the example at \(example.testDescription):\n\(checked.output)")
  }

  @Test(arguments: examples) func `has a call of each function`(example: Markdown.Example) {
    let missed = ExampleCalls(of: example.text).missed
    #expect(
      missed.isEmpty,
      """
      No call is written for what \(example.testDescription) shows: \(missed). Make it a function \
      of the file or a method, or teach ExampleCalls to call it.
      """)
  }

  /// Xcode 26 makes it the default of new apps.
  @Test(
    arguments: examples.filter { example in
      ["BackgroundTasks", "GRDB", "SQLCipher", "SwiftUI", "UIKit"].contains {
        example.text.contains("import \($0)\n")
      }
    })
  func `compiles where all is the main actor's`(example: Markdown.Example) throws {
    let checked = try compile(example.text, ["-default-isolation", "MainActor"])
    #expect(
      checked.status == 0,
      "Correct the example at \(example.testDescription):\n\(checked.output)")
  }

  @Test func `shows in the README how an app embeds the library`() {
    #expect(Self.examples.contains { $0.page == "README.md" })
  }

  @Test(arguments: Stubs.names) func `uses each stub`(module: String) {
    let isUsed = (Self.examples.map(\.text) + Stubs.texts + Sample.texts).contains { text in
      text.contains("import \(module)\n")
    }
    #expect(
      isUsed, "No page and no sample imports \(module): remove \(Stubs.folder)/\(module).swift.")
  }

  @Test func `is found when it names what GRDB has not`() throws {
    let text = "import GRDB\nfunc a(_ db: GRDB.Database) throws { try db.tell() }\n"
    #expect(try compile(text).output.contains("has no member 'tell'"))
  }

  @Test func `is found when it does not compile`() throws {
    #expect(try compile("import Seedbed\nlet a = Migrator()\n").output.contains("error:"))
  }

  @Test func `is found when it cannot be called`() throws {
    let ask = """
      func settle(_ ask: (String) async -> Int?) async throws -> [Int] {
        [await ask("one")].compactMap { $0 }
      }

      """
    #expect(try compile(ask).output.contains("risks causing data races"))
    let fixed = try compile("@MainActor " + ask)
    #expect(fixed.status == 0, "\(fixed.output)")
  }

  @Test func `is called as its signature says`() {
    let text = """
      func a() {}
      @MainActor func b<T>(
        _ one: [T: Int], two three: (Int, (Int) -> Int) throws -> Void, four: Int = 4
      ) async throws -> [Int] { [] }
      extension Migrator {
        /// func no()
        @discardableResult
        func c(then: @escaping () -> Int?) throws -> Int { 1 }
        private func d() {}
      }
      struct S {
        static func e() {}
      }
      func `f g`() -> Int {
        func h() {}
      }

      """
    let found = ExampleCalls(of: text)
    #expect(
      found.calls == [
        "a()", "_ = try await b(given(), two: { _, _ in changes += 1 })",
        "_ = try (given() as Migrator).c(then: { changes += 1; return given() })", "_ = `f g`()",
      ])
    #expect(found.missed == ["static func e() {}", "func h() {}"])
  }

  @Test func `is told from other code, with its lines`() {
    let text = "a\n```sh\nb\n```\n\n```swift\nc\nd\n```\ne `f`\n```swift\ng\n```\n"
    let found = Markdown.examples(in: SourceFile(path: "A.md", text: text))
    #expect(found.map(\.text) == ["c\nd\n", "g\n"])
    #expect(found.map(\.testDescription) == ["A.md:7", "A.md:12"])
  }

  private func compile(_ text: String, _ options: [String] = []) throws -> Shell {
    try Built.typeCheck(
      ExampleCalls(of: text).text(after: text), mode: "-c", modulesIn: Stubs.modules.get(),
      options: options)
  }
}
