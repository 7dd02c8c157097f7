import Testing

@testable import Seedbed

@Suite struct ShortenedTests {
  @Test(arguments: [
    ("", ""), ("abcde", "abcde"), ("abcdef", "abcd…"), ("ä€😀éñ", "ä€😀éñ"), ("ä€😀éñx", "ä€😀é…"),
    ("a\nb\r\nc", "a b c"), ("a\u{2028}b", "a b"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦👩‍👩‍👧‍👦"),
    ("abcde\u{301}", "abcde\u{301}"), ("abcdef\u{301}", "abcd…"), ("abcd\u{301}ef", "abcd\u{301}…"),
    ("Ωжあ漢…", "Ωжあ漢…"), ("Ωжあ漢…x", "Ωжあ漢…"), ("a\u{AD}\u{200D}🇩🇪e", "a\u{AD}\u{200D}🇩🇪e"),
    // A terminal would obey an escape sequence or ring its bell.
    ("\u{1B}[2J", "\u{FFFD}[2J"), ("a\u{7}\u{9B}\0b", "a\u{FFFD}\u{FFFD}\u{FFFD}b"),
  ]) func `five characters of`(_ text: String, _ shown: String) {
    #expect(text.shortened(to: 5) == shown)
  }

  @Test func `a long text costs what is shown of it`() {
    let long = String(repeating: "x", count: 16 << 20)
    withinAMinute {
      for _ in 0..<100 { #expect(long.shortened(to: 40).count == 40) }
    }
  }

  @Test func `combining marks have an end`() {
    let marks = "e" + String(repeating: "\u{301}", count: 1000)
    #expect(marks.shortened(to: 5).unicodeScalars.count == 16)
  }
}
