/// Prints the help from what the verbs declare: examples first.
struct HelpPage {
  let program: String

  func overview() -> String {
    let examples = Verb.all.filter { $0.takesCommonOptions }.compactMap(\.examples.first)
    return [
      section("Examples", examples.map { ("\(program) \($0.line)", $0.purpose) }),
      usage("VERB [options]"),
      "Ships data into SQLite databases, and never touches what the user made.\n",
      section("Verbs", Verb.all.map { ($0.name, $0.summary) }),
      section("Options of every verb", (CommonOptions.all + HelpOptions.all).map(entry)),
      section("Exit codes", ExitCode.allCases.map(entry)),
      "'\(program) help VERB' says more.\n",
    ].joined(separator: "\n")
  }

  func page(of verb: Verb) -> String {
    let operands = verb.operands.map { " " + $0.usage }.joined()
    let own = verb.options.map(entry)
    let common = (verb.takesCommonOptions ? CommonOptions.all : []) + HelpOptions.all
    let sections = verb.sections.map { section($0.title, $0.entries) }
    return
      ([
        section("Examples", verb.examples.map { ("\(program) \($0.line)", $0.purpose) }),
        usage("\(verb.name) [options]\(operands)"),
        wrapped(verb.about, indent: 0),
        section(
          verb.operands.count == 1 ? "Operand" : "Operands",
          verb.operands.map { ($0.name, $0.help) }),
      ] + sections + [
        section("Options of \(verb.name)", own),
        section("Options of every verb", common.map(entry)),
        section("Exit codes", verb.exitCodes.map(entry)),
      ]).filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private func usage(_ text: String) -> String { "Usage:\n  \(program) \(text)\n" }

  private func entry(_ option: OptionSpec) -> (String, String) {
    let value = option.placeholder.map { option.isValueOptional ? "[\($0)]" : $0 }
    let label = ([option.spelling] + (value.map { [$0] } ?? [])).joined(separator: " ")
    var facts: [String] = []
    if !option.choices.isEmpty { facts.append(option.choices.joined(separator: "|")) }
    if !option.environment.isEmpty {
      facts.append("env " + option.environment.joined(separator: ", "))
    }
    if let text = option.defaultText { facts.append("default: \(text)") }
    return (label, option.help + (facts.isEmpty ? "" : " (\(facts.joined(separator: "; ")))"))
  }

  private func entry(_ code: ExitCode) -> (String, String) { (String(code.rawValue), code.meaning) }

  /// A title and two columns; the second is wrapped at 80.
  private func section(_ title: String, _ entries: [(String, String)]) -> String {
    if entries.isEmpty { return "" }
    let width = min(34, entries.map(\.0.count).max() ?? 0)
    let lines = entries.map { label, text in
      let body = wrapped(text, indent: width + 4)
      if label.count > width { return "  \(label)\n\(body)" }
      return "  " + label.padded(to: width + 2) + body.dropFirst(width + 4)
    }
    return "\(title):\n" + lines.joined()
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
