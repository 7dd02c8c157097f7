/// What ends the whole app when the data is not as expected.
enum Traps {
  /// A trap that data cannot spring, and why it cannot.
  struct Allowance {
    let path: String
    let trap: String
    let reason: String
  }

  /// Empty is best.
  static let allowances: [Allowance] = []

  private static let traps = [
    ["fatalError", "("], ["precondition", "("], ["preconditionFailure", "("], ["try", "!"],
    ["as", "!"],
  ]

  static func sprung(in file: SourceFile, allowing allowances: [Allowance]) -> [Violation] {
    guard file.path.hasPrefix("Sources/") else { return [] }
    let tokens = Token.all(in: file.text)
    return traps.flatMap { trap -> [Violation] in
      let name = trap.joined()
      let lines = tokens.lines(of: trap)
      let isAllowed = allowances.contains { $0.path == file.path && $0.trap == name }
      return isAllowed ? [] : lines.map { violation(path: file.path, line: $0, trap: name) }
    }
  }

  private static func violation(path: String, line: Int, trap: String) -> Violation {
    Violation(
      path: path, line: line, found: "'\(trap)' ends the whole app",
      remedy: "Throw a SeedbedError; where no data can spring it, allow it with the reason, in "
        + "Tests/TidyTests/Traps.swift.")
  }

  /// Allowances for which there is nothing to allow any more.
  static func stale(_ allowances: [Allowance], files: [SourceFile]) -> [Violation] {
    allowances.filter { allowance in
      !files.filter { $0.path == allowance.path }
        .flatMap { sprung(in: $0, allowing: []) }
        .contains { $0.found.contains("'\(allowance.trap)'") }
    }.map {
      Violation(
        path: $0.path, found: "'\($0.trap)' is allowed but not there",
        remedy: "Remove the allowance from Tests/TidyTests/Traps.swift.")
    }
  }
}
