import Testing

@testable import Seedbed

/// Values as an app writes them.
struct ValueTests {
  @Test func `a text is a literal, with and without values in it`() {
    let (word, number) = ("gut", 3)
    let row = Migrator.Row(["word", "note"], [.text("better gut"), .text("3 times")])
    #expect(row["word"] == "better \(word)")
    #expect(row["note"] == "\(number) times")
    #expect(row["word"] != "better")
    #expect(["word": "\(word)"] as Migrator.Row == ["word": "gut"])
  }

  @Test func `a whole number is a literal`() {
    #expect(Migrator.Value.integer(113) == 113)
  }
}
