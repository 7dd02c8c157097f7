import Testing

@Suite struct `Readers meet plain words` {
  @Test func `in the pages`() throws {
    let pages = try Project.markdownFiles().filter { file in
      file.path == "README.md"
        || ["Documentation/", "Migrations/", "Sources/"].contains { file.path.hasPrefix($0) }
    }
    expectNone(pages.flatMap(Glossary.found))
  }

  @Test func `in the strings and the documentation of Sources`() throws {
    let files = try Project.swiftFiles().filter { $0.path.hasPrefix("Sources/") }
    expectNone(files.flatMap(Glossary.found))
  }

  @Test(arguments: Glossary.avoided.map(\.phrase)) func `a phrase is found`(phrase: String) {
    let page = SourceFile(path: "A.md", text: "One.\nIt \(phrase.uppercased()), then.\n")
    #expect(Glossary.found(in: page).map(\.line) == [2])
  }

  @Test func `with the better word`() {
    let page = SourceFile(path: "A.md", text: "The lock is written anew.\n")
    #expect(
      Glossary.found(in: page).map(\.description)
        == ["A.md:1: 'anew' is not plain English. Write: again."])
  }

  @Test(arguments: [
    ("It is\ntold.", 1), ("It *is* told.", 1), ("It is. Told.", 0), ("Rows are told apart.", 0),
    ("He mended it in vain.", 2), ("Amend it, in vein.", 0), ("`make --amend`", 0),
  ])
  func `across lines, and not in other words`(text: String, count: Int) {
    #expect(Glossary.found(in: SourceFile(path: "A.md", text: text)).count == count)
  }

  @Test(arguments: [
    ("/// Made anew.\nlet a = 1", true), ("/// It is\n  /// told.", true),
    ("let a = \"Made anew.\"", true), ("let a = \"It is \"\n  + \"told.\"", true),
    ("let a = \"\\(b.isEmpty ? \"anew\" : c)\"", true), ("// Made anew.", false),
    ("let anew = truth.mend()  // in vain", false), ("func `it is told`() {}", false),
    ("let a = \"\\(truth)\"", false),
  ])
  func `in Swift`(text: String, isFound: Bool) {
    let found = Glossary.found(in: SourceFile(path: "A.swift", text: text))
    #expect(found.map(\.line) == (isFound ? [1] : []))
  }
}
