import Foundation
import Seedbed
import Testing

@testable import MigrateCommand

/// A sink that remembers every piece of text it was given.
final class Memory: @unchecked Sendable {
  // Sound: `texts` is touched only while `lock` is held.
  private let lock = NSLock()
  private var texts: [String] = []

  var pieces: [String] { lock.withLock { texts } }
  var text: String { pieces.joined() }

  func sink(isTerminal: Bool = false, columns: Int = 80) -> Sink {
    Sink(isTerminal: isTerminal, columns: { columns }) { text in
      self.lock.withLock { self.texts.append(text) }
      return nil
    }
  }
}

extension Invocation {
  /// Runs in this process.
  static func outcome(_ arguments: [String], environment: [String: String] = [:]) -> Outcome {
    let (output, errors) = (Memory(), Memory())
    let invocation = Invocation(
      arguments: arguments, environment: environment, workingFolder: "/nowhere",
      output: output.sink(), messages: errors.sink())
    let code = invocation.run()
    return Outcome(output: output.text, errors: errors.text, code: code)
  }
}

extension CommandContext {
  /// For what only prints.
  static func printing(
    _ words: [String] = [], isTerminal: Bool = false, columns: Int = 80,
    environment: [String: String] = [:], in folder: String = "/home"
  ) throws -> CommandContext {
    let memory = Memory()
    let invocation = Invocation(
      arguments: words, environment: environment, workingFolder: folder,
      output: memory.sink(isTerminal: isTerminal, columns: columns), messages: memory.sink())
    let arguments = try Arguments(words, for: .up, environment: environment)
    return CommandContext(
      invocation: invocation, arguments: arguments,
      settings: try Settings(arguments, workingFolder: folder))
  }
}

/// One row of a table of cases, by a name that a person can read.
struct Named<Given: Sendable, Expected: Sendable>: Sendable, CustomTestStringConvertible {
  let name: String
  let given: Given
  let expected: Expected

  init(_ name: String, _ given: Given, _ expected: Expected) {
    self.name = name
    self.given = given
    self.expected = expected
  }

  var testDescription: String { name }
}
