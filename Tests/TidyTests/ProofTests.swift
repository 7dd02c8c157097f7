import Testing

/// `Scripts/prove` and what it plays, without what takes hours.
@Suite struct `What takes hours has a row` {
  @Test func `for each part, in the same order`() throws {
    let listed = try Shell.run("python3", "Scripts/prove", "--list")
    #expect(listed.status == 0, "\(listed)")
    let parts = listed.output.matches(of: #/(?m)^(?:left|done)  ([a-z-]+)/#).map { $0.output.1 }
    let page = try Project.text("Tests/Proof.md")
    let rows = page.matches(of: #/(?m)^\| ([a-z-]+) \|/#).map { $0.output.1 }.dropFirst()
    #expect(parts.count > 10 && Array(rows) == parts)
    let head = try Shell.run(
      "python3", "-B", "-c", "import runpy; print(runpy.run_path('Scripts/prove')['HEAD'], end='')")
    #expect(page.hasPrefix(head.output), "Scripts/prove would write another head.")
    #expect(page.contains("\n`Sources/Seedbed/Merge` changed last on "), "Scripts/prove --write")
  }

  @Test(arguments: [
    (
      ["python3", "Scripts/prove", "nothing"],
      "there is no part 'nothing'. See Scripts/prove --list."
    ),
    (
      ["sh", "Scripts/checks/cases", "--variant"],
      "unknown option '--variant'. There are: --postgresql,"
    ),
    (
      ["sh", "Scripts/test", "--long", "memory"],
      "--long knows no 'memory'. There are: optimized, address, thread."
    ),
    (
      ["sh", "Scripts/checks/cases", "--variants"],
      "--variants needs names, such as 'unique,child'."
    ),
  ]) func `a slip is refused`(_ words: [String], _ says: String) throws {
    let outcome = try Shell.run(words)
    #expect(outcome.status == 64 && outcome.output.contains(says), "\(outcome)")
  }
}
