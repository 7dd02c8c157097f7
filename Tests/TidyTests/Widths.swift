/// Numbers of more than 32 bits in what apps link: `Int` has no more on most watches, and `1 << 40`
/// is 0 there.
enum Widths {
  static func narrow(in file: SourceFile) -> [Violation] {
    let folders = ["SeedbedCells", "Seedbed", "SeedbedOverTheAir"]
    guard folders.contains(where: { file.path.hasPrefix("Sources/\($0)/") }) else { return [] }
    let lines = Dictionary(grouping: Token.all(in: file.text), by: \.line)
    return lines.keys.sorted().flatMap { line -> [Violation] in
      let words = lines[line, default: []].map(\.text)
      if words.contains("Int64") || words.contains("UInt64") { return [] }
      return words.indices.dropFirst(3).compactMap { place in
        guard words[place - 2] == "<", words[place - 1] == "<", Int(words[place - 3]) != nil,
          let bits = Int(words[place]), bits > 30
        else { return nil }
        return Violation(
          path: file.path, line: line, found: "'\(words[place - 3]) << \(bits)' may be an Int",
          remedy: "Most watches have 32 bits: say Int64 or UInt64 on the same line.")
      }
    }
  }
}
