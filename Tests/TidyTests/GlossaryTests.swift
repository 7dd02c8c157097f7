import Testing

@Suite struct `Readers meet plain words` {
  @Test func `in the pages`() throws {
    let pages = try Project.markdownFiles().filter { file in
      !file.path.contains("/")
        || ["Documentation/", "Migrations/", "Sources/"].contains { file.path.hasPrefix($0) }
    }
    expectNone(pages.flatMap(Glossary.found))
  }

  @Test func `in the strings and comments of Swift`() throws {
    let files = try Project.swiftFiles().filter { !$0.path.hasPrefix("Tests/") }
    expectNone(files.flatMap(Glossary.found))
  }

  @Test func `in the scripts`() throws {
    let files = try Project.files(in: "Scripts") { _ in true }
      .map { SourceFile(path: $0, text: try Project.text($0)) }
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
    ("It is in\nvain.", 1), ("It is *in* vain.", 1), ("It is in. Vain.", 0), ("It is told.", 1),
    ("Rows are told apart.", 0),
    ("He mended it in vain.", 2), ("Amend it, in vein.", 0), ("`make --amend`", 0),
  ])
  func `across lines, and not in other words`(text: String, count: Int) {
    #expect(Glossary.found(in: SourceFile(path: "A.md", text: text)).count == count)
  }

  @Test(arguments: [
    ("What was read is kept.", true), ("So: what the seed has cannot be known.", true),
    ("- One\n- What stays is old", true), ("What is kept, and what is read.", false),
    ("What is there is kept?", false), ("What was read\n\nThe rest is kept.", false),
    ("What a row is and has.", false), ("It says what is there.", false),
    ("Who reads it waits.", true), ("Whoever reads it waits.", true), ("Who reads it?", false),
    ("The one who reads it.", false), ("The lock: for who writes it.", true),
  ])
  func `a sentence begins with a noun`(text: String, isFound: Bool) {
    let found = Glossary.found(in: SourceFile(path: "A.md", text: text))
    #expect(found.count == (isFound ? 1 : 0))
  }

  @Test(arguments: [
    ("/// Made anew.\nlet a = 1", true), ("/// It is in\n  /// vain.", true),
    ("let a = \"Made anew.\"", true), ("let a = \"In \"\n  + \"vain.\"", true),
    ("let a = \"\\(b.isEmpty ? \"anew\" : c)\"", true), ("// Made anew.", true),
    ("let anew = truth.mend()", false), ("let a = b  // in vain", true),
    ("// What is read\nlet a = \"It is kept.\"", false),
    ("// It is in\nlet a = \"vain\"", false),
    ("let a = \"in\"  // vain", false), ("func `it is told`() {}", false),
    ("let a = \"\\(truth)\"", false),
  ])
  func `in Swift`(text: String, isFound: Bool) {
    let found = Glossary.found(in: SourceFile(path: "A.swift", text: text))
    #expect(found.map(\.line) == (isFound ? [1] : []))
  }
}
