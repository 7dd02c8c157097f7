import Foundation
import TestSupport

/// What a page tells its reader to type, and what it shows as the answer.
struct Transcript {
  struct Step: Equatable {
    var command: String
    /// nil where the page shows none: a block to be pasted.
    var output: String?
  }

  private(set) var steps: [Step] = []

  /// - Parameter text: Markdown, in which blocks of `sh` are commands, and indented lines from a
  ///   `$` on are a command and what it printed.
  init(_ text: String) {
    var pasted: String?
    var isAnswer = false
    for line in text.components(separatedBy: "\n") {
      if let command = pasted {
        pasted = line == "```" ? nil : command + line + "\n"
        if pasted == nil { steps.append(Step(command: command)) }
      } else if line == "```sh" {
        pasted = ""
      } else if line.hasPrefix("    $ ") {
        steps.append(Step(command: String(line.dropFirst(6)), output: ""))
        isAnswer = true
      } else {
        isAnswer = isAnswer && (line.isEmpty || line.hasPrefix("    "))
        if isAnswer { steps[steps.count - 1].output? += line.dropFirst(4) + "\n" }
      }
    }
    for index in steps.indices { steps[index].output = steps[index].output.map(Self.trimmed) }
  }

  /// The text of a page below a heading, to the next one.
  static func section(_ heading: String, of page: String) throws -> String {
    let lines = try Checkout.text(page).components(separatedBy: "\n")
    let rest = lines.drop { $0 != heading }.dropFirst()
    return rest.prefix { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  /// Blank lines around it say nothing.
  static func trimmed(_ output: String) -> String {
    output.trimmingCharacters(in: .newlines)
  }
}

extension Sandbox {
  /// Runs a command as a person in a terminal would, both streams in one; `migrate` is ours.
  func shell(_ command: String, environment: [String: String] = [:]) throws -> Outcome {
    let folder = URL(fileURLWithPath: Child.migrate).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let variables = ["PATH": folder + ":" + path, "HOME": self.path]
    let words = ["-c", "exec 2>&1\n" + command]
    return try Program.start(
      words, in: self, environment: variables.merging(environment) { $1 }, program: "/bin/sh"
    ).wait()
  }
}
