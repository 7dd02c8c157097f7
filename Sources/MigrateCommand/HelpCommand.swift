internal import Seedbed

extension Verb {
  static let help = Verb(
    name: "help",
    summary: "explain a verb; print the man page or completions",
    about: "Prints what a verb does, with examples and its options. The man page, the Markdown "
      + "page and the completions of shells come from the same text.",
    examples: [
      Example("help", "all verbs"),
      Example("help up", "one of them"),
      Example("help \(HelpPage.topic)", "the options that every verb takes"),
      Example("help --completions bash", "for ~/.bashrc: source <(migrate help …)"),
    ],
    operands: [
      Verb.Operand(
        name: "VERB", help: "the verb to explain, or '\(HelpPage.topic)' for those of every verb")
    ],
    takesCommonOptions: false,
    usesDatabase: false,
    exitCodes: [.done, .usage],
    run: HelpCommand.run)
}

enum HelpCommand {
  static func run(_ context: CommandContext) throws -> ExitCode {
    let arguments = context.arguments
    let page = HelpPage(program: context.program)
    let shell: Completions.Shell? = try arguments.choice(.completions)
    let given = [
      arguments.operand != nil || arguments.has(.man), arguments.has(.helpMarkdown), shell != nil,
    ].count { $0 }
    if given > 1 {
      throw SeedbedError(
        .usage,
        "Give only one of VERB, '--man', '--markdown' and '--completions'. VERB may also have "
          + "'--man'.")
    }
    let text =
      if let shell {
        Completions(program: context.program).script(for: shell)
      } else if arguments.has(.man) {
        try page.manual(on: arguments.operand)
      } else if arguments.has(.helpMarkdown) {
        page.markdown()
      } else {
        try page.page(on: arguments.operand)
      }
    try context.invocation.print(text)
    return .done
  }
}

extension HelpPage {
  /// - Parameter word: a verb or `options`; nil for the overview.
  func page(on word: String?) throws -> String {
    guard let word else { return overview() }
    return word == Self.topic ? options() : page(of: try Verb.named(word))
  }
}
