import TestSupport
import Testing

@testable import MigrateCommand

/// What is printed from the same text as the help.
struct CommandReferenceTests {
  @Test func `the reference is what the command prints`() throws {
    let outcome = try Program.run(["help", "--markdown"], in: try Sandbox())
    #expect(outcome.code == 0 && outcome.errors.isEmpty)
    #expect(
      try Checkout.text("Documentation/CommandReference.md") == outcome.output,
      "Write it again: Scripts/migrate help --markdown >Documentation/CommandReference.md")
  }

  @Test func `the reference has each page`() {
    let help = HelpPage(program: "migrate")
    let text = help.markdown()
    #expect(text.contains("```text\n\(help.overview())```\n"))
    #expect(text.contains("```text\n\(help.options())```\n"))
    for verb in Verb.all {
      #expect(text.contains("# migrate \(verb.name)\n\n```text\nUsage:\n  migrate \(verb.name)"))
    }
  }

  // MARK: man

  @Test func `the man page has each verb and option`() throws {
    let page = try Program.run(["help", "--man"], in: try Sandbox()).output
    #expect(page.hasPrefix(".TH MIGRATE 1 \"\" \"migrate "))
    for verb in Verb.all {
      #expect(page.contains("\n.SS migrate \(verb.name)"))
      for option in verb.allOptions {
        let label = option.spelling.replacing("-", with: "\\-")
        #expect(page.contains("\n.TP\n.B \(label)"), "\(label)")
      }
    }
    #expect(page.utf8.allSatisfy { $0 < 0x80 })
    let requests = Set(
      page.split(separator: "\n").filter { $0.hasPrefix(".") }.map { $0.prefix(3) })
    #expect(requests == [".TH", ".SH", ".SS", ".PP", ".TP", ".B ", ".I "])
  }

  @Test(.enabled(if: Sandbox.has("groff"))) func `groff warns of nothing in the man page`() throws {
    let sandbox = try Sandbox()
    try sandbox.write(["migrate.1": HelpPage(program: "migrate").manual()])
    #expect(
      try sandbox.shell("groff -man -ww -Tutf8 -z migrate.1") == Outcome())
    let shown = try sandbox.shell("groff -man -Tascii migrate.1 | col -b").output
    #expect(shown.contains("--on-taken POLICY\n"))
    #expect(shown.contains("-- seedbed:allow CODE REASON"))
  }
}

extension Sandbox {
  /// Whether a program can be found.
  static func has(_ program: String) -> Bool {
    (try? Child.run(["/bin/sh", "-c", "command -v \(program)"]))?.code == 0
  }
}
