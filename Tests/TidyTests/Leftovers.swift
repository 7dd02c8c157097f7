/// Notes to oneself, and marks of a merge, that a reader should not find.
enum Leftovers {
  /// In halves, or this file would be the first to be found.
  static let words = ["TO" + "DO", "FIX" + "ME", "X" + "XX"]

  /// With these git begins a line where a merge did not succeed.
  static let marks = ["<<<<<<< ", "||||||| ", ">>>>>>> "]

  static func found(in file: SourceFile) -> [Violation] {
    file.lines.enumerated().flatMap { index, line in
      let torn = marks.filter { line.hasPrefix($0) }.map { mark in
        Violation(
          path: file.path, line: index + 1, found: "a merge left its mark '\(mark)' here",
          remedy: "Look what both sides had, and remove the mark.")
      }
      let noted = line.split { !$0.isLetter }.map(String.init).filter(words.contains)
      let notes = noted.map { word in
        Violation(
          path: file.path, line: index + 1, found: "a '\(word)' was left here",
          remedy: "Do it now, or open an issue and remove the word.")
      }
      return torn + notes
    }
  }
}
