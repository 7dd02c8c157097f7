import Testing
import TestSupport

/// `Scripts/checks/crash --planted --check` on the sources as they are, and on small ones.
@Suite struct `Bugs can be planted` {
  @Test func `every patch applies to the sources`() throws {
    let checked = try Shell.run("sh", "Scripts/checks/crash", "--planted", "--check")
    #expect(checked.output == "")
    #expect(checked.status == 0)
  }

  @Test func `a patch that fits passes`() throws {
    let checked = try check(source: "let a = 1\nlet b = 2\n", head: Self.head)
    #expect(checked.output == "")
    #expect(checked.status == 0)
  }

  @Test func `a patch that does not apply any more is refused`() throws {
    let checked = try check(source: "let a = 3\nlet b = 2\n", head: Self.head)
    #expect(checked.status == 1)
    #expect(
      checked.output.hasPrefix(
        "crash: 'Tests/Planted/bug.patch' no longer applies (error: patch failed: "
          + "Sources/A.swift:1\n"))
    #expect(
      checked.output.hasSuffix(
        "Plant the same bug in the sources as they are now, and write the patch again with git "
          + "diff.\n"))
  }

  static let heads = [
    ("Finds: words\n", "crash: 'Tests/Planted/bug.patch' names no suite of Tests/CrashTests"),
    (
      "Trial: GoneTests\nFinds: words\n",
      "crash: 'Tests/Planted/bug.patch' names no suite of Tests/CrashTests"
    ),
    ("Trial: SomeTests\n", "crash: 'Tests/Planted/bug.patch' has no line 'Finds: …'"),
  ]

  @Test(arguments: heads) func `a patch says what catches it`(head: String, words: String) throws {
    let checked = try check(source: "let a = 1\nlet b = 2\n", head: head)
    #expect(checked.status == 1)
    #expect(checked.output.hasPrefix(words))
  }

  private static let head = "Trial: SomeTests\nFinds: words\n"

  /// Runs the real script on one patch and what it finds beside itself.
  private func check(source: String, head: String) throws -> Shell {
    let patch = """
      \(head)
      diff --git a/Sources/A.swift b/Sources/A.swift
      --- a/Sources/A.swift
      +++ b/Sources/A.swift
      @@ -1,2 +1,2 @@
      -let a = 1
      +let a = 0
       let b = 2

      """
    let place = try Place()
    try place.write("Sources/A.swift", source)
    try place.write("Tests/Planted/bug.patch", patch)
    try place.write("Tests/CrashTests/SomeTests.swift", "")
    try place.write("Scripts/checks/crash", Project.text("Scripts/checks/crash"))
    return try Shell.run("sh", "Scripts/checks/crash", "--planted", "--check", in: place.url)
  }
}
