import Foundation
import TestSupport
import Testing

/// The splash screen and the background tasks, compiled as a new project of Xcode 26 compiles them:
/// all is the main actor's. The stub of the scheduler calls back on a queue of its own.
@Suite(.enabled(if: Bundle.main.executableURL != nil && !Apple.isHere))
struct `The samples of an app's start` {
  private static let page = "Sources/Seedbed/Seedbed.docc/AtYourAppsStart.md"

  @Test func `run as their page says`() throws {
    let ran = try run(samples())
    #expect(
      ran.output == """
        splash ready, up to 4
        put off later, at 1
        put off failed("The data is not there yet.")
        no time cancelled, at 0
        continued true, at 4
        processing true, at 4
        failed and submitted again

        """)
  }

  @Test(arguments: ["func registerDataTask", "func registerUpdate"])
  func `end the app if the system calls what is the main actor's`(function: String) throws {
    let text = try samples()
    let isolated = text.replacing("nonisolated \(function)", with: function)
    #expect(isolated != text)
    // The runtime traps: minus the signal.
    #expect(try [-SIGILL, -SIGTRAP].contains(run(isolated).status))
  }

  private func samples() throws -> String {
    let page = SourceFile(path: Self.page, text: try Project.text(Self.page))
    let names = ["class StartUp", "upWithBackgroundTime(", "registerDataTask(", "registerUpdate("]
    let found = Markdown.examples(in: page).map(\.text).filter {
      names.contains(where: $0.contains)
    }
    #expect(found.count == names.count)
    return found.joined(separator: "\n")
  }

  private func run(_ samples: String) throws -> Shell {
    let place = try Place()
    try place.write("example.swift", samples + Self.program)
    let built = try Built.linked(
      ["example.swift"], with: ["BackgroundTasks", "SwiftUI", "UIKit"], in: place.url)
    try #require(built.status == 0, "\(built.output)")
    return try Shell.run(
      "env", "SWIFT_BACKTRACE=enable=no", "./example",
      Project.root.appending(path: "Migrations").path, in: place.url)
  }

  private static let program = """
    @main struct Program {
      static func migrator(_ path: String) throws -> Migrator {
        Migrator(catalog: try Catalog(locked: CommandLine.arguments[1]), at: path)
      }

      static func version(_ path: String) throws -> Migrator.Version {
        try migrator(path).status().current
      }

      static func wait(until isDone: () -> Bool) async throws {
        for _ in 0..<20_000 where !isDone() { try await Task.sleep(for: .milliseconds(1)) }
        assert(isDone())
      }

      static func main() async throws {
        let start = StartUp()
        start.begin(try migrator("a.sqlite"))
        start.begin(try migrator("no such folder/a.sqlite"))
        try await wait { if case .working = start.state { false } else { true } }
        print("splash", "\\(start.state), up to", try version("a.sqlite"))

        try await migrator("old.sqlite").up(to: 1)
        let later = StartUp()
        later.begin(try migrator("old.sqlite"))
        later.postpone()
        try await wait { later.hasData }
        try await Task.sleep(for: .milliseconds(50))
        print("put off \\(later.state), at", try version("old.sqlite"))

        let none = StartUp()
        none.begin(try migrator("none.sqlite"))
        none.postpone()
        try await wait { if case .failed = none.state { true } else { false } }
        print("put off \\(none.state)")

        do {
          _ = try await upWithBackgroundTime(migrator("none.sqlite"))
        } catch let error as SeedbedError {
          print("no time \\(error.code), at", try version("none.sqlite"))
        }

        let scheduler = BGTaskScheduler.shared
        registerUpdate(try migrator("b.sqlite"))
        try updateNow()
        try await wait { scheduler.ended.count == 1 }
        print("continued", "\\(scheduler.ended[0]), at", try version("b.sqlite"))

        registerDataTask(try migrator("c.sqlite"))
        try submitDataTask()
        try await wait { scheduler.ended.count == 2 }
        print("processing", "\\(scheduler.ended[1]), at", try version("c.sqlite"))

        registerDataTask(try migrator("no such folder/c.sqlite"))
        try submitDataTask()
        try await wait { scheduler.ended.count >= 4 }
        print("failed and submitted again")
      }
    }

    """
}
