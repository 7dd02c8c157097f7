import Foundation
import Testing

/// The house may grow, but not unnoticed: whoever needs more than these numbers moves one here, and
/// says under *Size* in CHANGELOG.md what it pays for.
@Suite struct `The size of the house is decided` {
  private static let sources = 65_700
  private static let library = 31_400
  private static let merge = 5_580
  private static let verbs = 29

  @Test func `Sources, library and merge have no more lines, and the command no more verbs`()
    throws
  {
    let files = try Project.swiftFiles()
    for (name, most, found) in [
      ("lines of Sources", Self.sources, lines(of: files, below: "Sources/")),
      ("lines of the library", Self.library, lines(of: files, below: "Sources/Seedbed/")),
      ("lines of the merge", Self.merge, lines(of: files, below: "Sources/Seedbed/Merge/")),
      ("verbs", Self.verbs, Verbs.declared(by: files.map(\.path)).count),
    ] {
      #expect(
        found <= most,
        """
        There are \(found) \(name), and \(most) were decided. Let something go, or raise the \
        number here and say under 'Size' in CHANGELOG.md what it pays for.
        """)
      // A bound that lies far above what is there says no to nothing.
      #expect(found * 100 >= most * 99, "\(name): lower the number to \(found).")
    }
  }

  @Test func `CHANGELOG says the same numbers`() throws {
    let text = try Project.text("CHANGELOG.md")
    let section = try #require(text.components(separatedBy: "### Size\n").dropFirst().first)
      .components(separatedBy: "\n#")[0]
    for number in [Self.sources, Self.library, Self.merge, Self.verbs] {
      let digits = String(number)
      let text = number < 1000 ? digits : digits.dropLast(3) + "," + digits.suffix(3)
      #expect(section.contains(text), "'Size' in CHANGELOG.md does not say \(text).")
    }
  }

  private func lines(of files: [SourceFile], below folder: String) -> Int {
    files.filter { $0.path.hasPrefix(folder) }.reduce(0) { $0 + $1.lines.count - 1 }
  }
}
