import TestSupport

@testable import Seedbed

/// A base and two packs, whose releases and whose user's acts are three sequences. Each sequence
/// keeps its order; between them there is none.
///
/// What no order can make equal is left out: the user and the base leave alone what packs refer to.
struct PackLaw {
  enum Act {
    case up(Version), remove
    case user(String)
  }

  /// The base's, and that of each pack.
  private(set) var sequences: [[Act]] = []
  private(set) var catalogs: [[String: String]] = []
  private var dice: Dice
  /// How many rows both packs have: with any, they are not disjoint.
  private let shared: Int

  private static let names = ["base", "a", "b"]

  init(seed: UInt64, sharing shared: Int = 0) {
    (dice, self.shared) = (Dice(seed: seed), shared)
    for index in Self.names.indices {
      var files = ["catalog.json": options(index)]
      var rows: [String: String] = [:]
      for version in 1...3 { release(version, of: index, &rows, &files) }
      catalogs.append(files)
      sequences.append(acts(index))
    }
  }

  private func options(_ index: Int) -> String {
    let key = #""tables": {"words": {"key": ["word"]}}"#
    if index == 0 { return "{\(key)}" }
    return #"{"name": "\#(Self.names[index])", "requires": {"base": 1}, \#(key)}"#
  }

  // MARK: releases

  private mutating func release(
    _ version: Int, of index: Int, _ rows: inout [String: String], _ files: inout [String: String]
  ) {
    let (name, folder) = (Self.names[index], "\(version)_release")
    if index == 0, version == 1 {
      files["\(folder)/up.sql"] = """
        CREATE TABLE topics (code TEXT PRIMARY KEY NOT NULL);
        CREATE TABLE words (
          id INTEGER PRIMARY KEY AUTOINCREMENT, word TEXT NOT NULL UNIQUE,
          topic TEXT NOT NULL REFERENCES topics, gloss TEXT);
        CREATE INDEX words_of_a_topic ON words (topic);
        """
      files["\(folder)/topics.csv"] = "code\nt1\nt2\n"
    }
    var inserts = ["word,topic,gloss"]
    var updates = ["word,was:gloss,gloss"]
    var deletes = ["word,topic,gloss"]
    for number in 1...6 {
      let isShared = index > 0 && number <= shared
      let word = isShared ? "both\(number)" : "\(name)\(number)"
      let gloss = "\(name) \(version).\(number)"
      if let old = rows[word] {
        switch dice.below(3) {
        case 0:
          updates.append("\(word),\(old),\(gloss)")
          rows[word] = gloss
        case 1 where version == 3:
          deletes.append("\(word),t\(number % 2 + 1),\(old)")
          rows[word] = nil
        default: break
        }
      } else if version == 1 ? number < 5 : version == 2 {
        inserts.append("\(word),t\(number % 2 + 1),\(gloss)")
        rows[word] = gloss
      }
    }
    for (kind, lines) in [("", inserts), (".update", updates), (".delete", deletes)]
    where lines.count > 1 {
      files["\(folder)/words\(kind).csv"] = lines.joined(separator: "\n") + "\n"
    }
    let isEmpty = !files.keys.contains { $0.hasPrefix(folder) }
    // A release of which nothing is left still has its number, and can be undone.
    if isEmpty { for name in ["up", "down"] { files["\(folder)/\(name).sql"] = "SELECT 1;" } }
  }

  // MARK: acts

  private mutating func acts(_ index: Int) -> [Act] {
    var acts: [Act] = [.up(1)]
    for version in 2...3 {
      for _ in 0..<dice.below(4) { acts.append(.user(user(index))) }
      acts.append(.up(Version(version)))
      if index > 0, dice.below(3) == 0 {
        acts += [.remove, .user(user(index)), .up(Version(version))]
      }
    }
    if index > 0, dice.below(3) == 0 { acts.append(.remove) }
    return acts
  }

  private mutating func user(_ index: Int) -> String {
    let word = "\(Self.names[index])\(1 + dice.below(6))"
    switch dice.below(4) {
    case 0: return "DELETE FROM words WHERE word = '\(word)'"
    case 1:
      // A later release may want the key.
      return "INSERT OR IGNORE INTO words (word, topic, gloss) VALUES ('\(word)', 't1', 'mine')"
    default: return "UPDATE words SET gloss = 'my \(word)' WHERE word = '\(word)'"
    }
  }

  /// Some order of all acts. The base's first release comes first.
  mutating func order() -> [(catalog: Int, act: Act)] {
    var rest = sequences.map { $0[...] }
    var order = [(catalog: 0, act: rest[0].removeFirst())]
    while rest.contains(where: { !$0.isEmpty }) {
      let next = dice.pick(rest.indices.filter { !rest[$0].isEmpty })
      order.append((next, rest[next].removeFirst()))
    }
    return order
  }

  /// Every order of the first acts of each sequence.
  func orders(of counts: [Int]) -> [[(catalog: Int, act: Act)]] {
    func orders(_ rest: [ArraySlice<Act>]) -> [[(catalog: Int, act: Act)]] {
      if rest.allSatisfy(\.isEmpty) { return [[]] }
      return rest.indices.filter { !rest[$0].isEmpty }.flatMap { next in
        var left = rest
        let act = left[next].removeFirst()
        return orders(left).map { [(next, act)] + $0 }
      }
    }
    var rest = zip(sequences, counts).map { $0.prefix($1) }
    let first = rest[0].removeFirst()
    return orders(rest).map { [(0, first)] + $0 }
  }

  /// All rows, conflicts and keys left to the user after the acts, in one order.
  func end(_ order: [(catalog: Int, act: Act)]) throws -> [String] {
    let place = try Place(in: Place.memory)
    let path = place.path + "/app.sqlite"
    let all = try catalogs.map { try Catalog(files: $0.mapValues { Array($0.utf8) }) }
    var options = Migrator.Options()
    options.takesBackup = false
    let base = try Migrator(
      catalog: all[0].beside(Array(all.dropFirst())), at: path, options: options)
    let migrators = [base] + (try Self.names.dropFirst().map { try base.pack($0) })
    for (catalog, act) in order {
      switch act {
      case .up(let version): try migrators[catalog].up(to: version)
      case .remove: try migrators[catalog].down(to: 0)
      case .user(let sql):
        let session = try Connection(path, .readWrite, setup: nil)
        try session.executeAll("PRAGMA foreign_keys = ON; \(sql)")
      }
    }
    let session = try Connection(path, .readOnly, setup: nil)
    let rows = try session.rows("SELECT word, topic, gloss FROM words ORDER BY word")
    let packs = try base.packs().map { "\($0)" }
    return try rows.map { "\($0)" } + packs
      + migrators.flatMap { migrator in
        try migrator.conflicts().map { "\($0.version) \($0.key.json) \($0.kind)" }.sorted()
          + migrator.userOwnedKeys().map { "\($0)" }.sorted()
      }
  }
}
