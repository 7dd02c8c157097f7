import Foundation
import TestSupport
import Testing

/// What the user lets the guide's authors know.
struct SuggestTests {
  @Test func `a user sees what they corrected before it is written anywhere`() throws {
    let app = try App()
    #expect(try app.run("suggest").output == "You corrected nothing.\n")
    _ = try app.run("edit", "113", "name", "Bobium")
    _ = try app.run("add", "Xx", "Mine")
    _ = try app.run("note", "He", "my secret")
    #expect(
      try app.run("suggest").output == """
        113: name, Nihonium → Bobium
        To write this, and nothing else, into a file for the authors: fieldguide suggest FILE

        """)
    let file = app.place.url.appending(path: "mine.jsonl")
    let written = try app.run("suggest", file.path)
    #expect(
      written.output == "113: name, Nihonium → Bobium\nWritten to \(file.path).\n")
    #expect(
      try String(contentsOf: file, encoding: .utf8)
        == #"{"kind":"edit","table":"elements","key":{"number":113},"column":"name","#
        + #""base":"Nihonium","mine":"Bobium","version":4}"# + "\n")
  }
}
