import Testing

@testable import Seedbed

struct NameTests {
  @Test(arguments: [
    ("Words", "wORDS", true), ("\u{C9}", "\u{E9}", false), ("\u{E9}", "e\u{301}", false),
    ("a", "ab", false), ("", "", true),
  ])
  func `names are compared as SQLite does`(_ one: String, _ other: String, _ isSame: Bool) throws {
    #expect((Name(one) == Name(other)) == isSame)
    #expect(one.isSameName(as: other) == isSame && [one].contains(name: other) == isSame)
    #expect(Set([Name(one), Name(other)]).count == (isSame ? 1 : 2))
    #expect((Name(one) < Name(other) || Name(other) < Name(one)) == !isSame)
    if one.isEmpty { return }
    let connection = try Connection("", .temporary, setup: nil)
    try connection.executeAll("CREATE TABLE \(one.quoted) (a)")
    #expect(try (connection.object(named: other) != nil) == isSame)
  }

  @Test(arguments: [("a", "A", false), ("\u{E9}", "e\u{301}", false), ("\u{E9}", "\u{E9}", true)])
  func `texts are compared by their bytes`(_ one: String, _ other: String, _ isSame: Bool) {
    #expect((ExactText(one) == ExactText(other)) == isSame)
    #expect(one.isSameText(as: other) == isSame && [one].contains(text: other) == isSame)
    #expect([one, other].asTexts.count == (isSame ? 1 : 2))
    #expect((ExactText(one) < ExactText(other) || ExactText(other) < ExactText(one)) == !isSame)
  }

  @Test func `a dictionary is read by a name in any case`() {
    var places: [Name: Int] = ["A": 1]
    places["a", default: 0] += 1
    places["\u{E9}"] = 3
    #expect(places["A"] == 2 && places.count == 2 && places["e\u{301}"] == nil)
  }
}
