@testable import Seedbed
import TestSupport

/// A user's device: a database, a sync engine made of triggers, and the app of the page *Beside a
/// sync engine*.
///
/// The engine carries the columns that users set, with a logical time, and of two values keeps the
/// later one. It does not see what releases write, and carries no deletions: these are rows of the
/// app's table `removed`. Pins are rows of `decided`.
final class SyncedDevice {
  /// What the app and its engine do. Without one of them, devices end with different rows.
  struct Recipe: OptionSet {
    let rawValue: Int
    /// The app deletes what was deleted on another device.
    static let deletes = Recipe(rawValue: 1)
    /// The engine writes again what it has, and not only what is new.
    static let writesAgain = Recipe(rawValue: 2)
    /// The app makes rows the seed's again that are absent or left to the user, though no user
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
  /// Whether it does what the page says to the letter.
  let asksCatalog: Bool

  /// - Parameter other: a device with the first release, of which it begins as a copy.
  init(
    _ number: Int, _ catalogs: [Catalog], _ keys: [[[Cell]]], _ recipe: Recipe,
    copying other: SyncedDevice? = nil, asksCatalog: Bool = false
  ) throws {
    (self.number, self.catalogs, self.keys, self.recipe) = (number, catalogs, keys, recipe)
    self.asksCatalog = asksCatalog
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
    for table in Self.tables {
      try settle(
        table.name, removed: rows("removed", of: table), pinned: rows("decided", of: table))
    }
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

  /// The page's function, for any of the tables.
  private func settle(
    _ table: String, removed: Set<Migrator.Row>, pinned: Set<Migrator.Row>
  ) throws {
    let left = try migrator.userOwnedKeys().filter { $0.table == table }
    let pins = Set(left.filter(\.isPinned).map(\.key))
    let others = Set(left.map(\.key) + (try absent(from: table)))
    for key in others.subtracting(pins).subtracting(removed)
    where recipe.contains(.takesBack) && isWorthTrying(key) {
      _ = try? migrator.reseed([key], in: table)  // The catalog, or its parent, may not be there.
    }
    let waiting = try migrator.conflicts().filter {
      $0.settled == nil && [.parentDeleted, .parentTaken].contains($0.kind)
    }
    if !waiting.isEmpty, recipe.contains(.resolves) {
      try migrator.resolve(waiting, with: .seed)
    }
    if !recipe.contains(.pins) { return }
    for key in pins.subtracting(pinned) { try migrator.unpin(key, in: table) }
    for key in pinned.subtracting(pins)
    where isWorthTrying(key) && (asksCatalog || !left.contains { $0.key == key }) {
      try? migrator.pin(key, in: table)  // It may be the user's anyway.
    }
  }

  /// Each call plays the catalog, which takes longer than all else. The law knows what is in it.
  private func absent(from table: String) throws -> [Migrator.Row] {
    if asksCatalog { return try migrator.absent(from: table).map(\.key) }
    let there = try Set(Self.tables.flatMap { try rows($0.name, of: $0) })
    return keys[version - 1].filter { $0[0] == .text(table) }.map(Self.row)
      .filter { !there.contains($0) }
  }

  private func isWorthTrying(_ key: Migrator.Row) -> Bool {
    asksCatalog || keys[version - 1].contains { Self.row($0) == key }
  }

  /// The keys of a table's rows, or of those that `removed` or `decided` has.
  private func rows(
    _ list: String, of table: (name: String, key: String, columns: [String])
  ) throws -> Set<Migrator.Row> {
    let found = try database.rows(
      list == table.name
        ? "SELECT '\(list)', \(table.key) FROM \(list)"
        : "SELECT tbl, row FROM \(list) WHERE tbl = '\(table.name)'")
    return Set(found.map(Self.row))
  }

  /// By the names of the table and of its key.
  private static func row(_ name: [Cell]) -> Migrator.Row {
    Migrator.Row([name[0] == .text("words") ? "word" : "id"], [name[1].value])
  }

  private static func table(_ name: [Cell]) -> String {
    name[0] == .text("words") ? "words" : "topics"
  }

  private func sendWhole() throws {
    for key in try migrator.userOwnedKeys() {
      if !["editedRetired", "referenced", "pinned"].contains(key.reason) { continue }
      try sendWhole(key.table, Cell(key.key.values[0]))
    }
  }

  /// Sets all columns of a row to what they are.
  func sendWhole(_ name: String, _ key: Cell) throws {
    guard let table = Self.tables.first(where: { $0.name == name }) else { return }
    let sets = table.columns.map { "\($0) = \($0)" }.joined(separator: ", ")
    try database.run("UPDATE \(name) SET \(sets) WHERE \(table.key) = \(key.sql)")
  }

  /// Brings a row back, as its user asks for.
  ///
  /// - Parameter isQueued: whether the engine carries it, as a row that its user inserts. Otherwise
  ///   later releases still change it.
  func bringBack(_ row: [Cell], isQueued: Bool) throws {
    try tick()
    // The row that it refers to may be gone.
    _ = try? migrator.reseed([Self.row(row)], in: Self.table(row))
    if isQueued { return }
    try database.run("DELETE FROM changes WHERE tbl = \(row[0].sql) AND row = \(row[1].sql)")
  }

  /// Pins a row, or takes that back, as its user asks for.
  func pin(_ row: [Cell], _ isPinned: Bool) throws {
    try tick()
    if isPinned {
      guard (try? migrator.pin(Self.row(row), in: Self.table(row))) != nil else { return }
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
  func unpinned() throws -> [Migrator.Row] {
    let left = Set(try migrator.userOwnedKeys().map(\.key))
    let decided = try Self.tables.flatMap { try rows("decided", of: $0) }
    return decided.filter { row in
      keys[version - 1].contains { Self.row($0) == row } && !left.contains(row)
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
