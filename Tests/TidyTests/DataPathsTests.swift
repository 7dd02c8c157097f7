import Testing

@Suite struct `The data paths name what is there` {
  @Test func `each file and each function`() throws {
    let path = "Documentation/DataPaths.md"
    let page = SourceFile(path: path, text: try Project.text(path))
    #expect(DataPaths.stations(in: page.text).flatMap(\.functions).count > 80)
    expectNone(DataPaths.violations(page) { try? Project.text("Sources/\($0)") })
  }

  @Test(arguments: [
    ("| 1 | a | `A/B.swift` `run`, `init` |", 0), ("| 1 | a | `A/C.swift` `run` |", 1),
    ("| 1 | a | `A/B.swift` `fly`, `run`; `A/B.swift` `walk` |", 2), ("`A/C.swift` `run`", 0),
    ("| 1 | a | `A/B.swift` `not` |", 1),
  ])
  func `what is not there is found`(row: String, count: Int) {
    let code = "struct B {\n  init() {}\n  static func run<T>() {}  // func not()\n}\n"
    let found = DataPaths.violations(SourceFile(path: "P.md", text: "\n\(row)\n")) {
      $0 == "A/B.swift" ? code : nil
    }
    #expect(found.count == count)
    #expect(found.allSatisfy { $0.line == 2 })
  }
}
