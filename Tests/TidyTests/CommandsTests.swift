import Testing

@Suite struct `The library names nothing to type` {
  @Test func `no flag and no verb is in its strings`() throws {
    expectNone(try Project.swiftFiles().flatMap(Commands.named))
  }

  @Test(arguments: [
    ("Sources/Seedbed/A.swift", "throw error(\"Write it: migrate lock.\")", true),
    ("Sources/Seedbed/A.swift", "+ \"or allow it: --allow-out-of-order.\"", true),
    ("Sources/Seedbed/A.swift", "/// As `migrate lock` and \"--json\" do.", false),
    ("Sources/Seedbed/A.swift", "\"DELETE FROM t -- all\"", false),
    ("Sources/MigrateCommand/A.swift", "\"Write it: migrate lock.\"", false),
  ])
  func `what names one`(path: String, line: String, isFound: Bool) {
    let file = SourceFile(path: path, text: "\n" + line)
    #expect(Commands.named(in: file).map(\.line) == (isFound ? [2] : []))
  }
}
