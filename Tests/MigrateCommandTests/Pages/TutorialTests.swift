import TestSupport
import Testing

@testable import MigrateCommand

/// What a newcomer types first.
struct TutorialTests {
  private static let pages = [
    "Sources/Seedbed/Seedbed.docc/GettingStarted.md": "### See a merge",
    "Sources/Seedbed/Seedbed.docc/ComingFromSeeds.md": "## Three old databases",
    "Sources/Seedbed/Seedbed.docc/WritingARelease.md": "## Make a release",
  ]

  @Test(arguments: pages) func `a page prints what it shows`(page: String, title: String) throws {
    let steps = Transcript(try Transcript.section(title, of: page)).steps
    #expect(steps.filter { $0.output != nil }.count >= 8, "the tutorial is found")
    let sandbox = try Sandbox()
    for step in steps {
      let outcome = try sandbox.shell(step.command)
      #expect(outcome.code == 0, "\(step.command)\n\(outcome)")
      guard let shown = step.output else { continue }
      let (found, expected) = (outcome.masked(sandbox), Outcome(output: shown).masked(sandbox))
      #expect(
        Transcript.trimmed(found.output) == expected.output,
        "Paste into \(page) what '\(step.command)' prints.")
    }
  }

  @Test func `a page is read as its reader would`() {
    let page = """
      Paste:

      ```sh
      a <<END
          b
      END
      ```

      Then:

          $ c d
          e

            f
          $ g

      and `h`.

          i
      """
    #expect(
      Transcript(page).steps == [
        Transcript.Step(command: "a <<END\n    b\nEND\n"),
        Transcript.Step(command: "c d", output: "e\n\n  f"),
        Transcript.Step(command: "g", output: ""),
      ])
  }
}
