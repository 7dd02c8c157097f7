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

  @Test(arguments: Verb.all.map(\.name) + ["options"])
  func `a verb's man page has all that its help says`(_ word: String) throws {
    let page = try Program.run(["help", word, "--man"], in: try Sandbox()).output
    #expect(page.hasPrefix(".TH MIGRATE\\-\(word.uppercased()) 1 \"\" \"migrate "))
    #expect(page.contains("\n.SH NAME\nmigrate\\-\(word) \\- "))
    #expect(page.contains("\n.SH EXIT CODES\n.TP\n.B 0\n"))
    guard let verb = Verb.all.first(where: { $0.name == word }) else { return }
    #expect(page.contains("\n.SH SYNOPSIS\n.B migrate \(word)"))
    let count = page.ranges(of: "\n.TP\n").count
    let examples = verb.examples.filter { !$0.purpose.isEmpty }
    #expect(
      count == examples.count + verb.operands.count + verb.options.count
        + verb.sections.reduce(0) { $0 + $1.entries.count } + verb.exitCodes.count)
  }

  @Test(.enabled(if: Sandbox.has("groff"))) func `groff warns of nothing in the man pages`() throws
  {
    let sandbox = try Sandbox()
    let help = HelpPage(program: "migrate")
    try sandbox.write(["migrate.1": help.manual()])
    for verb in Verb.all {
      try sandbox.write(["migrate-\(verb.name).1": try help.manual(on: verb.name)])
    }
    #expect(
      try sandbox.shell("groff -man -ww -Tutf8 -z *.1") == Outcome())
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
