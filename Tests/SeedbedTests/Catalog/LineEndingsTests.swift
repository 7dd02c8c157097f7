import Testing
import TestSupport

@testable import Seedbed

struct LineEndingsTests {
  @Test(
    arguments: [
      ("a\nb\n", "a\nb\n", "a\r\nb\r\n"),
      ("a\r\nb\r\n", "a\nb\n", "a\r\nb\r\n"),
      ("a\r\nb\n", "a\nb\n", "a\r\nb\r\n"),
      ("a\rb\r\r\nc\r", "a\rb\r\nc\r", "a\rb\r\r\nc\r"),
      ("\n\n", "\n\n", "\r\n\r\n"),
      ("", "", ""),
    ])
  func `the digests with other endings`(
    _ text: (String, lf: String, crlf: String)
  ) {
    let digests = LineEndingRule.digests(Array(text.0.utf8))
    #expect(digests == [.lf: Digest.of(text.lf), .crlf: Digest.of(text.crlf)])
  }

  private let lf = "CREATE TABLE t (a);\n"
  private let crlf = "CREATE TABLE t (a);\r\n"

  /// A catalog with these files, and the rules that keep it as it was when it held the others.
  private func rules(now: [String: String], applied: [String: String]) throws -> [String] {
    let checksum = Checksum.of(applied.map { ($0.key, Digest.of($0.value)) })
    let fixture = try Place()
    for (name, text) in now { try fixture.write("1_a/\(name)", text) }
    let catalog = try fixture.catalog()
    return try catalog.lineEndings(of: catalog.migrations()[0], applied: checksum).map(\.line)
  }

  @Test func `SQL that was applied with LF`() throws {
    #expect(try rules(now: ["up.sql": crlf], applied: ["up.sql": lf]) == ["*.sql text eol=lf"])
  }

  @Test func `SQL that was applied with CRLF`() throws {
    #expect(try rules(now: ["up.sql": lf], applied: ["up.sql": crlf]) == ["*.sql text eol=crlf"])
  }

  @Test func `rows alone`() throws {
    let now = ["up.sql": lf, "t.csv": "a\r\n1\r\n"]
    let applied = ["up.sql": lf, "t.csv": "a\n1\n"]
    #expect(try rules(now: now, applied: applied) == ["*.csv text eol=lf"])
  }

  @Test func `both, each in its own way`() throws {
    let now = ["up.sql": crlf, "after.sql": crlf, "t.csv": "a\n1\n"]
    let applied = ["up.sql": lf, "after.sql": lf, "t.csv": "a\r\n1\r\n"]
    #expect(
      try rules(now: now, applied: applied) == ["*.sql text eol=lf", "*.csv text eol=crlf"])
  }

  @Test func `any other difference is drift`() throws {
    #expect(try rules(now: ["up.sql": crlf + " "], applied: ["up.sql": lf]) == [])
    #expect(try rules(now: ["up.sql": crlf], applied: ["up.sql": lf, "t.csv": "a\n"]) == [])
  }
}
