import Dispatch
import Foundation
import Seedbed

/// A field guide of the chemical elements, small but real: an example of an app that updates its
/// data with Seedbed when it starts.
@main @MainActor struct FieldGuide {
  static func main() async {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
      if arguments.request == .help { return Terminal.say(Arguments.usage) }
      try await open(arguments)
    } catch {
      Terminal.complain("fieldguide: \(error)")
      exit(1)
    }
  }

  private static func open(_ arguments: Arguments) async throws {
    let startUp = try StartUp(
      folder: arguments.folder, release: arguments.release, demoRows: arguments.demoRows)
    if arguments.request == .restore { Terminal.say(try await startUp.restore()) }
    let news = try await stoppable {
      defer { Terminal.show(progress: nil) }
      return try await startUp.run { Terminal.show(progress: $0.fraction) }
    }
    news.forEach(Terminal.complain)
    let guide = Guide(database: try Database(startUp.database.path))
    try answer(arguments.request, guide, Mine(migrator: startUp.migrator, guide: guide))
  }

  private static func answer(
    _ request: Arguments.Request, _ guide: Guide, _ mine: Mine
  ) throws {
    switch request {
    case .list: try guide.elements().forEach { Terminal.say($0.joined(separator: "\t")) }
    case .show(let element): Terminal.say(try guide.page(of: element))
    case .note(let text, let element): try guide.note(text, on: element)
    case .add(let symbol, let name): Terminal.say(try guide.add(symbol, named: name))
    case .edit(let element, let column, let value): try guide.edit(element, column, to: value)
    case .forget(let element): Terminal.say(try guide.forget(element))
    case .mine: try mine.sentences().forEach(Terminal.say)
    case .settle(let id, let side): try mine.settle(id, side)
    case .whose(let element): try mine.whose(element).forEach(Terminal.say)
    case .suggest(let file): try mine.suggest(into: file).forEach(Terminal.say)
    case .quiz(let count): try ask(count, Quiz(database: guide.database))
    case .restore, .help: break
    }
  }

  private static func ask(_ count: Int, _ quiz: Quiz) throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<count {
      guard let question = try quiz.next(using: &generator) else {
        return Terminal.say("There is nothing to ask.")
      }
      print(question.text, terminator: " ")
      fflush(nil)
      guard let line = readLine() else { return print() }
      let isRight = try quiz.record(line, to: question)
      Terminal.say(isRight ? "Right." : "It is \(question.answer).")
    }
  }

  /// Lets ^C cancel the work, as a button would. Afterwards, ^C ends the program again.
  private static func stoppable<Value: Sendable>(
    _ work: @escaping @MainActor () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await work() }
    signal(SIGINT, SIG_IGN)
    let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    interrupts.setEventHandler { @Sendable in task.cancel() }
    interrupts.resume()
    defer {
      interrupts.cancel()
      signal(SIGINT, SIG_DFL)
    }
    return try await task.value
  }
}
