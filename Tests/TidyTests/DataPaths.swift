/// The stations of `Documentation/DataPaths.md`, and the functions that they name.
enum DataPaths {
  struct Station: Equatable {
    let line: Int
    /// A file below `Sources`, and functions that it has.
    let file: String
    var functions: [String] = []
  }

  /// In the last cell of a row: a path, then names, each as code. A cell without a path has none.
  static func stations(in page: String) -> [Station] {
    var stations: [Station] = []
    for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where line.hasPrefix("| ") {
      let cell = line.split(separator: "|").last ?? ""
      for code in cell.matches(of: #/`([^`]+)`/#).map({ String($0.output.1) }) {
        if code.hasSuffix(".swift") {
          stations.append(Station(line: index + 1, file: code))
        } else if stations.last?.line == index + 1 {
          stations[stations.count - 1].functions.append(code)
        }
      }
    }
    return stations
  }

  /// - Parameter text: the text of a file below `Sources`; nil if there is none.
  static func violations(_ page: SourceFile, text: (String) -> String?) -> [Violation] {
    stations(in: page.text).flatMap { station -> [Violation] in
      let remedy = "Follow the row through the code once more, and write what is there now."
      func violation(_ found: String) -> Violation {
        Violation(path: page.path, line: station.line, found: found, remedy: remedy)
      }
      guard let text = text(station.file) else {
        return [violation("there is no file 'Sources/\(station.file)'")]
      }
      let code = SwiftCode.only(in: text)
      return station.functions.filter { !declares($0, in: code) }
        .map { violation("'Sources/\(station.file)' has no function '\($0)'") }
    }
  }

  private static func declares(_ name: String, in code: String) -> Bool {
    let tokens = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
    return name == "init"
      ? tokens.contains("init")
      : zip(tokens, tokens.dropFirst()).contains { $0 == "func" && $1 == name }
  }
}
