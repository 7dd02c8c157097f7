import Testing

@Suite struct `Nothing grows past what a reader can hold` {
  @Test func `a Swift file has at most 300 lines`() throws {
    expectNone(try Project.swiftFiles().flatMap(Lengths.longFile))
  }

  @Test func `a function has at most 70 lines`() throws {
    expectNone(try Project.swiftFiles().flatMap(Lengths.longFunctions))
  }

  @Test func `a line has at most 100 columns`() throws {
    expectNone(try Project.swiftFiles().flatMap(Lengths.longLines))
  }
}

@Suite struct `Lengths are measured` {
  @Test(arguments: [(300, 0), (301, 1)])
  func `a file by its lines`(lines: Int, violations: Int) {
    let file = SourceFile(path: "A.swift", text: String(repeating: "\n", count: lines))
    #expect(Lengths.longFile(file).count == violations)
  }

  @Test(arguments: [(100, 0), (101, 1)])
  func `a line by its characters`(columns: Int, violations: Int) {
    let file = SourceFile(path: "A.swift", text: String(repeating: "ä", count: columns) + "\n")
    #expect(Lengths.longLines(file).count == violations)
  }

  static let headers = [
    "func f()", "static func f<T>(_ a: T = { 1 }()) async throws -> [T] where T: P", "init?()",
    "deinit", "subscript(i: Int) -> Int", "var value: Int", "func `is not a var { name`()",
  ]

  @Test(arguments: headers)
  func `a function of 71 lines is found, one of 70 is not`(header: String) {
    func file(_ count: Int) -> SourceFile {
      let body = String(repeating: "    g(\"}\") // }\n", count: count - 2)
      return SourceFile(path: "A.swift", text: "struct S {\n  \(header) {\n\(body)  }\n}\n")
    }
    #expect(Lengths.longFunctions(file(70)).isEmpty)
    #expect(Lengths.longFunctions(file(71)).map(\.line) == [2])
  }

  @Test func `a long type, a stored property and a requirement are no functions`() {
    let text = """
      protocol P { func f()
        var x: Int { get } }
      struct S {
        var stored = [
      \(String(repeating: "    1,\n", count: 80))
        ]
        init() { self.init(1); S.init(2) }
        \(String(repeating: "let a = 1\n", count: 80))
      }
      """
    #expect(Lengths.longFunctions(SourceFile(path: "A.swift", text: text)).isEmpty)
  }

  @Test func `a violation names place and remedy`() {
    let text = "func f() {\n" + String(repeating: "\n", count: 80) + "}\n"
    let found = Lengths.longFunctions(SourceFile(path: "Sources/A.swift", text: text))
    #expect(
      found.map(\.description) == [
        "Sources/A.swift:1: this 'func' has 82 lines, 70 are allowed. "
          + "Give each of its steps a function with a name."
      ])
  }
}
