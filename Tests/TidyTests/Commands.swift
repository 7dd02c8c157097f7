/// The library says what is wrong, the command what to type.
enum Commands {
  /// Flags and verbs in the strings of the library.
  static func named(in file: SourceFile) -> [Violation] {
    let isLibrary = ["Seedbed", "SeedbedCells"].contains { file.path.hasPrefix("Sources/\($0)/") }
    guard isLibrary else { return [] }
    return file.lines.enumerated().filter { _, line in
      let line = line.drop { $0 == " " }
      return !line.hasPrefix("//") && line.contains(#/".*(--[a-z]|\bmigrate [a-z])/#)
    }.map { index, _ in
      Violation(
        path: file.path, line: index + 1, found: "this string names what to type",
        remedy: "Give the error a remedy, and word that in RemedyText.swift of the command.")
    }
  }
}
