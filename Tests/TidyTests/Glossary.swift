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
    + each("nobody", "no one, or the noun that is meant: no user, no process, no row")
    + each("nobody's", "no one's, or 'unused'")
    + each("so many", "the number by its name, or 'that many'")
    + each("those of which", "the rows whose, or another noun")
    + each("for who", "for a caller that, or another noun")
    + ["come", "comes", "came", "coming"].flatMap { verb in
      ["be", "have", "hold", "mean", "need", "refer", "stand"].flatMap { infinitive in
        each("\(verb) to \(infinitive)", "the second verb alone, or 'becomes'")
      }
    }
    + each("what there is", "what exists")
    + each("take out, takes out, took out, taken out, taking out", "remove")
    + each("mend, mends, mended, mending", "fix")
    + each("truth, truths", "source CSV")
    + each("told", "reported, shown or notified; rows may be told apart")
    + each("tells from", "distinguished from")
    + each("hope, hopes, hoped, hoping", "what is certain")
    + each("as it stands, as they stand", "as it is")
    + each("stands behind, stands beside, stands below, stands above, stands before", "is")
    + each("the like", "and similar, or a list of what is meant")
    + each("had better", "should")
    + each("of then", "of that time")
    + each("also if, also where", "even if")
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

  /// In Swift in its strings and comments, in another file in all of it.
  static func found(in file: SourceFile) -> [Violation] {
    let isSwift = file.path.hasSuffix(".swift")
    let words = Word.all(in: isSwift ? SwiftCode.prose(in: file.text) : file.text)
    return phrases(in: words, file.path)
      + Sentence.all(in: words).compactMap { $0.violation(file.path) }
  }

  private static func phrases(in words: [Word], _ path: String) -> [Violation] {
    words.indices.flatMap { start in
      (byFirstWord[words[start].text] ?? []).filter { avoided in
        let rest = words[start...].prefix(avoided.words.count + 1).map(\.text)
        // Rows may be told apart.
        return rest.starts(with: avoided.words) && rest.last != "apart"
      }.map { avoided in
        Violation(
          path: path, line: words[start].line,
          found: "'\(avoided.phrase)' is not plain English",
          remedy: "Write: \(avoided.better).")
      }
    }
  }
}
