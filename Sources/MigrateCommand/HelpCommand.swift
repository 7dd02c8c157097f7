extension Verb {
  static let help = Verb(
    name: "help",
    summary: "this page, or that of one verb",
    about: "Prints what a verb does and takes, examples first.",
    examples: [
      Example("help", "all verbs"),
      Example("help up", "one of them"),
    ],
    operands: [Verb.Operand(name: "VERB", help: "the verb to explain")],
    takesCommonOptions: false,
    exitCodes: [.done, .usage],
    run: { session in
      let page = HelpPage(program: session.program)
      let verb = try session.arguments.operand.map { try Verb.named($0) }
      try session.invocation.print(verb.map { page.page(of: $0) } ?? page.overview())
      return .done
    })
}
