import Foundation
import Testing

/// README rounds what other pages measured and counted: no number of its section is its own.
@Suite struct `The numbers in the README` {
  private static let measured = "Sources/Seedbed/Seedbed.docc/Measured.md"
  private static let safety = "Sources/Seedbed/Seedbed.docc/Safety.md"

  /// Words of README, a page, and its words. The number comes next, and `…` is any text.
  static let pairs = [
    ("**Loading** 1,000,000 rows takes ", measured, "| `migrate up` | delete | "),
    ("`zcat | sqlite3 .import` takes ", measured, "sqlite3 .import` | delete | "),
    ("**Updating** 200,000 of 1,000,000 rows takes ", measured, "two indexes, `migrate up` | "),
    ("by hand-written SQL ", measured, "by hand: `.import` and … | "),
    ("for 10,000,000 rows: ", measured, "| `migrate up` | delete | … | … | "),
    ("memory follow the data.\n- **", "Tests/Proof.md", " real kills, "),
    ("half done or corrupt.\n- **", safety, "refuted  6 of "),
    ("Runs of ", "Tests/Proof.md", "| optimized |…**failed** for one of "),
    ("can fail. Of ", "Tests/Mutants.md", "suites: **… of "),
    ("tests notice ", "Tests/Mutants.md", "suites: **"),
  ]

  /// How many rows and histories there are to measure; the small cases have a test of their own.
  static let given: Set = ["1,000,000", "10,000,000", "200,000", "100", "3,023,543"]

  @Test(arguments: pairs)
  func `are those of a page`(words: String, page: String, said: String) throws {
    let here = try #require(Self.number(after: words, in: Self.section()), "README: \(words)")
    let there = try #require(Self.number(after: said, in: Project.text(page)), "\(page): \(said)")
    #expect(
      Self.agree(here, there), "README says '\(words)\(here)', and \(page) has \(there).")
  }

  @Test func `are all compared`() throws {
    let section = try Self.section()
    let compared = Self.pairs.compactMap { Self.number(after: $0.0, in: section) }
    let words = section.split { !($0.isLetter || $0.isNumber || ",.".contains($0)) }
    let numbers = words.filter { $0.first?.isNumber == true }.map(Self.trimmed)
    #expect(Set(numbers).subtracting(Self.given) == Set(compared))
  }

  @Test(arguments: [
    ("0.65", "0.653", true), ("0.65", "0.656", false), ("1,000", "1,000", true),
    ("34", "34.4", true), ("34", "35", false), ("34", "", false),
  ])
  func `may be rounded`(here: String, there: String, isSame: Bool) {
    #expect(Self.agree(here, there) == isSame)
  }

  private static func section() throws -> String {
    let text = try Project.text("README.md").components(separatedBy: "\n## ")
    return text.first { $0.hasPrefix("Measured and tested\n") } ?? ""
  }

  private static func number(after words: String, in text: String) -> String? {
    var rest = text[...]
    for part in words.split(separator: "…") {
      guard let range = rest.firstRange(of: part) else { return nil }
      rest = rest[range.upperBound...]
    }
    return trimmed(rest.prefix { $0.isNumber || ",.".contains($0) })
  }

  private static func trimmed(_ number: Substring) -> String {
    String(number.last?.isNumber == false ? number.dropLast() : number)
  }

  private static func agree(_ here: String, _ there: String) -> Bool {
    let digits = here.split(separator: ".").dropFirst().first?.count ?? 0
    guard let exact = Double(there.replacing(",", with: "")) else { return false }
    return String(format: "%.\(digits)f", exact) == here.replacing(",", with: "")
  }
}
