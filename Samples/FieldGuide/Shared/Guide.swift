import Foundation
import SQLite3
import Seedbed

/// The database in the app group's container, and what the app and its widget ask it.
nonisolated struct Guide: Sendable {
  static let group = "group.com.example.fieldguide"

  let database: URL
  let migrations: URL
  let migrator: Migrator

  /// - Parameter folder: the app group's; a test has one of its own.
  init(folder: URL) throws {
    guard let found = Self.bundle.url(forResource: "Migrations", withExtension: nil) else {
      throw GuideError("The app has no data. Install it again.")
    }
    migrations = found
    database = folder.appending(path: "guide.sqlite")
    var options = Migrator.Options()
    // A download may be ahead of what the app ships.
    options.allowsNewer = true
    options.backupsToKeep = 1
    migrator = try Migrator(catalog: Catalog(locked: found), at: database, options: options)
  }

  /// The one that the app and its widget share.
  static func shared() throws -> Guide {
    let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    guard let container else { throw GuideError("The app has no group '\(group)'.") }
    return try Guide(folder: container.appending(path: "Library/Application Support"))
  }

  /// The app's, in its widget too: that lies in the app's folder PlugIns.
  private static var bundle: Bundle {
    let own = Bundle.main.bundleURL
    guard own.pathExtension == "appex" else { return .main }
    return Bundle(url: own.deletingLastPathComponent().deletingLastPathComponent()) ?? .main
  }

  /// Only the app calls this: the widget does not write.
  func prepare() throws {
    try FileManager.default.createDirectory(
      at: database.deletingLastPathComponent(), withIntermediateDirectories: true)
    // In WAL mode a reader never waits for a release. If the device is locked now, the next start
    // tries again.
    _ = try? rows("PRAGMA journal_mode = WAL", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
  }

  struct Element: Identifiable, Sendable {
    let id: Int
    let symbol: String
    let name: String
    var title: String { "\(id) \(name)" }
  }

  func elements() throws -> [Element] {
    try rows("SELECT number, symbol, name FROM elements ORDER BY number", SQLITE_OPEN_READONLY)
      .map { Element(id: Int($0[0]) ?? 0, symbol: $0[1], name: $0[2]) }
  }

  func rename(_ element: Element, to name: String) throws {
    try rows(
      "UPDATE elements SET name = ? WHERE number = ?", SQLITE_OPEN_READWRITE, name,
      "\(element.id)")
  }

  /// Runs one statement on a connection of its own: one that stays open would hold a lock while
  /// iOS suspends the app.
  @discardableResult
  private func rows(_ sql: String, _ flags: Int32, _ values: String...) throws -> [[String]] {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    func failure() -> GuideError { GuideError(String(cString: sqlite3_errmsg(handle))) }
    guard sqlite3_open_v2(database.path, &handle, flags, nil) == SQLITE_OK else { throw failure() }
    sqlite3_busy_timeout(handle, 5000)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure() }
    // SQLITE_TRANSIENT: SQLite makes a copy.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      sqlite3_bind_text(statement, Int32(index + 1), value, -1, transient)
    }
    var rows: [[String]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        rows.append(
          (0..<sqlite3_column_count(statement)).map { column in
            sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
          })
      case SQLITE_DONE: return rows
      default: throw failure()
      }
    }
  }
}

nonisolated struct GuideError: LocalizedError {
  let errorDescription: String?

  init(_ sentence: String) { errorDescription = sentence }
}
