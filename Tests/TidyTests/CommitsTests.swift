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
