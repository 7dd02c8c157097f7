internal import SeedbedOptions

/// The text of the help, made from the declarations of the verbs. It is the source of every page
/// and completion.
struct HelpPage {
  let program: String

  static let summary = "Ships seed data to SQLite databases and keeps what users changed in them."
  /// The page of the options that all verbs take: `migrate help options`.
  static let topic = "options"

  // MARK: Text for a terminal

  /// The overview, which fits a screen of 24 lines.
  func overview() -> String { text(overviewSections) }

  func page(of verb: Verb) -> String { text(sections(of: verb) + [readOn]) }

  func options() -> String { text(optionSections) }

  /// The content of `Documentation/CommandReference.md`.
  func markdown() -> String {
    var parts = [
      "# The command\n", "Printed by `\(program) help --markdown`: edit the command, not this.\n",
    ]
    parts.append(fenced(overview()))
    for group in Verb.groups {
      parts.append("## \(group.title)\n")
      for verb in group.verbs {
        parts += ["### \(program) \(verb.name)\n", fenced(text(briefly(sections(of: verb))))]
      }
    }
    parts += ["## \(program) help\n", fenced(text(sections(of: .help)))]
    let each = HelpSection("With --each", VerbOption.withEach.map(entry))
    parts += ["## Options that go with --each\n", fenced(text([each]))]
    parts += ["## Options of every verb, and exit codes\n", fenced(options())]
    return parts.joined(separator: "\n")
  }

  /// The page says at its end, once, what an exit code means, and what goes with `--each`.
  private func briefly(_ sections: [HelpSection]) -> [HelpSection] {
    sections.flatMap { section -> [HelpSection] in
      if section.title == "Exit codes" {
        let codes = section.entries.map(\.label).joined(separator: ", ")
        return [HelpSection("", text: "\(section.title): \(codes)")]
      }
      let names = section.entries.map { entry in String(entry.label.prefix { $0 != " " }) }
      let ofEach = VerbOption.withEach.map(\.spelling).filter { names.contains($0) }
      if section.title != "Options" || ofEach.isEmpty { return [section] }
      let rest = zip(names, section.entries).filter { !ofEach.contains($0.0) }.map(\.1)
      return [
        HelpSection(section.title, rest),
        HelpSection("", text: "With --each, also: \(ofEach.joined(separator: ", "))"),
      ]
    }
  }

  private func fenced(_ text: String) -> String { "```text\n\(text)```\n" }

  // MARK: What the pages have

  private var overviewSections: [HelpSection] {
    [
      usage("VERB [options]"), HelpSection("", text: Self.summary),
    ]
      + Verb.groups.map { group in
        HelpSection(group.title, [(group.verbs.map(\.name).joined(separator: ", "), "")])
      } + [
        HelpSection(
          "Begin",
          [
            ("\(program) make words words=words.csv --create", "release 1, from a CSV file"),
            ("\(program) up", "bring app.sqlite up to date"),
          ]),
        HelpSection(
          "Read on",
          [
            ("\(program) help VERB", "what it does, with examples and its options"),
            ("\(program) help \(Self.topic)", "the options of every verb, and exit codes"),
          ]),
      ]
  }

  var optionSections: [HelpSection] {
    [
      HelpSection("Options of every verb", (VerbOption.common + VerbOption.last).map(entry)),
      HelpSection("Exit codes", ExitCode.allCases.map(entry)),
    ]
  }

  func sections(of verb: Verb) -> [HelpSection] {
    let operands = verb.operands.map { " " + $0.usage }.joined()
    let options = verb.options.isEmpty && !verb.takesCommonOptions ? "" : " [options]"
    return
      ([
        usage(verb.name + options + operands),
        HelpSection("", text: verb.about),
        HelpSection("Examples", verb.examples.map { ("\(program) \($0.line)", $0.purpose) }),
        HelpSection(
          verb.operands.count == 1 ? "Operand" : "Operands",
          verb.operands.map { ($0.name, $0.help) }),
        HelpSection("Options", verb.options.map(entry)),
      ] + verb.sections.map { HelpSection($0.title, $0.entries) } + [
        HelpSection("Exit codes", verb.exitCodes.map(entry))
      ]).filter { !$0.isEmpty }
  }

  private var readOn: HelpSection {
    HelpSection(
      "Read on", [("\(program) help \(Self.topic)", "the options of every verb, and exit codes")])
  }

  private func usage(_ text: String) -> HelpSection {
    HelpSection("Usage", [("\(program) \(text)", "")])
  }

  private func entry(_ option: VerbOption) -> (String, String) {
    let value = option.placeholder.map { option.isValueOptional ? "[\($0)]" : $0 }
    let label = ([option.spelling] + (value.map { [$0] } ?? [])).joined(separator: " ")
    var facts: [String] = []
    if !option.kind.choices.isEmpty { facts.append(option.kind.choices.joined(separator: "|")) }
    if !option.kind.variables.isEmpty {
      facts.append("env " + option.kind.variables.joined(separator: ", "))
    }
    if option.isRequired { facts.append("required") }
    if option.isRepeatable { facts.append("may be repeated") }
    if let text = option.defaultText { facts.append("default: \(text)") }
    return (label, option.help + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"))
  }

  private func entry(_ code: ExitCode) -> (String, String) { (String(code.rawValue), code.meaning) }
}

/// A part of a page: a title, and a paragraph or a list of two columns.
struct HelpSection {
  /// Empty for a paragraph without a title.
  let title: String
  let text: String
  let entries: [(label: String, text: String)]

  init(_ title: String, text: String) { (self.title, self.text, entries) = (title, text, []) }

  init(_ title: String, _ entries: [(String, String)]) {
    (self.title, text, self.entries) = (title, "", entries)
  }

  var isEmpty: Bool { text.isEmpty && entries.isEmpty }
}

extension HelpPage {
  private func text(_ sections: [HelpSection]) -> String {
    sections.map { section in
      let title = section.title.isEmpty ? "" : section.title + ":\n"
      return title + (section.text.isEmpty ? "" : wrapped(section.text, indent: 0))
        + list(section.entries)
    }.joined(separator: "\n")
  }

  /// Two columns. The second is wrapped at column 80.
  private func list(_ entries: [(label: String, text: String)]) -> String {
    let width = min(34, entries.map(\.label.count).max() ?? 0)
    return entries.map { label, text in
      if text.isEmpty { return wrapped(label, indent: 2) }
      let body = wrapped(text, indent: width + 4)
      if label.count > width { return "  \(label)\n\(body)" }
      return "  " + label.padded(to: width + 2) + body.dropFirst(width + 4)
    }.joined()
  }

  private func wrapped(_ text: String, indent: Int) -> String {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, indent + line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    let margin = String(repeating: " ", count: indent)
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
