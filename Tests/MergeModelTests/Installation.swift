import TestSupport

@testable import Seedbed

/// An app that filled its database before it had Seedbed: editions of its rows, starts of any of
/// its programs, and what its user did in between; then an adoption, and newer releases.
///
/// Two shapes: words have the catalog's own ids, or the database chooses them and words are known
/// by their terms.
struct Installation {
  /// The values of a word by column; a sense has only `text`.
  typealias Cells = [String: String?]

  struct Edition {
    var words: [Int: Cells] = [:]
    var senses: [Int: (word: Int, text: String)] = [:]
  }

  /// A cell of the database, and whether the user wrote it.
  struct Cell: Equatable {
    var value: String?
    var isUsers = false
  }

  struct Word: Equatable {
    var cells: [String: Cell]
    var stars: Int?
  }

  struct Sense: Equatable {
    var word: Int
    var text: Cell
  }

  /// What the database has, by the catalog's ids; rows of the user's own are from 1,000 on.
  struct Content: Equatable {
    var words: [Int: Word] = [:]
    var senses: [Int: Sense] = [:]
  }

  static let columns = ["text", "note", "extra"]

  let hasChosenIDs: Bool
  /// Whether the database gives users' words ids that the catalog uses.
  let sharesIDs: Bool
  /// In the order of the releases.
  private(set) var editions: [Edition] = []
  /// The edition in which `extra` came.
  let extraSince: Int
  /// How many editions were shipped without Seedbed.
  let adopted: Int
  private(set) var content = Content()
  /// What was written to the database since it was made.
  private(set) var statements: [String] = []
  private var dice: Dice
  private var number = 0

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    hasChosenIDs = dice.below(2) == 0
    sharesIDs = dice.below(2) == 0 && !hasChosenIDs
    adopted = 1 + dice.below(5)
    extraSince = 1 + dice.below(adopted)
    for edition in 1...(adopted + dice.below(3)) { editions.append(next(edition)) }
  }

  // MARK: the editions

  private mutating func next(_ edition: Int) -> Edition {
    var next = editions.last ?? Edition()
    for id in next.words.keys.sorted() {
      if dice.below(8) == 0 {
        next.words[id] = nil
        next.senses = next.senses.filter { $0.value.word != id }
      } else {
        for column in columns(edition) where dice.below(4) == 0 {
          next.words[id]?[column] = value(column, id, edition)
        }
      }
    }
    for id in next.senses.keys.sorted() {
      switch dice.below(8) {
      case 0: next.senses[id] = nil
      case 1, 2: next.senses[id]?.text = "sense \(id) of \(edition)"
      default: break
      }
    }
    for id in next.words.keys where next.words[id]?["extra"] == nil && edition >= extraSince {
      next.words[id]?["extra"] = "0"
    }
    for index in 0..<(edition == 1 ? 4 : dice.below(3)) {
      let id = edition * 20 + index
      next.words[id] = [:]
      for column in columns(edition) { next.words[id]?[column] = value(column, id, edition) }
    }
    let words = next.words.keys.sorted()
    for index in 0..<(words.isEmpty ? 0 : dice.below(4)) {
      let id = edition * 20 + index
      next.senses[id] = (words[dice.below(words.count)], "sense \(id) of \(edition)")
    }
    return next
  }

  func columns(_ edition: Int) -> [String] {
    edition >= extraSince ? Self.columns : ["text", "note"]
  }

  private mutating func value(_ column: String, _ id: Int, _ edition: Int) -> String? {
    // Few values, so that editions agree in some columns.
    if column == "note", dice.below(3) == 0 { return nil }
    if column == "extra" { return "\(dice.below(3))" }
    return column == "text" ? "word \(id) of \(edition)" : "note \(dice.below(3))"
  }

  // MARK: the years before

  /// Plays the starts of programs and the user's doings.
  mutating func live() {
    let programs = (0..<(1 + dice.below(4))).map { _ in 1 + dice.below(adopted) }.sorted()
    let upserts = dice.below(3) == 0
    for program in programs {
      start(editions[program - 1], program, upserts: upserts)
      for _ in 0..<dice.below(8) { act() }
    }
  }

  private mutating func start(_ edition: Edition, _ number: Int, upserts: Bool) {
    for (id, cells) in edition.words.sorted(by: { $0.key < $1.key }) {
      let isNew = content.words[id] == nil
      guard isNew || upserts else { continue }
      if isNew {
        content.words[id] = Word(cells: ["extra": Cell(value: "0")])
        insertWord(id, cells)
      } else {
        set(cells, of: id)
      }
      for (column, value) in cells { content.words[id]?.cells[column] = Cell(value: value) }
    }
    for (id, sense) in edition.senses.sorted(by: { $0.key < $1.key }) {
      guard content.words[sense.word] != nil, content.senses[id] == nil || upserts else { continue }
      if content.senses[id] == nil {
        insertSense(id, sense.word, sense.text)
      } else {
        statements.append("UPDATE senses SET text = '\(sense.text)' WHERE \(isSense(id))")
      }
      content.senses[id] = Sense(word: sense.word, text: Cell(value: sense.text))
    }
  }

  private mutating func act() {
    number += 1
    let words = content.words.keys.sorted()
    let senses = content.senses.keys.sorted()
    switch dice.below(8) {
    case 0, 1, 2:
      guard !words.isEmpty else { return }
      let (id, column) = (words[dice.below(words.count)], Self.columns[dice.below(3)])
      let isEmpty = column == "note" && dice.below(4) == 0
      let value: String? = isEmpty ? "" : column == "extra" ? "\(1000 + number)" : "mine \(number)"
      content.words[id]?.cells[column] = Cell(value: value, isUsers: true)
      set([column: value], of: id)
    case 3:
      guard !words.isEmpty else { return }
      let id = words[dice.below(words.count)]
      content.words[id]?.stars = number
      statements.append("UPDATE words SET stars = \(number) WHERE \(isWord(id))")
    case 4:
      guard !words.isEmpty else { return }
      let id = words[dice.below(words.count)]
      for sense in content.senses.keys.sorted() where content.senses[sense]?.word == id {
        deleteSense(sense)
      }
      content.words[id] = nil
      statements.append("DELETE FROM words WHERE \(isWord(id))")
    case 5:
      guard !senses.isEmpty else { return }
      deleteSense(senses[dice.below(senses.count)])
    case 6:
      guard !senses.isEmpty else { return }
      let id = senses[dice.below(senses.count)]
      content.senses[id]?.text = Cell(value: "mine \(number)", isUsers: true)
      statements.append("UPDATE senses SET text = 'mine \(number)' WHERE \(isSense(id))")
    default:
      let coming = 20 * (1 + dice.below(adopted)) + dice.below(3)
      let isFree = sharesIDs && content.words[coming] == nil
      if dice.below(2) == 0 || words.isEmpty {
        // Users' words have ids that are to come, too.
        let id = isFree && dice.below(3) == 0 ? coming : 1000 + number
        insertWord(id, ["text": "mine \(number)", "note": nil, "extra": nil])
        content.words[id] = Word(cells: [
          "text": Cell(value: "mine \(number)", isUsers: true),
          "note": Cell(value: nil, isUsers: true), "extra": Cell(value: nil, isUsers: true),
        ])
      } else {
        let (id, word) = (1000 + number, words[dice.below(words.count)])
        insertSense(id, word, "mine \(number)")
        content.senses[id] = Sense(word: word, text: Cell(value: "mine \(number)", isUsers: true))
      }
    }
  }

  // MARK: its SQL

  private func isWord(_ id: Int) -> String { hasChosenIDs ? "term = 't\(id)'" : "id = \(id)" }

  private func isSense(_ id: Int) -> String { hasChosenIDs ? "nr = \(id)" : "id = \(id)" }

  private mutating func insertWord(_ id: Int, _ cells: Cells) {
    let names = cells.keys.sorted()
    let values = names.map { quoted(cells[$0] ?? nil) }
    let key = hasChosenIDs ? "term" : "id"
    statements.append(
      "INSERT INTO words (\(([key] + names).joined(separator: ", "))) VALUES "
        + "(\(([hasChosenIDs ? "'t\(id)'" : "\(id)"] + values).joined(separator: ", ")))")
  }

  private mutating func insertSense(_ id: Int, _ word: Int, _ text: String) {
    statements.append(
      hasChosenIDs
        ? "INSERT INTO senses (word_id, nr, text) SELECT id, \(id), '\(text)' FROM words "
          + "WHERE term = 't\(word)'"
        : "INSERT INTO senses (id, word_id, text) VALUES (\(id), \(word), '\(text)')")
  }

  private mutating func deleteSense(_ id: Int) {
    content.senses[id] = nil
    statements.append("DELETE FROM senses WHERE \(isSense(id))")
  }

  private mutating func set(_ cells: Cells, of id: Int) {
    let values = cells.sorted { $0.key < $1.key }.map { "\($0) = \(quoted($1))" }
    statements.append(
      "UPDATE words SET \(values.joined(separator: ", ")) WHERE \(isWord(id))")
  }

  private func quoted(_ value: String?) -> String { value.map { "'\($0)'" } ?? "NULL" }
}
