/// What an adoption and the releases after it make of a database, in the plainest code.
///
/// The user's cells are known here, since the model saw how they were written. The engine has to
/// find them out.
extension Installation {
  /// The content after the adoption and all releases, and the newest edition that the database had.
  func expected() -> (content: Content, edition: Int) {
    let newest = newestEdition()
    var content = content
    let own = Set(content.words.filter { !isKnown($0.key, $0.value) }.keys)
    take(1...adopted, newest: newest, besides: own, into: &content)
    for edition in editions.indices.dropFirst(adopted) {
      take(edition + 1...edition + 1, newest: edition, besides: own, into: &content)
    }
    return (content, newest)
  }

  /// A row that has nothing in common with any edition's is taken for one of the user's.
  private func isKnown(_ id: Int, _ word: Word) -> Bool {
    editions.prefix(adopted).compactMap { $0.words[id] }.contains { state in
      filled.contains {
        let value = word.cells[$0]?.value
        return value != nil && (state[$0] ?? "0") == value
      }
    }
  }

  /// The columns that files of the adopted editions name. SQL alone may have added `extra`: then it
  /// is none of the catalog's yet.
  private var filled: [String] {
    let fillsExtra = (extraSince...adopted).contains { number in
      let before = number == 1 ? Edition() : editions[number - 2]
      let now = editions[number - 1].words
      if before.words.keys.contains(where: { now[$0] == nil }) { return true }
      return now.contains { id, cells in
        guard let was = before.words[id] else { return true }
        return columns(number).contains { (was[$0] ?? "0") != (cells[$0] ?? "0") }
      }
    }
    return fillsExtra ? Self.columns : ["text", "note"]
  }

  /// The first edition that has a row.
  private func first(_ has: (Edition) -> Bool) -> Int? {
    editions.prefix(adopted).firstIndex(where: has).map { $0 + 1 }
  }

  private func newestEdition() -> Int {
    let words = content.words.compactMap { id, word -> Int? in
      isKnown(id, word) ? first { $0.words[id] != nil } : nil
    }
    let senses = content.senses.compactMap { id, _ in first { $0.senses[id] != nil } }
    return (words + senses).max() ?? 0
  }

  /// Makes the rows of these editions those of the last of them.
  private func take(
    _ range: ClosedRange<Int>, newest: Int, besides own: Set<Int>, into content: inout Content
  ) {
    let before = range.lowerBound == 1 ? Edition() : editions[range.lowerBound - 2]
    let shipped = editions[range.lowerBound - 1..<range.upperBound]
    let last = editions[range.upperBound - 1]
    func known(_ has: (Edition) -> Bool) -> Bool { has(before) || shipped.contains(where: has) }
    func firstEdition(_ has: (Edition) -> Bool) -> Int {
      has(before) ? 0 : (shipped.firstIndex(where: has) ?? 0) + 1
    }
    for (id, word) in content.words where !own.contains(id) {
      guard let cells = last.words[id] else { continue }
      for (column, cell) in word.cells where !cell.isUsers {
        guard let value = cells[column] else { continue }
        content.words[id]?.cells[column] = Cell(value: value)
      }
    }
    for (id, sense) in content.senses {
      guard let shipped = last.senses[id], !sense.text.isUsers else { continue }
      content.senses[id]?.text = Cell(value: shipped.text)
    }
    for (id, sense) in content.senses
    where !sense.text.isUsers && last.senses[id] == nil && known({ $0.senses[id] != nil }) {
      content.senses[id] = nil
    }
    for (id, word) in content.words
    where !own.contains(id) && last.words[id] == nil && known({ $0.words[id] != nil }) {
      let isEdited = word.stars != nil || word.cells.values.contains(where: \.isUsers)
      let isReferred = content.senses.values.contains { $0.word == id }
      if !isEdited, !isReferred { content.words[id] = nil }
    }
    for (id, cells) in last.words
    where content.words[id] == nil && firstEdition({ $0.words[id] != nil }) > newest {
      var word = Word(cells: ["extra": Cell(value: "0")])
      for (column, value) in cells { word.cells[column] = Cell(value: value) }
      content.words[id] = word
    }
    for (id, sense) in last.senses
    where content.senses[id] == nil && content.words[sense.word] != nil && !own.contains(sense.word)
      && firstEdition({ $0.senses[id] != nil }) > newest
    {
      content.senses[id] = Sense(word: sense.word, text: Cell(value: sense.text))
    }
  }
}
