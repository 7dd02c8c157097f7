/// What users of the libraries see says what it is.
enum Documented {
  private static let kinds: Set = [
    "actor", "class", "enum", "func", "init", "let", "protocol", "struct", "subscript",
    "typealias", "var",
  ]

  /// Public declarations, and the cases of public enums, without a `///` above.
  static func violations(_ file: SourceFile) -> [Violation] {
    guard file.path.hasPrefix("Sources/") else { return [] }
    let code = SwiftCode.only(in: file.text)
      .split(separator: "\n", omittingEmptySubsequences: false)
    var violations: [Violation] = []
    // The indentations of the public enums that are open.
    var enums: [Int] = []
    for (index, line) in code.enumerated() {
      let words = words(of: line)
      let indentation = line.prefix { $0 == " " }.count
      if words.isEmpty { continue }
      while let last = enums.last, indentation <= last { enums.removeLast() }
      let isPublic = words.contains("public") && !kinds.isDisjoint(with: words)
      let isCase = words.first == "case" && enums.last == indentation - 2
      if isPublic || isCase, !isDocumented(index, code, file.lines) {
        violations.append(violation(file.path, index + 1))
      }
      if isPublic, words.contains("enum") { enums.append(indentation) }
    }
    return violations
  }

  private static func words(of line: Substring) -> [String] {
    line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// Attributes may stand between the comment and what it is about.
  private static func isDocumented(
    _ index: Int, _ code: [Substring], _ lines: [Substring]
  ) -> Bool {
    let above = (0..<index).last { !code[$0].drop { $0 == " " }.hasPrefix("@") }
    return above.map { lines[$0].drop { $0 == " " }.hasPrefix("///") } ?? false
  }

  private static func violation(_ path: String, _ line: Int) -> Violation {
    Violation(
      path: path, line: line, found: "this is public and says nothing of itself",
      remedy: "Write one sentence above it, after '///'.")
  }
}
