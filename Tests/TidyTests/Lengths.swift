/// How long a file, a function and a line may be.
enum Lengths {
  static let linesOfFile = 300
  static let linesOfFunction = 70
  static let columns = 100

  static func longFile(_ file: SourceFile) -> [Violation] {
    // A final newline ends the last line, it does not start another.
    let count = file.lines.count - (file.text.hasSuffix("\n") ? 1 : 0)
    guard count > linesOfFile else { return [] }
    return [
      Violation(
        path: file.path, found: "has \(count) lines, \(linesOfFile) are allowed",
        remedy: "Move one concern into a file of its own, 'Type+Concern.swift'.")
    ]
  }

  static func longFunctions(_ file: SourceFile) -> [Violation] {
    FunctionBody.all(in: file.text).filter { $0.lineCount > linesOfFunction }.map { body in
      Violation(
        path: file.path, line: body.firstLine,
        found: "this '\(body.keyword)' has \(body.lineCount) lines, \(linesOfFunction) are allowed",
        remedy: "Give each of its steps a function with a name.")
    }
  }

  static func longLines(_ file: SourceFile) -> [Violation] {
    // Written by a test, and read by nobody.
    if file.text.hasPrefix("// swift-format-ignore-file") { return [] }
    return file.lines.enumerated().filter { $0.element.count > columns }.map { index, line in
      Violation(
        path: file.path, line: index + 1,
        found: "the line has \(line.count) columns, \(columns) are allowed",
        remedy: "Run Scripts/format, and break by hand what it leaves: comments and strings.")
    }
  }
}
