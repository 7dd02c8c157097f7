@testable import MigrateCommand

/// What is wrong with text on a screen of so many columns.
enum Screen {
  /// - Parameters:
  ///   - text: what was written to it.
  ///   - whole: what the same prints where nothing is broken.
  static func problems(of text: String, columns: Int, whole: String) -> [String] {
    let lines = text.replacing("\r\n", with: "\n").replacing(ProgressDisplay.erasure, with: "\n")
      .split(separator: "\n").map { unpainted(String($0)) }
    // "2 backups in app.sqlite.backups", where their paths do not fit; and what took 900 ms may
    // take 1.1 s the next time.
    let known = words(unpainted(whole) + " in ms ms, s s,")
    var problems: [String] = []
    for line in lines {
      // What is wider than the screen by itself is left to it, so that it can be copied.
      let isOneWord = !line.trimmingSpaces.contains(" ")
      if line.displayWidth > columns, !isOneWord { problems.append("too wide: \(line)") }
      // A bar is drawn on a terminal only.
      if line.hasPrefix("[") { continue }
      let parts = words(line).subtracting(known).filter { !$0.contains("…") }
      problems += parts.sorted().map { "a part of a word, '\($0)': \(line)" }
    }
    return problems
  }

  /// With their numbers as one digit, since times differ; a path counts by its names too.
  private static func words(_ text: String) -> Set<String> {
    let words = text.split { $0.isWhitespace || "()".contains($0) }.map {
      String($0).replacing(/[0-9][0-9,.]*/, with: "9")
    }
    return Set(words + words.flatMap { $0.split(separator: "/").map(String.init) })
  }

  private static func unpainted(_ text: String) -> String {
    text.replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
  }
}

extension String {
  fileprivate var trimmingSpaces: Substring { drop { $0 == " " } }
}
