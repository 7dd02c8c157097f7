import TestSupport

@testable import Seedbed

/// A database of edition 1, adopted at N, ends as if it had been adopted at 1 and brought up by the
/// releases 2 to N. No model knows a rule here: both ends are the engine's.
struct AdoptionLaw {
  /// How words are known.
  enum Keys: CaseIterable {
    /// By ids of the catalog, which users' rows share.
    case ids
    /// By a text that is the primary key.
    case terms
    /// By a text beside ids that each database chooses.
    case chosen
  }

  private typealias Cells = [String: String?]

  private struct Edition {
    /// By an identity that lasts: the key, and the cells.
    var words: [Int: (key: String, cells: Cells)] = [:]
    var senses: [Int: (word: Int, number: Int, cells: Cells)] = [:]
  }

  let keys: Keys
  /// Whether a sense's key holds the word's.
  private let hasCompositeKeys: Bool
  private let onDelete: String
  private var dice: Dice
  private var editions: [Edition] = []
  private var number = 0
  private(set) var files: [String: String] = [:]
  private(set) var statements: [String] = []

  init(seed: UInt64) {
    dice = Dice(seed: seed)
    keys = dice.pick(Keys.allCases)
    hasCompositeKeys = dice.below(2) == 0
    onDelete = dice.pick(["", " ON DELETE CASCADE", " ON DELETE SET NULL", " ON DELETE RESTRICT"])
    files["catalog.json"] = options
    editions.append(first())
    write(Edition(), editions[0], folder: "1_first")
    files["1_first/up.sql"] = tables
    for edition in 2...(2 + dice.below(4)) { next(edition) }
    live()
  }

  var last: Version { Version(editions.count) }

  // MARK: tables

  private var key: String { keys == .ids ? "id" : "term" }
  private var optional: String {
    hasCompositeKeys || onDelete != " ON DELETE SET NULL" ? " NOT NULL" : ""
  }

  var tables: String {
    let type = keys == .terms ? "TEXT" : "INTEGER"
    let id = [
      Keys.ids: "id INTEGER PRIMARY KEY", .terms: "term TEXT PRIMARY KEY NOT NULL",
      .chosen: "id INTEGER PRIMARY KEY AUTOINCREMENT, term TEXT NOT NULL UNIQUE",
    ]
    let own = hasCompositeKeys ? "" : "id INTEGER PRIMARY KEY, "
    let unique = hasCompositeKeys ? ", PRIMARY KEY (word, nr)" : ""
    return """
      CREATE TABLE words (\(id[keys, default: ""]), a TEXT, b TEXT, c TEXT, u TEXT UNIQUE,
        note TEXT);
      CREATE TABLE senses (\(own)word \(type)\(optional) REFERENCES words\(onDelete), nr INTEGER,
        x TEXT, y TEXT, z TEXT\(unique));
      CREATE TABLE mine (word \(type) REFERENCES words, text TEXT);

      """
  }

  private var options: String {
    let words = keys == .chosen ? #""words": {"key": ["term"]}"# : ""
    return #"{"tables": {\#(words)}}"#
  }

  // MARK: editions

  private mutating func value() -> String? {
    number += 1
    return dice.below(4) == 0 ? "same \(dice.below(3))" : "value \(number)"
  }

  /// Many words have the same, and users' words, too.
  private mutating func unit() -> String { "same \(dice.below(3))" }

  private mutating func word(_ key: String) -> (key: String, cells: Cells) {
    number += 1
    return (key, ["a": value(), "b": value(), "c": unit(), "u": "unique \(number)"])
  }

  private mutating func sense(_ word: Int) -> (word: Int, number: Int, cells: Cells) {
    number += 1
    return (word, number, ["x": value(), "y": value(), "z": value()])
  }

  private func name(_ number: Int) -> String { keys == .ids ? "\(number)" : "t\(number)" }

  private mutating func first() -> Edition {
    var edition = Edition()
    for id in 1...10 { edition.words[id] = word(name(id)) }
    for id in 1...10 { edition.senses[id] = sense(1 + dice.below(9)) }
    return edition
  }

  private mutating func next(_ number: Int) {
    let before = editions[number - 2]
    var edition = before
    if dice.below(2) == 0 { changeKeys(&edition) } else { changeRows(&edition, number) }
    editions.append(edition)
    let folder = "\(number)_next"
    write(before, edition, folder: folder)
    // A release of which nothing is left still has its number.
    let isEmpty = !files.keys.contains { $0.hasPrefix(folder) }
    if isEmpty { files[folder + "/up.sql"] = "SELECT 1;" }
  }

  /// Two words exchange their keys, or one gets another.
  private mutating func changeKeys(_ edition: inout Edition) {
    let ids = edition.words.keys.sorted()
    let used = Set(edition.words.values.map(\.key))
    let (one, other) = (dice.pick(ids), dice.pick(ids))
    guard let first = edition.words[one], let second = edition.words[other] else { return }
    if dice.below(2) == 0, one != other {
      edition.words[one]?.key = second.key
      edition.words[other]?.key = first.key
    } else {
      let free = (1...40).map(name).filter { !used.contains($0) }
      edition.words[one]?.key = dice.pick(free)
    }
    if dice.below(2) == 0 { edition.words[one]?.cells["a"] = value() }
  }

  private mutating func changeRows(_ edition: inout Edition, _ number: Int) {
    for id in edition.words.keys.sorted() where dice.below(3) == 0 {
      for column in ["a", "b", "c"] where dice.below(2) == 0 {
        edition.words[id]?.cells[column] = column == "c" ? unit() : value()
      }
    }
    let ids = edition.words.keys.sorted()
    if dice.below(3) == 0 {
      let (one, other) = (dice.pick(ids), dice.pick(ids))
      let (first, second) = (edition.words[one]?.cells["u"], edition.words[other]?.cells["u"])
      edition.words[one]?.cells["u"] = second
      edition.words[other]?.cells["u"] = first
    }
    for _ in 0..<dice.below(3) {
      let id = dice.pick(ids)
      edition.words[id] = nil
      edition.senses = edition.senses.filter { $0.value.word != id }
    }
    let used = Set(edition.words.values.map(\.key)).union(
      editions[number - 2].words.values.map(\.key))
    let free = (1...40).map(name).filter { !used.contains($0) }
    for index in 0..<dice.below(4) {
      edition.words[number * 100 + index] = word(free[dice.below(free.count / 4) * 4 + index])
    }
    let parents = edition.words.keys.sorted()
    for id in edition.senses.keys.sorted() where dice.below(4) == 0 {
      edition.senses[id]?.cells[dice.pick(["x", "y", "z"])] = value()
      if !hasCompositeKeys, dice.below(2) == 0 { edition.senses[id]?.word = dice.pick(parents) }
    }
    for index in 0..<dice.below(4) {
      edition.senses[number * 100 + index] = sense(dice.pick(parents))
    }
  }

  // MARK: its files

  private mutating func write(_ before: Edition, _ after: Edition, folder: String) {
    func put(_ name: String, _ header: [String], _ rows: [[String?]]) {
      if rows.isEmpty { return }
      let lines = [header.map { $0 }] + rows.map { $0.map { $0 ?? "" } }
      files["\(folder)/\(name).csv"] = lines.map { $0.joined(separator: ",") + "\n" }.joined()
    }
    let columns = ["a", "b", "c", "u"]
    func row(_ word: (key: String, cells: Cells)) -> [String?] {
      [word.key] + columns.map { word.cells[$0] ?? nil }
    }
    let words = Set(before.words.keys).union(after.words.keys).sorted()
    put(
      "words", [key] + columns,
      words.filter { before.words[$0] == nil }.compactMap { after.words[$0].map(row) })
    put(
      "words.delete", [key] + columns,
      words.filter { after.words[$0] == nil }.compactMap { before.words[$0].map(row) })
    let both = words.compactMap { id in
      before.words[id].flatMap { old in after.words[id].map { (old, $0) } }
    }
    let changed = both.filter { old, new in row(old) != row(new) }
    let isRekeyed = changed.contains { $0.key != $1.key }
    put(
      "words.update",
      [key] + columns + (isRekeyed ? ["was:\(key)"] : []) + columns.map { "was:\($0)" },
      changed.map { old, new in row(new) + (isRekeyed ? [old.key] : []) + row(old).dropFirst() })
    let cells = ["x", "y", "z"]
    let word = keys == .chosen ? "word:words.term" : "word"
    let own = hasCompositeKeys ? [word, "nr"] : ["id", word, "nr"]
    func ids(_ id: Int, _ sense: (word: Int, number: Int, cells: Cells), _ edition: Edition)
      -> [String?]
    {
      (hasCompositeKeys ? [] : ["\(id)"]) + [edition.words[sense.word]?.key, "\(sense.number)"]
    }
    let senses = Set(before.senses.keys).union(after.senses.keys).sorted()
    put(
      "senses", own + cells,
      senses.filter { before.senses[$0] == nil }.compactMap { id in
        after.senses[id].map { sense in ids(id, sense, after) + cells.map { sense.cells[$0] ?? nil }
        }
      })
    put(
      "senses.delete", own + cells,
      senses.filter { after.senses[$0] == nil }.compactMap { id in
        before.senses[id].map { sense in
          ids(id, sense, before) + cells.map { sense.cells[$0] ?? nil }
        }
      })
    if changed.contains(where: { $0.key != $1.key }) { return }
    let pairs = senses.compactMap { id in
      before.senses[id].flatMap { old in after.senses[id].map { (id, old, $0) } }
    }.filter { _, old, new in old.word != new.word || old.cells != new.cells }
    let moves = hasCompositeKeys ? [] : [word]
    put(
      "senses.update",
      (hasCompositeKeys ? own : ["id"] + moves) + cells + (moves + cells).map { "was:\($0)" },
      pairs.map { id, old, new in
        let (before, after) = (ids(id, old, before), ids(id, new, after))
        return (hasCompositeKeys ? after : Array(after.prefix(2)))
          + cells.map { new.cells[$0] ?? nil }
          + (hasCompositeKeys ? [] : [before[1]]) + cells.map { old.cells[$0] ?? nil }
      })
  }

  // MARK: the user

  private mutating func live() {
    let edition = editions[0]
    func quoted(_ value: String?) -> String { value.map { "'\($0)'" } ?? "NULL" }
    func word(_ id: Int) -> String {
      let key = edition.words[id]?.key ?? ""
      return keys == .chosen ? "(SELECT id FROM words WHERE term = '\(key)')" : quoted(key)
    }
    // Ids that this database chose are others than the scratch database's.
    for (id, row) in edition.words.sorted(by: { $0.key > $1.key }) {
      let values = ["a", "b", "c", "u"].map { quoted(row.cells[$0] ?? nil) }.joined(separator: ", ")
      statements.append("INSERT INTO words (\(key), a, b, c, u) VALUES ('\(row.key)', \(values))")
      if dice.below(4) == 0 {
        statements.append("INSERT INTO mine VALUES (\(word(id)), 'of \(id)')")
      }
    }
    for (id, row) in edition.senses.sorted(by: { $0.key < $1.key }) {
      let values = ["x", "y", "z"].map { quoted(row.cells[$0] ?? nil) }.joined(separator: ", ")
      let (name, own) = hasCompositeKeys ? ("", "") : ("id, ", "\(id), ")
      statements.append(
        "INSERT INTO senses (\(name)word, nr, x, y, z) "
          + "VALUES (\(own)\(word(row.word)), \(row.number), \(values))"
      )
    }
    let ids = edition.words.keys.sorted()
    for _ in 0..<dice.below(3) {
      let (id, column) = (dice.pick(ids), dice.pick(["a", "b", "c", "note"]))
      statements.append(
        "UPDATE words SET \(column) = 'mine \(dice.below(1000))' "
          + "WHERE \(key) = '\(edition.words[id]?.key ?? "")'"
      )
    }
    if dice.below(2) == 0 {
      statements.append(
        "UPDATE senses SET y = 'mine' "
          + "WHERE nr = \(edition.senses[dice.pick([1, 2, 3])]?.number ?? 0)"
      )
    }
    if dice.below(2) == 0 {
      let deleted = edition.senses[dice.pick([4, 5, 6])]?.number ?? 0
      statements.append("DELETE FROM senses WHERE nr = \(deleted)")
    }
    // No sense refers to the last word.
    if dice.below(2) == 0 {
      statements.append(
        "DELETE FROM words WHERE \(key) = '\(name(10))' "
          + "AND NOT EXISTS (SELECT 1 FROM mine WHERE word = \(word(10)))"
      )
    }
    if keys == .ids {
      for _ in 0..<dice.below(4) {
        let id = dice.pick([11, 12, 15, 20, 30, 1000]) + dice.below(3)
        statements.append(
          "INSERT OR IGNORE INTO words (id, a, b, c, u) "
            + "VALUES (\(id), 'own', 'own \(id)', 'same 1', 'own \(id)')"
        )
        statements.append("INSERT INTO mine VALUES (\(id), 'of my own \(id)')")
      }
    }
  }
}
