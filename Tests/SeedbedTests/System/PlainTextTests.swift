import Testing

@testable import Seedbed

struct PlainTextTests {
  @Test(arguments: [
    ("a\nb", "a\r\nb"), ("a\nb", "a\rb"), ("a", "a\r\n"), ("a", "a \t\u{B}\u{C}"),
    ("a\nb", "a  \nb"), ("a\nb", "a \r\nb\n\n "), ("", " \r\n\t"), ("a\n\nb", "a\r\n \r\nb"),
    ("\u{A0}", "\u{A0} "),
  ])
  func `is no difference`(_ first: String, _ second: String) {
    #expect(PlainText.isSame(first, second) && PlainText.isSame(second, first))
  }

  @Test(arguments: [
    ("a", " a"), ("a b", "a  b"), ("a", "a\u{A0}"), ("a\nb", "ab"), ("a\n\nb", "a\nb"),
    ("\na", "a"), ("é", "e\u{301}"),
  ])
  func `is one`(_ first: String, _ second: String) {
    #expect(!PlainText.isSame(first, second) && !PlainText.isSame(second, first))
  }
}
