package import Foundation

/// The checkout that the tests stand in, and what its pages show.
package enum Checkout {
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// What is between two marks of a file that a test prints, or all of it without marks. Writes
  /// what it has to be if `SEEDBED_WRITE_PAGES` is set.
  package static func printed(
    _ made: String, in path: String, between marks: (begin: String, end: String)? = nil
  ) throws -> String {
    let page = try text(path)
    var part = page.startIndex..<page.endIndex
    if let marks {
      guard let start = page.range(of: marks.begin),
        let stop = page.range(of: marks.end, range: start.upperBound..<page.endIndex)
      else { return "'\(path)' has no part that begins with '\(marks.begin)'" }
      part = start.upperBound..<stop.lowerBound
    }
    let found = String(page[part])
    if ProcessInfo.processInfo.environment["SEEDBED_WRITE_PAGES"] == nil { return found }
    let new = page.replacingCharacters(in: part, with: made)
    try Data(new.utf8).write(to: root.appending(path: path))
    return made
  }

  /// The fenced blocks of one language in a Markdown text.
  package static func blocks(of language: String, in text: String) -> [String] {
    text.components(separatedBy: "```").enumerated()
      .filter { $0.offset % 2 == 1 && $0.element.hasPrefix(language + "\n") }
      .map { String($0.element.dropFirst(language.count + 1)) }
  }
}
