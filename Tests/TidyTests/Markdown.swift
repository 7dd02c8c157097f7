import Foundation
import Testing

/// What a Markdown file names and shows.
enum Markdown {
  /// Paths of this checkout that are named but not there.
  static func brokenPaths(in file: SourceFile, exists: (String) -> Bool) -> [Violation] {
    let lines = withoutTranscripts(file.lines)
    return lines.enumerated().flatMap { index, line -> [Violation] in
      let links = linkTargets(in: line).map { ($0, resolve($0, from: file.path)) }
      let paths = projectPaths(in: line).map { ($0, $0) }
      return (links + paths).filter { !exists($0.1) }.map { named, _ in
        Violation(
          path: file.path, line: index + 1, found: "'\(named)' does not exist",
          remedy: "Correct the path, or remove the sentence that needs it.")
      }
    }
  }

  /// What a shell was told and printed, indented and from a `$` on, was in another folder, and so
  /// were the files of a transcript.
  private static func withoutTranscripts(_ lines: [Substring]) -> [Substring] {
    var isInside = false
    var isFile = false
    return lines.map { line in
      if line.hasPrefix("    $ ") { isInside = true }
      if !line.isEmpty, !line.hasPrefix("    ") { isInside = false }
      if line.hasPrefix("```") { isFile = line == "```txtar" }
      return isInside || isFile ? "" : line
    }
  }

  /// The path that a link in a file leads to.
  private static func resolve(_ target: String, from file: String) -> String {
    var parts = file.split(separator: "/").dropLast()
    for part in target.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts.joined(separator: "/")
  }

  /// What `[text](target)` points to inside the checkout.
  private static func linkTargets(in line: Substring) -> [String] {
    line.matches(of: #/\]\(([^)#\s]+)[^)]*\)/#).map { String($0.output.1) }
      .filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
  }

  /// Words that start in one of our folders; of a pattern, the folder before it.
  private static func projectPaths(in line: Substring) -> [String] {
    let pattern =
      #/
      (?:^|[^\w./-])
      ((?:Sources|Tests|Scripts|Samples|Migrations|Documentation|Conformance|Plugins|Benchmarks
      |\.ci)
      \/[\w.+~\/-]*)
      (\*?)
      /#
    return line.matches(of: pattern).map { match in
      let path = String(match.output.1)
      let isPattern = !match.output.2.isEmpty
      let end = path.lastIndex { isPattern ? $0 == "/" : $0 != "." } ?? path.startIndex
      return String(path[...end])
    }
  }

  /// A Swift block of a page.
  struct Example: CustomTestStringConvertible {
    let page: String
    /// The number of its first line.
    let line: Int
    let text: String

    var testDescription: String { "\(page):\(line)" }
  }

  static func examples(in file: SourceFile) -> [Example] {
    var line = 1
    return file.text.components(separatedBy: "```").enumerated().compactMap { index, part in
      let first = line + 1
      line += part.count { $0 == "\n" }
      guard index % 2 == 1, part.hasPrefix("swift\n") else { return nil }
      return Example(page: file.path, line: first, text: String(part.dropFirst(6)))
    }
  }

  /// All that is set as code, in the line or in a block of its own.
  static func code(in text: String) -> [String] {
    text.components(separatedBy: "```").enumerated().flatMap { index, part in
      let isBlock = index % 2 == 1
      if isBlock { return part.split(separator: "\n").map(String.init) }
      return part.matches(of: #/`([^`\n]+)`/#).map { String($0.output.1) }
    }
  }
}
