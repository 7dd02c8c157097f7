@testable import Seedbed
import TestSupport

/// A user's device: a database, a sync engine made of triggers, and the app's loop of *Beside a sync
/// engine*.
///
/// The engine carries the columns that users set, with a logical time, and of two values keeps the
/// later one. It does not see what releases write. It carries no deletions: those are rows of the
/// app's table `removed`, and the app's decisions are rows of `decided`.
final class SyncedDevice {
  /// What the app and its engine do. Without one of them, devices end with different rows.
  struct Recipe: OptionSet {
    let rawValue: Int
    /// The app deletes what was deleted on another device.
    static let deletes = Recipe(rawValue: 1)
    /// The engine writes again what it has, and not only what is new.
    static let writesAgain = Recipe(rawValue: 2)
    /// The app makes rows the seed's again that are absent or left to the user, though nobody
    /// deleted or pinned them.
    static let takesBack = Recipe(rawValue: 4)
    /// The app lets a row have its reference after the row that it refers to came back.
    static let resolves = Recipe(rawValue: 8)
    /// The app sends all of a row that releases leave to the user here.
    static let sendsWhole = Recipe(rawValue: 16)
    /// The app pins what was pinned on another device.
    static let pins = Recipe(rawValue: 32)
    /// No trigger takes what the engine writes for the user's.
    static let knowsEngine = Recipe(rawValue: 64)
    static let all = Recipe(rawValue: 127)
  }

  static let tables: [(name: String, key: String, columns: [String])] = [
    ("topics", "id", ["name", "note"]), ("words", "word", ["gloss", "hint", "topic", "starred"]),
  ]

  let number: Int
  let place: Place
  let database: Device
  let recipe: Recipe
  /// The newest release that it has.
  private(set) var version: Int
  private let catalogs: [Catalog]
  /// The keys of each release's rows, with the names of their tables, parents first.
  let keys: [[[Cell]]]

  /// - Parameter other: a device with the first release, of which it begins as a copy.
  init(
    _ number: Int, _ catalogs: [Catalog], _ keys: [[[Cell]]], _ recipe: Recipe,
    copying other: SyncedDevice? = nil
  ) throws {
    (self.number, self.catalogs, self.keys, self.recipe) = (number, catalogs, keys, recipe)
    place = try Place(in: Place.memory)
    if let other { try place.write("app.sqlite", other.place.bytes("app.sqlite")) }
    database = try Device(place.path + "/app.sqlite")
    try database.run("PRAGMA foreign_keys = 1")
    version = 1
    if other == nil { _ = try migrator.up() }
    try database.run("DELETE FROM engine; INSERT INTO engine VALUES (\(number), 0, 0)")
  }

  var migrator: Migrator {
    var options = Migrator.Options()
    options.takesBackup = false
    return Migrator(
      catalog: catalogs[version - 1], at: place.path + "/app.sqlite", options: options)
  }

  func up(to version: Int) throws {
    self.version = version
    _ = try migrator.up()
    try settle()
  }

  // MARK: the app

  /// What the app does after each `up`, and after the engine brought something.
  func settle() throws {
    try tick()
    try write()
    try database.run("UPDATE engine SET writes = 1")
    if recipe.contains(.takesBack) { try takeBack() }
    if recipe.contains(.resolves) {
      let kinds: Set<Migrator.Conflict.Kind> = [.parentTaken, .parentDeleted]
      let open = try migrator.conflicts().filter { $0.settled == nil && kinds.contains($0.kind) }
      if !open.isEmpty { try migrator.resolve(open, with: .seed) }
    }
    if recipe.contains(.pins) { try pinAsDecided() }
    try write()
    try database.run("UPDATE engine SET writes = 0")
    if recipe.contains(.deletes) {
      for table in Self.tables.reversed() {
        try database.run(
          "DELETE FROM \(table.name) WHERE \(table.key) IN "
            + "(SELECT row FROM removed WHERE tbl = '\(table.name)')")
      }
    }
    if recipe.contains(.sendsWhole) { try sendWhole() }
  }

  /// Makes rows the seed's again that are absent or left to the user here, though nobody deleted
  /// or pinned them. An app asks `absent` for the former. This is quicker, since it plays no catalog.
  private func takeBack() throws {
    let left = try migrator.userOwnedKeys()
    let without = Set(try database.rows("SELECT tbl, row FROM removed")).union(names(left, true))
    let others = names(left, false)
    for row in keys[version - 1] where !without.contains(row) {
      let (table, key) = (row[0] == .text("words") ? "words" : "topics", row[1].sql)
      let column = table == "words" ? "word" : "id"
      let found = try database.rows("SELECT 1 FROM \(table) WHERE \(column) = \(key)")
      if !found.isEmpty, !others.contains(row) { continue }
      // Its parent may be gone.
      do { try reseed(row) } catch {
        guard error.code == .foreignKey || error.code == .constraint else { throw error }
      }
    }
  }

  private func reseed(_ row: [Cell]) throws(SeedbedError) {
    let isWord = row[0] == .text("words")
    _ = try migrator.reseed(
      [Migrator.Row([isWord ? "word" : "id"], [row[1].value])], in: isWord ? "words" : "topics")
  }

  private func pinAsDecided() throws {
    let decided = Set(try database.rows("SELECT tbl, row FROM decided"))
    let left = try migrator.userOwnedKeys()
    for pin in left where pin.isPinned && names([pin], true).isDisjoint(with: decided) {
      try migrator.unpin(pin.key, in: pin.table)
    }
    for row in decided.subtracting(names(left, true)).subtracting(names(left, false))
    where keys[version - 1].contains(row) {
      try pin(row)
    }
  }

  private func names(_ left: [Migrator.UserOwnedKey], _ arePinned: Bool) -> Set<[Cell]> {
    Set(left.filter { $0.isPinned == arePinned }.map { [.text($0.table), Cell($0.key.values[0])] })
  }

  private func pin(_ row: [Cell]) throws {
    guard case .text(let name) = row[0], let table = Self.tables.first(where: { $0.name == name })
    else { return }
    try migrator.pin(Migrator.Row([table.key], [row[1].value]), in: name)
  }

  /// Sets all columns of rows that releases leave to the user, to what they are.
  private func sendWhole() throws {
    for key in try migrator.userOwnedKeys() {
      guard let table = Self.tables.first(where: { $0.name == key.table }) else { continue }
      if !["editedRetired", "referenced", "pinned"].contains(key.reason) { continue }
      let sets = table.columns.map { "\($0) = \($0)" }.joined(separator: ", ")
      try database.run(
        "UPDATE \(table.name) SET \(sets) WHERE \(table.key) = \(Cell(key.key.values[0]).sql)")
    }
  }

  /// Brings a row back, as its user asks for.
  ///
  /// - Parameter isQueued: whether the engine carries it, as a row that its user inserts. Otherwise
  ///   later releases still change it.
  func bringBack(_ row: [Cell], isQueued: Bool) throws {
    try tick()
    _ = try? reseed(row)  // The row that it refers to may be gone.
    if isQueued { return }
    try database.run("DELETE FROM changes WHERE tbl = \(row[0].sql) AND row = \(row[1].sql)")
  }

  /// Pins a row, or takes that back, as its user asks for.
  func pin(_ row: [Cell], _ isPinned: Bool) throws {
    try tick()
    if isPinned {
      guard (try? pin(row)) != nil else { return }
      try database.run("INSERT OR IGNORE INTO decided VALUES (\(row[0].sql), \(row[1].sql))")
    } else {
      try database.run(
        "DELETE FROM decided WHERE tbl = \(row[0].sql) AND row = \(row[1].sql)")
    }
    try settle()
  }

  // MARK: what it has

  /// The time of what was done last, in the engine's order.
  func time() throws -> Int64 {
    let found = try database.rows("SELECT 10 * clock + device FROM engine")
    guard case .integer(let time) = found[0][0] else { return 0 }
    return time
  }

  /// The rows that were pinned, and that releases do not leave alone here.
  func unpinned() throws -> [[Cell]] {
    let owned = try migrator.userOwnedKeys()
    let left = names(owned, true).union(names(owned, false))
    return try database.rows("SELECT tbl, row FROM decided").filter {
      keys[version - 1].contains($0) && !left.contains($0)
    }
  }

  func state() throws -> [String] {
    let queries =
      Self.tables.map { "SELECT '\($0.name)', * FROM \($0.name)" } + [
        "SELECT 'removed', * FROM removed", "SELECT 'decided', * FROM decided",
        "SELECT 'change', tbl, row, col, value, clock, device FROM changes",
        "SELECT 'broken', * FROM pragma_foreign_key_check",
      ]
    return try queries.flatMap(database.rows).map { row in
      row.map(\.sql).joined(separator: " ")
    }.sorted()
  }
}

extension Cell {
  init(_ value: Value) {
    switch value {
    case .integer(let number): self = .integer(number)
    case .text(let text): self = .text(text)
    default: self = .null
    }
  }

  fileprivate var value: Value {
    switch self {
    case .integer(let number): .integer(number)
    case .text(let text): .text(text)
    default: .null
    }
  }
}
