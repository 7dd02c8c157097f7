import Foundation
import Testing

/// The command is a single file, so the scripts and the style of its pages are Swift strings. The
/// same text is in files, which editors and linters read.
@Suite struct `The files of pages` {
  static let strings = "Sources/MigrateCommand/Report/HTMLPage+"
  static let files = "Sources/MigrateCommand/Report/Pages/"
  static let remedy =
    "Change the file, then: SEEDBED_WRITE_PAGES=1 Scripts/test --filter 'The files of pages'"

  @Test func `are what the strings say`() throws {
    let paths = Project.files(in: "Sources/MigrateCommand/Report/Pages") { _ in true }
    var written: [String] = []
    for path in paths {
      let name = String(path.dropFirst(Self.files.count).prefix { $0 != "." })
      let swift = Self.strings + name.prefix(1).uppercased() + name.dropFirst() + ".swift"
      let code = try Project.text(swift)
      let wanted = try #require(
        Self.filled(code, with: try Project.text(path)), "\(swift) has no such string.")
      written.append(swift)
      if wanted == code { continue }
      if ProcessInfo.processInfo.environment["SEEDBED_WRITE_PAGES"] == "1" {
        try Data(wanted.utf8).write(to: Project.root.appending(path: swift))
      } else {
        Issue.record("\(path) is not what \(swift) says. \(Self.remedy)")
      }
    }
    let all = try Project.swiftFiles().filter {
      $0.path.hasPrefix("Sources/MigrateCommand/Report/") && $0.text.contains(Self.opening)
    }.map(\.path)
    #expect(Set(written) == Set(all), "Each of these strings needs a file in \(Self.files).")
  }

  @Test func `are found to differ`() {
    let code = "let a = #\"\"\"\n    .a {\n\n      b: 1;\n    }\n\n    \"\"\"#\n"
    #expect(Self.filled(code, with: ".a {\n\n  b: 1;\n}\n") == code)
    #expect(Self.filled(code, with: ".a {}\n") == "let a = #\"\"\"\n    .a {}\n\n    \"\"\"#\n")
    #expect(Self.filled("let a = 1", with: "a\n") == nil)
  }

  private static let opening = "#\"\"\"\n"

  /// The Swift file with this text as its string; nil if it has none.
  private static func filled(_ code: String, with text: String) -> String? {
    guard let start = code.range(of: opening), let end = code.range(of: "    \"\"\"#\n") else {
      return nil
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let indented = lines.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n") + "\n"
    return code.replacingCharacters(in: start.upperBound..<end.lowerBound, with: indented)
  }
}
