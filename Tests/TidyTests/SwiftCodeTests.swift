import Testing

@Suite struct `Only code is looked at` {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let words: [String]

    init(_ name: String, _ text: String, _ words: String...) {
      testDescription = name
      self.text = text
      self.words = words
    }
  }

  static let cases = [
    Case("a line comment is blanked", "a // b\nc", "a", "c"),
    Case("a nested block comment is blanked", "a /* b /* c */ d */ e", "a", "e"),
    Case("a string is blanked", #"a "b" c"#, "a", "c"),
    Case("an escaped quote does not end a string", #"a "b\" c" d"#, "a", "d"),
    Case("a raw string ends with its hashes", ##"a #"b " c"# d"##, "a", "d"),
    Case("a long string is blanked", "a \"\"\"\n b \" c\n\"\"\" d", "a", "d"),
    Case("interpolated code is code", #"a "b \(c(")")) d" e"#, "a", "c", "e"),
    Case("a raw string interpolates with hashes", ##"#"\(a) \#(b)"# c"##, "b", "c"),
    Case("a slash in a string starts no comment", #"a "//" b"#, "a", "b"),
    Case("a quote in a comment starts no string", "a // \"\nb", "a", "b"),
    Case("a name in backticks holds no keywords", "func `is public`() a", "func", "a"),
    Case("an unterminated string ends with the file", "a \"b", "a"),
  ]

  @Test(arguments: cases) func `in a text`(_ c: Case) {
    let words = Token.all(in: c.text).map(\.text).filter { $0.first?.isLetter == true }
    #expect(words == c.words)
  }

  @Test func `lines keep their numbers`() {
    let text = "a /*\n*/ \"\"\"\n\n\"\"\"\nb"
    #expect(Token.all(in: text).map(\.line) == [1, 5])
  }
}
