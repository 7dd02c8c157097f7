/// Notes to oneself that a reader should not find.
enum Leftovers {
  /// In halves, or this file would be the first to be found.
  static let words = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]

  static func found(in file: SourceFile) -> [Violation] {
    file.lines.enumerated().flatMap { index, line in
      line.split { !$0.isLetter }.map(String.init).filter(words.contains).map { word in
        Violation(
          path: file.path, line: index + 1, found: "a '\(word)' was left here",
          remedy: "Do it now, or open an issue and remove the word.")
      }
    }
  }
}
