import Foundation
import Testing

/// The command is a single file, so the scripts and the style of its pages are Swift strings.
/// People read and change the files; the strings are written from them, a line each.
@Suite struct `The files of pages` {
  static let strings = "Sources/MigrateCommand/Report/HTMLPage+Files.swift"
  static let files = "Sources/MigrateCommand/Report/Pages/"
  static let remedy =
    "Run: SEEDBED_WRITE_PAGES=1 Scripts/test --filter 'The files of pages'"

  @Test func `are what the strings say`() throws {
    let paths = Project.files(in: "Sources/MigrateCommand/Report/Pages") { _ in true }.sorted()
    #expect(paths.count == 9)
    let lines = try paths.map { path in
      let name = path.dropFirst(Self.files.count).prefix { $0 != "." }
      return "  static let \(name) = \(Self.literal(try Project.text(path)))"
    }
    let code = try Project.text(Self.strings).components(separatedBy: "\n")
    let head = code.prefix { !$0.hasPrefix("  static let ") }
    let wanted = (head + lines + ["}", ""]).joined(separator: "\n")
    if wanted == code.joined(separator: "\n") { return }
    if ProcessInfo.processInfo.environment["SEEDBED_WRITE_PAGES"] == "1" {
      try Data(wanted.utf8).write(to: Project.root.appending(path: Self.strings))
    } else {
      Issue.record("\(Self.strings) is not what the files say. \(Self.remedy)")
    }
  }

  @Test func `have a string in one line`() {
    let wanted = ###"##"a {\##n\##n  b: "\1";\##n}\##n"##"###
    #expect(Self.literal("a {\n\n  b: \"\\1\";\n}\n") == wanted)
  }

  private static func literal(_ text: String) -> String {
    let line = text.replacing("\n", with: "\\##n")
    return "##\"\(line)\"##"
  }
}
