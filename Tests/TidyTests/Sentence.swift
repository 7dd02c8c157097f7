/// A word in small letters, or a punctuation mark that ends a phrase.
struct Word {
  let text: String
  let line: Int

  /// Quotes and marks of Markdown are none. A blank line and the mark of a list are full stops.
  static func all(in text: String) -> [Word] {
    var words: [Word] = []
    var word = ""
    var line = 1
    var isBlank = true
    func end() {
      if !word.isEmpty { words.append(Word(text: word, line: line)) }
      word = ""
    }
    for character in text {
      if character.isLetter || character == "'" && !word.isEmpty {
        word += character.lowercased()
        isBlank = false
        continue
      }
      end()
      if character == "\n" {
        if isBlank { words.append(Word(text: ".", line: line)) }
        line += 1
        isBlank = true
      } else if !character.isWhitespace, !"*_`'\"".contains(character) {
        words.append(Word(text: isBlank && character == "-" ? "." : String(character), line: line))
        isBlank = false
      }
    }
    end()
    return words
  }
}

/// The words between two full stops, colons or semicolons.
struct Sentence {
  let words: ArraySlice<Word>
  let isQuestion: Bool

  static func all(in words: [Word]) -> [Sentence] {
    let marks: Set = [".", "?", "!", ":", ";", "#", "|"]
    let ends = words.indices.filter { marks.contains(words[$0].text) } + [words.count]
    var start = 0
    return ends.compactMap { end in
      let sentence = words[start..<end].drop { $0.text.first?.isLetter != true }
      start = end + 1
      return Sentence(words: sentence, isQuestion: end < words.count && words[end].text == "?")
    }
  }

  /// What is wrong with its subject.
  func violation(_ path: String) -> Violation? {
    guard !isQuestion, let first = words.first else { return nil }
    var found: String?
    if ["who", "whoever"].contains(first.text) {
      found = "a sentence begins with '\(first.text)' and is no question"
    } else if hasClauseAsSubject {
      found = "a clause with '\(first.text)' is the subject of a sentence"
    }
    return found.map {
      Violation(
        path: path, line: first.line, found: $0,
        remedy: "Begin with the noun that is meant, such as 'A row that'.")
    }
  }

  /// `What was read is kept.` has two verbs before another clause can begin; `What was read, and
  /// what is kept.` has one.
  private var hasClauseAsSubject: Bool {
    guard ["what", "whatever"].contains(words.first?.text) else { return false }
    return words.dropFirst()
      .prefix { $0.text.first?.isLetter == true && !Self.openings.contains($0.text) }
      .count { Self.verbs.contains($0.text) } > 1
  }

  /// Verbs that are no nouns, in forms that have a subject.
  private static let verbs: Set = [
    "is", "are", "was", "were", "has", "had", "cannot", "can", "may", "must", "will", "would",
    "stays", "goes", "comes", "belongs",
  ]

  /// Words with which another clause may begin.
  private static let openings: Set = [
    "after", "although", "and", "as", "because", "before", "but", "for", "he", "how", "if", "it",
    "once", "or", "she", "since", "so", "than", "that", "they", "though", "unless", "until", "we",
    "what", "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "you",
  ]
}
