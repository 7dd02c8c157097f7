internal import Seedbed

/// The help as a manual page, in the macros of `man`.
extension HelpPage {
  /// - Parameter word: a verb or `options`; nil for all of them on one page.
  func manual(on word: String?) throws -> String {
    guard let word else { return manual() }
    let verb = word == Self.topic ? nil : try Verb.named(word)
    let parts = verb.map(sections) ?? optionSections
    var page = beginning("\(program)-\(word)", verb?.summary ?? "the options of every verb")
    for section in parts {
      let title = section.title == "Usage" ? "Synopsis" : section.title
      page += request("SH", title.isEmpty ? "DESCRIPTION" : title.uppercased())
      page += section.text.isEmpty ? entries(section) : roff(section.text) + "\n"
    }
    let others = [program] + (verb == nil ? [] : ["\(program)-\(Self.topic)"])
    return page + request("SH", "SEE ALSO")
      + roff(others.map { $0 + "(1)" }.joined(separator: ", "))
      + "\n"
  }

  func manual() -> String {
    var page = beginning(program, Self.manualSummary)
    page += request("SH", "SYNOPSIS") + ".B \(roff(program))\n.I VERB\n[options]\n"
    page += request("SH", "DESCRIPTION") + roff(Self.summary) + "\n"
    for group in Verb.groups {
      page += request("SH", group.title.uppercased())
      for verb in group.verbs { page += manual(of: verb) }
    }
    page += request("SH", "HELP") + manual(of: .help)
    for section in optionSections {
      page += request("SH", section.title.uppercased()) + entries(section)
    }
    return page
  }

  private func beginning(_ name: String, _ summary: String) -> String {
    ".TH \(roff(name).uppercased()) 1 \"\" \"\(roff(program)) \(roff(Tool.version))\" "
      + "\"User Commands\"\n" + request("SH", "NAME") + "\(roff(name)) \\- \(roff(summary))\n"
  }

  /// `whatis` shows it after a dash, so it has no capital letter and no full stop.
  private static var manualSummary: String {
    summary.prefix(1).lowercased() + summary.dropFirst().dropLast()
  }

  private func manual(of verb: Verb) -> String {
    let sections = sections(of: verb)
    let usage = sections.first?.entries.first?.label ?? verb.name
    return request("SS", usage)
      + sections.dropFirst().map { section in
        section.text.isEmpty
          ? ".PP\n.B \(roff(section.title)):\n" + entries(section) : roff(section.text) + "\n"
      }.joined()
  }

  private func entries(_ section: HelpSection) -> String {
    section.entries.map { label, text in
      text.isEmpty
        ? ".B \(roff(label))\n" : ".TP\n.B \(roff(label))\n\(roff(text))\n"
    }.joined()
  }

  private func request(_ name: String, _ text: String) -> String { ".\(name) \(roff(text))\n" }

  /// Escapes the text, so that none of it is read as a request and each sign is printed as it is.
  private func roff(_ text: String) -> String {
    let escaped = text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case _ where !scalar.isASCII:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
