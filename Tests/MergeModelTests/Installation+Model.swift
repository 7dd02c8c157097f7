/// What an adoption and the releases after it make of a database, in the plainest code: each
/// edition is a release that concerns what is not of it already.
///
/// The user's cells are known here, since the model saw how they were written. The engine has to
/// find them out.
extension Installation {
  /// The content after the adoption and all releases, and the newest edition that had arrived.
  func expected() -> (content: Content, edition: Int) {
    var content = content
    let own = Set(content.words.filter { !isKnown($0.key, $0.value) }.keys)
    let senses = Set(content.senses.filter { !isKnown($0.key, $0.value, besides: own) }.keys)
    // Exactly as it came, it is the seed's for a release, though its word is not.
    let unlike = senses.filter { id in
      editions.prefix(adopted).lazy.compactMap { $0.senses[id] }.first?.text
        != content.senses[id]?.text.value
    }
    let there = (words: Set(content.words.keys), senses: Set(content.senses.keys))
    var newest = 0
    for number in 1...editions.count {
      let arrived = number > adopted ? (false, false) : arrived(number, besides: own, senses)
      if arrived.0 || arrived.1 { newest = number }
      take(number, besides: own, unlike, into: &content)
      add(number, besides: own, there, arrived, to: &content)
    }
    return (content, newest)
  }

  // MARK: whose

  /// A row under a key that the database gives is the seed's if it has most of the values, or one
  /// by which the edition tells its rows apart.
  private func isKnown(_ id: Int, _ word: Word) -> Bool {
    // A column that came later had its DEFAULT: that it came is no new state.
    states { $0.words[id]?.merging(["extra": "0"]) { own, _ in own } }.contains { edition, state in
      if hasChosenIDs || !sharesIDs { return true }
      let values = filled.map { (mine: word.cells[$0]?.value, seed: value($0, of: state)) }
      let speaking = values.count { $0.mine != nil || $0.seed != nil }
      let agreeing = values.count { $0.mine != nil && $0.mine == $0.seed }
      let isTold = zip(filled, values).contains { column, value in
        let all = edition.words.values.compactMap { self.value(column, of: $0) }
        return value.mine != nil && value.mine == value.seed && all.count > 1
          && Set(all).count == all.count
      }
      return values.allSatisfy { $0.mine == $0.seed } || agreeing * 2 > speaking || isTold
    }
  }

  private func isKnown(_ id: Int, _ sense: Sense, besides own: Set<Int>) -> Bool {
    states { edition in edition.senses[id].map { ["text": $0.text] } }.contains { edition, state in
      if hasChosenIDs || !sharesIDs { return true }
      // Its word is one of two values, and its text tells it apart if it is not the only one.
      return state["text"] == sense.text.value
        && (!own.contains(sense.word) || edition.senses.count > 1)
    }
  }

  /// The states of a row, each with the edition in which it came.
  private func states(_ state: (Edition) -> Cells?) -> [(Edition, Cells)] {
    var last: Cells?
    return editions.prefix(adopted).compactMap { edition in
      let now = state(edition)
      defer { last = now }
      return now == last ? nil : now.map { (edition, $0) }
    }
  }

  private func value(_ column: String, of state: Cells) -> String? {
    // A column that came later had its DEFAULT.
    guard let value = state[column] else { return column == "extra" ? "0" : nil }
    return value
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

  // MARK: arrived

  /// Whether half of the words, and of the senses, that an edition added and the user did not
  /// change are as any had them.
  private func arrived(
    _ number: Int, besides own: Set<Int>, _ ownSenses: Set<Int>
  ) -> (Bool, Bool) {
    let before = number == 1 ? Edition() : editions[number - 2]
    let (edition, last) = (editions[number - 1], editions[adopted - 1])
    func isHalf(_ rows: [(isThere: Bool, isAbsent: Bool)]) -> Bool {
      let found = rows.count(where: \.isThere)
      return found > 0 && found * 2 >= rows.count { $0.isThere || $0.isAbsent }
    }
    let words = edition.words.keys.filter { before.words[$0] == nil }.map {
      id -> (isThere: Bool, isAbsent: Bool) in
      let isPlaced = content.words[id] != nil && !own.contains(id)
      return (isThere: isExact(word: id), isAbsent: last.words[id] != nil && !isPlaced)
    }
    let senses = edition.senses.keys.filter { before.senses[$0] == nil }.map {
      id -> (isThere: Bool, isAbsent: Bool) in
      let isPlaced = content.senses[id] != nil && !ownSenses.contains(id)
      return (
        isThere: isExact(sense: id, besides: own), isAbsent: last.senses[id] != nil && !isPlaced
      )
    }
    return (isHalf(words), isHalf(senses))
  }

  private func isExact(word id: Int) -> Bool {
    guard let word = content.words[id] else { return false }
    return editions.prefix(adopted).compactMap { $0.words[id] }.contains { state in
      filled.allSatisfy { word.cells[$0]?.value == value($0, of: state) }
    }
  }

  private func isExact(sense id: Int, besides own: Set<Int>) -> Bool {
    guard let sense = content.senses[id], !own.contains(sense.word) else { return false }
    return editions.prefix(adopted).compactMap { $0.senses[id] }.contains {
      $0.text == sense.text.value
    }
  }

  // MARK: one release

  /// Changes and retires rows.
  private func take(
    _ number: Int, besides own: Set<Int>, _ ownSenses: Set<Int>, into content: inout Content
  ) {
    let edition = editions[number - 1]
    let before = number == 1 ? Edition() : editions[number - 2]
    for (id, word) in content.words where !own.contains(id) {
      guard let cells = edition.words[id] else { continue }
      for (column, cell) in word.cells where !cell.isUsers {
        guard let value = cells[column] else { continue }
        content.words[id]?.cells[column] = Cell(value: value)
      }
    }
    for (id, sense) in content.senses where !ownSenses.contains(id) && !sense.text.isUsers {
      if let shipped = edition.senses[id] {
        content.senses[id]?.text = Cell(value: shipped.text)
      } else if before.senses[id] != nil {
        content.senses[id] = nil
      }
    }
    for (id, word) in content.words
    where !own.contains(id) && edition.words[id] == nil && before.words[id] != nil {
      let isEdited = word.stars != nil || word.cells.values.contains(where: \.isUsers)
      let isReferred = content.senses.values.contains { $0.word == id }
      if !isEdited, !isReferred { content.words[id] = nil }
    }
  }

  /// Adds rows. Those of an edition that had arrived were deleted by the user.
  private func add(
    _ number: Int, besides own: Set<Int>, _ there: (words: Set<Int>, senses: Set<Int>),
    _ arrived: (Bool, Bool), to content: inout Content
  ) {
    let edition = editions[number - 1]
    let before = number == 1 ? Edition() : editions[number - 2]
    for (id, cells) in edition.words
    where before.words[id] == nil && !there.words.contains(id) && !arrived.0 {
      var word = Word(cells: ["extra": Cell(value: "0")])
      for (column, value) in cells { word.cells[column] = Cell(value: value) }
      content.words[id] = word
    }
    for (id, sense) in edition.senses
    where before.senses[id] == nil && !there.senses.contains(id) && !arrived.1
      && content.words[sense.word] != nil && !own.contains(sense.word)
    {
      content.senses[id] = Sense(word: sense.word, text: Cell(value: sense.text))
    }
  }
}
