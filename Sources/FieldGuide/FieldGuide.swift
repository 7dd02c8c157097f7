import Dispatch
import Foundation
import Seedbed

/// A field guide of the chemical elements, small but real: an example of an app that updates its
/// data with Seedbed when it starts.
@main @MainActor struct FieldGuide {
  static func main() async {
    do {
      let arguments = try Arguments(
        Array(CommandLine.arguments.dropFirst()),
        environment: ProcessInfo.processInfo.environment)
      switch arguments.request {
      case .help: say(Arguments.usage)
      case .version: say(Arguments.version)
      default: try await open(arguments)
      }
    } catch {
      complain("fieldguide: \(error)")
      exit(1)
    }
  }

  private static func open(_ arguments: Arguments) async throws {
    let startUp = try StartUp(
      folder: arguments.folder, release: arguments.release, demoRows: arguments.demoRows)
    if arguments.request == .restore { say(try await startUp.restore()) }
    let news = try await stoppable {
      defer { showLine("") }
      return try await startUp.run(show: showProgress)
    }
    let guide = Guide(database: try Database(startUp.database.path))
    let words = arguments.request.listed
    if let words, Terminal.isThere {
      var browser = Browser(guide: guide, words: words, news: news)
      return try browser.run()
    }
    news.forEach(complain)
    if let words { try guide.elements(with: words).forEach { say($0.joined(separator: "\t")) } }
    try answer(arguments.request, guide, startUp)
  }

  private static func answer(
    _ request: Arguments.Request, _ guide: Guide, _ startUp: StartUp
  ) throws {
    let mine = Mine(migrator: startUp.migrator, guide: guide)
    switch request {
    case .show(let element): say(try guide.page(of: element))
    case .note(let text, let element): try guide.note(text, on: element)
    case .add(let symbol, let name): say(try guide.add(symbol, named: name))
    case .edit(let element, let column, let value): try guide.edit(element, column, to: value)
    case .forget(let element): say(try guide.forget(element))
    case .mine: try mine.sentences().forEach(say)
    case .settle(let id, let side): try mine.settle(id, side)
    case .pin(let element, let isPinned): try mine.pin(element, isPinned)
    case .whose(let element): try mine.whose(element).forEach(say)
    case .quiz(let count): try ask(count, Quiz(database: guide.database))
    case .stats: try Stats(database: guide.database).lines().forEach(say)
    case .browse, .search, .restore, .help, .version: break
    }
  }

  private static func ask(_ count: Int, _ quiz: Quiz) throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<count {
      guard let question = try quiz.next(using: &generator) else {
        return say("There is nothing to ask.")
      }
      print(question.text, terminator: " ")
      fflush(nil)
      guard let line = readLine() else { return say("") }
      let isRight = try quiz.record(line, to: question)
      say(isRight ? "Right." : "It is \(question.answer).")
    }
  }

  // MARK: words

  private static func say(_ text: String) {
    guard isatty(STDOUT_FILENO) == 1 else { return print(text) }
    text.split(separator: "\n").flatMap { Terminal.wrapped(String($0)) }.forEach { print($0) }
  }

  private static func complain(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }

  private static func showProgress(_ progress: Migrator.Progress) {
    let percent = "\(Int(progress.fraction * 100)) %".padding(
      toLength: 5, withPad: " ", startingAt: 0)
    showLine("Updating the data: \(percent) \(Stats.bar(Int(progress.fraction * 30), of: 30))")
  }

  /// On a terminal, over the one that was shown before.
  private static func showLine(_ line: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
  }

  // MARK: ^C

  /// Lets ^C cancel the work, as a button would; after it, ^C ends the program again.
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

extension Arguments.Request {
  /// The words that a list of elements is searched for, none for all; nil if it asks for no list.
  fileprivate var listed: String? {
    switch self {
    case .browse: ""
    case .search(let words): words
    default: nil
    }
  }
}
