/// What Package.swift must not hold.
enum Manifest {
  static func violations(in file: SourceFile) -> [Violation] {
    let tokens = Token.all(in: file.text)
    // Only Scripts/build sets these, so a package that depends on this one meets no flag.
    let switched = tokens.lines(of: ["isClone"]) + tokens.lines(of: ["linkFlags"])
    let unsafe = tokens.lines(of: ["unsafeFlags"]).filter { !switched.contains($0) }.map { line in
      Violation(
        path: file.path, line: line, found: "unsafe flags are set",
        remedy: "Let Scripts/build switch them on: a package with unsafe flags cannot be used "
          + "by others.")
    }
    let dependencies = tokens.lines(of: [".", "package", "("]).map { line in
      Violation(
        path: file.path, line: line, found: "another package is used",
        remedy: "Do without: an app that ships data must not ship more code than it needs.")
    }
    return unsafe + dependencies
  }
}
