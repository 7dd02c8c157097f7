import Testing

@Suite struct `The README knows the command` {
  @Test func `it shows each verb that is not rare, and no other`() throws {
    let files = Project.files(in: "Sources/MigrateCommand") { $0.hasSuffix(".swift") }
    expectNone(
      Verbs.violations(readme: try Project.text("README.md"), declared: Verbs.declared(by: files)))
  }

  @Test func `a verb is a file of the command`() {
    let files = ["A/MigrateCommand.swift", "A/UpCommand.swift", "A/Verb.swift"]
    #expect(Verbs.declared(by: files) == ["up"])
  }

  @Test func `a missing and an invented verb are found`() {
    let readme = "migrate prose\n`migrate up`, `migrate help VERB`\n```\nScripts/migrate fly\n```\n"
    let found = Verbs.violations(readme: readme, declared: ["up", "status", "down"])
    #expect(
      found.map(\.found) == [
        "'migrate fly' is no verb of the command", "'migrate status' is not in it",
      ])
  }
}
