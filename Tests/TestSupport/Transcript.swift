import Foundation

/// What a page tells its reader to type, and what it shows as the answer.
package struct Transcript {
  package struct Step: Equatable {
    package var command: String
    /// nil where the page shows none: a block to be pasted.
    package var output: String?

    package init(command: String, output: String? = nil) {
      (self.command, self.output) = (command, output)
    }
  }

  package private(set) var steps: [Step] = []

  /// - Parameter text: Markdown, in which blocks of `sh` are commands, and indented lines from a
  ///   `$` on are a command and what it printed.
  package init(_ text: String) {
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
  package static func section(_ heading: String, of page: String) throws -> String {
    let lines = try Checkout.text(page).components(separatedBy: "\n")
    let rest = lines.drop { $0 != heading }.dropFirst()
    return rest.prefix { !$0.hasPrefix("#") }.joined(separator: "\n")
  }

  /// Blank lines around it say nothing.
  package static func trimmed(_ output: String) -> String {
    output.trimmingCharacters(in: .newlines)
  }

  /// The same text without what differs from run to run.
  ///
  /// - Parameter folder: in which the commands ran.
  package static func masked(_ text: String, in folder: String) -> String {
    let masks = [
      (NSRegularExpression.escapedPattern(for: folder), "~"),
      (#"(?m) *[0-9.]+ m?s$"#, " N ms"),
      (#"about [0-9.]+ m?s"#, "about N ms"),
      (#""durationMs":[0-9]+"#, #""durationMs":N"#),
      (#"sha256:[0-9a-f]{64}"#, "sha256:HEX"),
      (#"[0-9]{8}T[0-9]{6}\.[0-9]{3}Z"#, "TIME"),
      (#"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{3})?Z"#, "MOMENT"),
      (#"[0-9.]+ (bytes|[kM]B)"#, "SIZE"),
    ]
    return masks.reduce(text) {
      $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression)
    }
  }
}
