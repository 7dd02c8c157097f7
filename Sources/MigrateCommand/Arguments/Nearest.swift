/// Finds what a misspelt word was probably meant to be.
enum Nearest {
  /// The nearest candidate, or nil where none is near enough to be worth a guess.
  static func to(_ word: String, among candidates: [String]) -> String? {
    let lowered = word.lowercased()
    let ranked = candidates.map { ($0, distance(lowered, $0.lowercased())) }
    if let (name, edits) = ranked.min(by: { $0.1 < $1.1 }), edits <= allowance(word) {
      return name
    }
    // `--data` is far from `--database` in edits, but was hardly meant for anything else.
    let longer = candidates.filter { $0.lowercased().hasPrefix(lowered) }
    return letters(word) >= 2 && longer.count == 1 ? longer[0] : nil
  }

  /// A third of the letters may be wrong, and always one where there are two or more.
  private static func allowance(_ word: String) -> Int {
    let count = letters(word)
    return count < 2 ? 0 : max(1, (count + 1) / 3)
  }

  private static func letters(_ word: String) -> Int { word.filter { $0 != "-" }.count }

  /// Insertions, deletions, substitutions and swaps of neighbours that make `first` `second`.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i] + [Int](repeating: 0, count: b.count)
      for j in 1...b.count {
        let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        row[j] = min(last[j] + 1, row[j - 1] + 1, substitution)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          row[j] = min(row[j], beforeLast[j - 2] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
