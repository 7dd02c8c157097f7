/// Finds the known word that a misspelt one probably means.
package enum Nearest {
  /// The nearest of `known`; nil if none is near enough to be a guess worth making.
  package static func word(to text: String, among known: [String]) -> String? {
    let wanted = Array(text.asciiLowercased().utf8)
    // A third of the letters may be wrong, three at most: beyond that a guess only confuses.
    let limit = max(1, min(3, wanted.count / 3))
    var best: (word: String, distance: Int)?
    for word in known {
      let letters = Array(word.asciiLowercased().utf8)
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, letters)
      // A word that keeps no letter was not meant.
      guard distance <= limit, distance < wanted.count else { continue }
      if distance < best?.distance ?? .max { best = (word, distance) }
    }
    return best?.word
  }

  /// ` Did you mean 'words'?`, or another sentence if no word is near.
  package static func question(
    about text: String, among known: [String], or other: String = ""
  ) -> String {
    word(to: text, among: known).map { " Did you mean '\($0)'?" } ?? other
  }

  /// The number of letters added, left out, changed or swapped with their neighbour.
  private static func distance(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: second.count + 1)
    var last = Array(0...second.count)
    var row = last
    for i in 0..<first.count {
      row[0] = i + 1
      for j in 0..<second.count {
        let change = last[j] + (first[i] == second[j] ? 0 : 1)
        row[j + 1] = min(change, last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
          row[j + 1] = min(row[j + 1], beforeLast[j - 1] + 1)
        }
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
