import Testing

@Suite struct `What is public is documented` {
  @Test func `in all of Sources`() throws {
    expectNone(try Project.swiftFiles().flatMap(Documented.violations))
  }

  static let bare = [
    "public struct A {}", "  public var a = 1", "public private(set) var a = 1",
    "@discardableResult\npublic func f() {}", "/// Words.\n\npublic func f() {}",
    "// Words.\npublic init() {}", "/// Words.\npublic enum A {\n  case a\n}",
    "/// Words.\npublic enum A {\n  /// Words.\n  case a\n  case b\n}",
  ]

  @Test(arguments: bare) func `what is not is found`(text: String) {
    #expect(
      Documented.violations(SourceFile(path: "Sources/A.swift", text: text)).count == 1)
    #expect(Documented.violations(SourceFile(path: "Tests/A.swift", text: text)).isEmpty)
  }

  static let fine = [
    "/// Words.\npublic struct A {}", "/// Words.\n@discardableResult\npublic func f() {}",
    "public import Seedbed", "extension A {\n  func f() {}\n}", "// public var a",
    "enum A {\n  case a\n}", "package var a = 1",
    "/// Words.\npublic enum A {\n  /// Words.\n  case a\n  var b: Int {\n    switch self {\n"
      + "    case .a: 1\n    }\n  }\n}\nenum B {\n  case b\n}",
  ]

  @Test(arguments: fine) func `the rest is fine`(text: String) {
    #expect(Documented.violations(SourceFile(path: "Sources/A.swift", text: text)).isEmpty)
  }
}
