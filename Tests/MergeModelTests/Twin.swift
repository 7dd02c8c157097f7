import Seedbed

/// A database that a history is played on.
protocol Database: AnyObject {
  func run(_ sql: String) throws
  /// What breaks a rule is not done, as in an app that shows an error.
  func attempt(_ sql: String) -> Bool
  func rows(_ sql: String) throws -> [[Cell]]
  /// Whether there is such a table.
  func has(_ table: String) throws -> Bool
}

extension Database {
  func rows(of shape: Shape) throws -> [[[Cell]]] {
    try shape.tables.map { try rows("SELECT \($0.names) FROM \($0.name)") }
  }
}

/// A database of another engine, on which a history is played statement by statement beside that
/// of SQLite's.
protocol Twin: Database {
  /// Removes all that is there.
  func empty() throws
  /// The tables in its SQL.
  func sql(_ shape: Shape) -> String
  func migrator(_ catalog: Catalog, _ options: Migrator.Options) throws -> Migrator
  /// The last id that it chose, or was said to have chosen.
  func lastID(of table: String) throws -> Int64
  func setLastID(of table: String, _ id: Int64) throws
}

/// What may be part of a history.
struct Features: OptionSet, Sendable {
  var rawValue: Int

  static let references = Features(rawValue: 1)
  /// References by natural key.
  static let names = Features(rawValue: 2)
  /// Numbers that the database chooses for rows of the seed.
  static let numbers = Features(rawValue: 4)
  static let keyChanges = Features(rawValue: 8)
  static let moves = Features(rawValue: 16)
  static let down = Features(rawValue: 32)

  /// Foreign keys that the twin checks after each statement.
  static let plainKeys = Features(rawValue: 64)
  /// Tables and columns that get other names.
  static let newNames = Features(rawValue: 128)
  /// Releases that are downloads, beside copies that are no good.
  static let downloads = Features(rawValue: 256)

  static let all: Features = [
    .references, .names, .numbers, .keyChanges, .moves, .down, .plainKeys, .newNames,
    .downloads,
  ]
}

extension Shape {
  /// Without what SQLite alone has, and without what is not to be part of the history.
  mutating func limit(to features: Features) {
    for table in tables.indices {
      tables[table].isWithoutRowid = false
      // Another engine chooses no ids unless it is asked to.
      if tables[table].isRowid { tables[table].isAutoincrement = true }
      for column in tables[table].columns.indices {
        tables[table].columns[column].ignoresCase = false
        let spelling = tables[table].columns[column].spelling
        if ["FALSE", "draft", "\"draft\""].contains(spelling) {
          tables[table].columns[column].spelling = nil
        }
      }
      if features.contains(.plainKeys) {
        let keys = tables.map(\.key)
        // A row that goes as well would get the DEFAULT first, which may refer to nothing; and for
        // tables or files that refer to each other there is no order.
        tables[table].foreignKeys.removeAll {
          $0.parentColumns != keys[$0.parent] || $0.action.contains("SET DEFAULT")
            || $0.parent > table
        }
        tables[table].isSplit = !tables[table].foreignKeys.contains { $0.parent == table }
      }
      if !features.contains(.references) { tables[table].foreignKeys = [] }
    }
    let parents = tables.map { $0.foreignKeys.map(\.parent) }
    for table in tables.indices {
      tables[table].disposable.removeAll { !parents[$0].contains(table) }
    }
  }
}

extension Policy {
  func limited(to features: Features) -> Policy {
    var policy = self
    if !features.contains(.moves), onTaken == "moveUser" { policy.onTaken = "keepUser" }
    return policy
  }
}

// MARK: playing on both

extension History {
  /// All that the history is played on.
  var databases: [any Database] { [bench.device] + (bench.twin.map { [$0] } ?? []) }

  /// What one engine refuses, or does otherwise, is done on neither.
  func attempt(_ sql: String) throws -> Bool {
    guard let twin = bench.twin else { return bench.device.attempt(sql) }
    try alignIDs(twin)
    for database in databases { try database.run("SAVEPOINT attempt") }
    var isDone = databases.allSatisfy { $0.attempt(sql) }
    if isDone { isDone = try haveSameRows(twin) }
    for database in databases {
      if !isDone { try database.run("ROLLBACK TO SAVEPOINT attempt") }
      try database.run("RELEASE SAVEPOINT attempt")
    }
    return isDone
  }

  private func haveSameRows(_ twin: any Twin) throws -> Bool {
    let sorted = { (rows: [[[Cell]]]) in rows.map { $0.map { "\($0)" }.sorted() } }
    return try sorted(bench.device.rows(of: shape)) == sorted(twin.rows(of: shape))
  }

  /// What waited for the end may be refused there.
  func commit() throws {
    if let twin = bench.twin, !twin.attempt("SET CONSTRAINTS ALL IMMEDIATE") {
      return try rollBack()
    }
    if !bench.device.attempt("COMMIT") { return try rollBack() }
    try bench.twin?.run("COMMIT")
  }

  private func rollBack() throws {
    for database in databases { try database.run("ROLLBACK") }
  }

  /// The next ids are the same ones.
  func alignIDs(_ twin: any Twin) throws {
    for table in shape.tables where table.isAutoincrement {
      try twin.setLastID(of: table.name, try lastID(of: table))
    }
  }

  func lastID(of table: TableShape) throws -> Int64 {
    let sql = "SELECT max(seq) FROM sqlite_sequence WHERE name = '\(table.name)'"
    guard case .integer(let id)? = try bench.device.rows(sql).first?.first else { return 0 }
    return id
  }

  /// A twin's next id is above those that the seed has brought, too.
  func compareIDs() throws {
    guard let twin = bench.twin else { return }
    for table in shape.tables where table.isAutoincrement {
      let (last, expected) = try (twin.lastID(of: table.name), lastID(of: table))
      if last < expected {
        throw disagreement("ids of \(table.name): the last was \(last), on SQLite \(expected)")
      }
    }
  }
}
