import TestSupport
import Testing

@testable import MigrateCommand

/// What a newcomer types first, and pages that are played from their first line to the last.
struct TutorialTests {
  private static let pages = [
    "Sources/Seedbed/Seedbed.docc/BesideASyncEngine.md": "## What a user deletes, on each device",
    "Sources/Seedbed/Seedbed.docc/GettingStarted.md": "### See a merge",
    "Sources/Seedbed/Seedbed.docc/ComingFromSeeds.md": "## Three old databases",
    "Sources/Seedbed/Seedbed.docc/WritingARelease.md": "## Make a release",
  ]

  @Test(arguments: pages) func `a page prints what it shows`(page: String, title: String) throws {
    try Self.play(try Transcript.section(title, of: page), of: page, answers: 8)
  }

  @Test(arguments: [
    "TextsAndTranslations": 22, "TwoBranches": 60, "Packs": 8, "DefaultsForEachOrganization": 12,
  ])
  func `a page prints what it shows, all of it`(name: String, answers: Int) throws {
    let page = "Sources/Seedbed/Seedbed.docc/\(name).md"
    try Self.play(try Checkout.text(page), of: page, answers: answers)
  }

  /// - Parameter answers: the least number of commands with an answer, so that they are found.
  private static func play(_ text: String, of page: String, answers: Int) throws {
    let steps = Transcript(text).steps
    let count = steps.filter { $0.output != nil }.count
    #expect(count >= answers, "\(page) has \(count)")
    let sandbox = try Sandbox()
    for step in steps {
      let outcome = try sandbox.shell(step.command, environment: Sandbox.nobody)
      #expect(outcome.code == 0, "\(step.command)\n\(outcome)")
      guard let shown = step.output else { continue }
      let (found, expected) = (outcome.masked(sandbox), Outcome(output: shown).masked(sandbox))
      #expect(
        withoutTimes(Transcript.trimmed(found.output)) == withoutTimes(expected.output),
        "Paste into \(page) what '\(step.command)' prints.")
    }
  }

  /// The number that `--timestamp` gives differs from run to run.
  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/2[0-9]{13}/, with: "TIMESTAMP")
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
