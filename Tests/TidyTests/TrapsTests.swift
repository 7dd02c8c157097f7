import Testing

@Suite struct `No data can end the app` {
  @Test func `Sources throw, they do not trap`() throws {
    expectNone(
      try Project.swiftFiles().flatMap { Traps.sprung(in: $0, allowing: Traps.allowances) })
  }

  @Test func `every allowance is needed and has a reason`() throws {
    expectNone(Traps.stale(Traps.allowances, files: try Project.swiftFiles()))
    #expect(Traps.allowances.allSatisfy { !$0.reason.isEmpty })
  }
}

@Suite struct `Traps are found` {
  static let trapping = [
    "fatalError(\"x\")", "precondition(a > b)", "preconditionFailure()", "let a = try! f()",
    "let a = b as! C",
  ]

  @Test(arguments: trapping) func `in Sources`(line: String) {
    let file = SourceFile(path: "Sources/A.swift", text: "\n\(line)\n")
    #expect(Traps.sprung(in: file, allowing: []).map(\.line) == [2])
  }

  @Test(arguments: trapping) func `but in Tests they are fine`(line: String) {
    let file = SourceFile(path: "Tests/A.swift", text: line)
    #expect(Traps.sprung(in: file, allowing: []).isEmpty)
  }

  @Test(arguments: ["if try !f() {}", "// fatalError(", "\"try! \"", "try? f()", "a as? B"])
  func `what only looks like one is fine`(line: String) {
    let file = SourceFile(path: "Sources/A.swift", text: line)
    #expect(Traps.sprung(in: file, allowing: []).isEmpty)
  }

  @Test func `an allowance covers one trap in one file`() {
    let allowance = Traps.Allowance(path: "Sources/A.swift", trap: "try!", reason: "a test")
    let text = "try! f()\na as! B"
    let here = SourceFile(path: "Sources/A.swift", text: text)
    let there = SourceFile(path: "Sources/B.swift", text: text)
    #expect(Traps.sprung(in: here, allowing: [allowance]).map(\.line) == [2])
    #expect(Traps.sprung(in: there, allowing: [allowance]).map(\.line) == [1, 2])
    #expect(Traps.stale([allowance], files: [here, there]).isEmpty)
    #expect(Traps.stale([allowance], files: [there]).count == 1)
  }
}
