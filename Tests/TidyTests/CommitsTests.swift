import Testing

@Suite(.enabled(if: Project.exists(".git"))) struct `Commits are told in one plain line` {
  @Test func `all since the rule`() throws {
    let log = try Shell.run("git", "log", "--first-parent", "-n", "2000", "--format=%s")
    #expect(log.status == 0)
    expectNone(Commits.subjects(in: log.output).flatMap(Commits.violations))
  }

  @Test func `older ones are left alone`() {
    #expect(Commits.subjects(in: "New\nOther\n\(Commits.last)\nold: x.\n") == ["New", "Other"])
  }

  @Test(arguments: [
    ("Read each file once", true), ("read each file once", false), ("fix(merge): a value", false),
    ("Read each file once.", false), ("Fix #12", false), ("Merge branch 'a'", false),
    ("Make the ledger anew", false), ("A" + String(repeating: "b", count: 57) + " c", true),
    ("A" + String(repeating: "b", count: 58) + " c", false),
  ])
  func `a subject`(_ subject: String, isPlain: Bool) {
    #expect(Commits.violations(subject).isEmpty == isPlain)
  }
}

@Suite struct `A number that grows has a price` {
  private static let rule = " /// `Grows:` and the price."

  @Test(arguments: [
    ("", [rule, "-  private static let a = 5_600", "+  private static let a = 5_700"], true),
    ("Why.", [rule, "-  static let a = 999", "+  static let a = 1_000"], true),
    ("Grows: 1 line.", [rule, "-  static let a = 5", "+  static let a = 6"], false),
    ("Grows:", [rule, "-  static let a = 5", "+  static let a = 6"], true),
    ("", [rule, "-  static let a = 6", "+  static let a = 5"], false),
    ("", [rule, "-  static let a = 6", "-  static let b = 2", "+  static let b = 2"], false),
    ("", [rule, "+  static let a = 6"], false),
    ("", ["+" + rule, "-  static let a = 5", "+  static let a = 6"], false),
  ])
  func `a commit`(body: String, difference: [String], isFound: Bool) {
    let log = "\u{1}Raise it\u{2}\(body)\u{2}\n\(difference.joined(separator: "\n"))\n"
    let found = Commits.withoutPrice(in: log + "\u{1}Lower it\u{2}\u{2}\n")
    #expect(found.map(\.path) == (isFound ? ["'Raise it'"] : []))
  }
}
