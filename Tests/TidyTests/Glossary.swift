/// Words and phrases that no reader should meet, each with a better one.
enum Glossary {
  struct Avoided {
    let words: [String]
    let better: String

    init(_ phrase: String, _ better: String) {
      words = phrase.split(separator: " ").map(String.init)
      self.better = better
    }

    var phrase: String { words.joined(separator: " ") }
  }

  /// Only what is never right: the test knows no exceptions.
  static let avoided: [Avoided] =
    each("anew", "again")
    + each("in vain", "without effect")
    + each("nobody's", "no one's, or 'unused'")
    + each("what there is", "what exists")
    + each("take out, takes out, took out, taken out, taking out", "remove")
    + each("mend, mends, mended, mending", "fix")
    + each("truth, truths", "source CSV")
    + each("is told, are told, was told, were told, be told of, been told of", "is reported")
    + each("told from, tells from", "distinguished from")
    + each("hope, hopes, hoped, hoping", "what is certain")
    + each("as it stands, as they stand", "as it is")
    + each("stands behind, stands beside, stands below, stands above, stands before", "is")
    + each("the like", "and similar, or a list of what is meant")
    + each("had better", "should")
    + each("of then", "of that time")
    + each("also if, also where", "even if")
    + each("comes to be, came to be", "becomes")
    + each("belong into, belongs into", "belongs in")
    + each("hears of, heard of, hears nothing, hear nothing", "is notified of")
    + each("find fault with, finds fault with", "find")
    + each("no question for", "unknown")
    + each("turned round, turns round, turn round", "inverted")
    + each("put right", "fixed")
    + each("a stranger's, of strangers", "someone else's")
    + each("in silence", "silently")

  private static func each(_ phrases: String, _ better: String) -> [Avoided] {
    phrases.split(separator: ",").map { Avoided(String($0), better) }
  }

  private static let byFirstWord = Dictionary(grouping: avoided) { $0.words[0] }

  /// In a page all of it, in Swift its strings and the comments that become documentation.
  static func found(in file: SourceFile) -> [Violation] {
    let isSwift = file.path.hasSuffix(".swift")
    let words = words(in: isSwift ? SwiftCode.prose(in: file.text) : file.text)
    return words.indices.flatMap { start in
      (byFirstWord[words[start].text] ?? []).filter { avoided in
        let rest = words[start...].prefix(avoided.words.count + 1).map(\.text)
        // Rows may be told apart.
        return rest.starts(with: avoided.words) && rest.last != "apart"
      }.map { avoided in
        Violation(
          path: file.path, line: words[start].line,
          found: "'\(avoided.phrase)' is not plain English",
          remedy: "Write: \(avoided.better).")
      }
    }
  }

  /// In small letters. What ends a phrase, such as a full stop, is an empty word; quotes and marks
  /// of Markdown are none.
  private static func words(in text: String) -> [(text: String, line: Int)] {
    var words: [(text: String, line: Int)] = []
    var word = ""
    var line = 1
    func end() {
      if !word.isEmpty { words.append((word, line)) }
      word = ""
    }
    for character in text {
      if character.isLetter || character == "'" && !word.isEmpty {
        word += character.lowercased()
        continue
      }
      end()
      if character == "\n" { line += 1 }
      if !character.isWhitespace, !"*_`'\"".contains(character) { words.append(("", line)) }
    }
    end()
    return words
  }
}
