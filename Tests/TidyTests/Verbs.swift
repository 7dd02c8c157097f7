import Foundation

/// The README shows the verbs of the command, except those that few of its readers need.
enum Verbs {
  /// The verbs that few readers of the README need. The command reference has them.
  static let rare: Set = ["down", "origin"]

  /// The verbs of the command: each has a file, `StatusCommand.swift` is `status`.
  static func declared(by paths: [String]) -> Set<String> {
    let names = paths.map { ($0 as NSString).lastPathComponent }
    let verbs = names.filter { $0.hasSuffix("Command.swift") && $0 != "MigrateCommand.swift" }
    return Set(verbs.map { $0.dropLast("Command.swift".count).lowercased() })
  }

  /// The verbs that a document shows in its code.
  static func shown(in text: String) -> Set<String> {
    let words = Markdown.code(in: text).flatMap { code in
      code.matches(of: #/(?:^|[\s\/])migrate\s+([a-z]+)/#).map { String($0.output.1) }
    }
    return Set(words)
  }

  static func violations(readme: String, declared: Set<String>) -> [Violation] {
    let shown = shown(in: readme)
    let missing = declared.subtracting(shown).subtracting(rare).map { verb in
      Violation(
        path: "README.md", found: "'migrate \(verb)' is not in it",
        remedy: "Add a line to the table of verbs.")
    }
    let invented = shown.subtracting(declared).subtracting(["help"]).map { verb in
      Violation(
        path: "README.md", found: "'migrate \(verb)' is no verb of the command",
        remedy: "Correct it, or describe it when it is built.")
    }
    return (missing + invented).sorted { $0.found < $1.found }
  }
}
