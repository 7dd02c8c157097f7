import Foundation
import SeedbedAuthoring
import Testing
import TestSupport

@testable import Seedbed

/// A folder with a catalog and the database of one app, gone when the test is.
///
/// When it goes, the database is checked: whatever a test did, it must be sound.
final class Device {
  let place: Place
  var options = Migrator.Options()
  var host = Host.real
  /// Set where a test makes rows without their parents.
  var mayHoldOrphans = false
  /// Off where SQLite cannot check, since a declaration is broken.
  var isCheckedForForeignKeys = true
  /// Set where the file is not a database of ours at all.
  var isChecked = true

  var path: String { place.path }
  var database: String { path + "/app.sqlite" }
  var catalog: String { path + "/Migrations" }

  /// `files` go into the catalog: `["0001_a/up.sql": "CREATE TABLE …"]`. `app` is what the app
  /// did to its database before.
  init(_ files: [String: String] = [:], app: String? = nil) throws {
    place = try Place(["Migrations/": ""])
    try write(files)
    if let app { try run(app) }
  }

  deinit { if isChecked { checkDatabase() } }

  private func checkDatabase() {
    guard FileManager.default.fileExists(atPath: database) else { return }
    do {
      #expect(try rows("PRAGMA integrity_check") == ["ok"])
      if !mayHoldOrphans, isCheckedForForeignKeys {
        #expect(try rows("PRAGMA foreign_key_check") == [])
      }
    } catch {
      Issue.record("the database cannot be checked: \(error)")
    }
  }

  // MARK: the catalog

  func write(_ files: [String: String]) throws {
    for (file, text) in files { try place.write("Migrations/" + file, text) }
  }

  func write(_ file: String, _ bytes: [UInt8]) throws {
    try place.write("Migrations/" + file, bytes)
  }

  func remove(_ file: String) throws { try place.remove("Migrations/" + file) }

  func lock() throws { _ = try CatalogLock.write(directory: catalog) }

  // MARK: Seedbed at work

  func migrator(locked: Bool = false) throws -> Migrator {
    let catalog =
      try locked ? Catalog(locked: catalog, host: host) : Catalog(directory: catalog, host: host)
    var migrator = Migrator(catalog: catalog, at: database, options: options)
    migrator.host = host
    return migrator
  }

  @discardableResult
  func up(
    to version: Version? = nil, onTaken: Migrator.CollisionPolicy? = nil,
    cancellation: Migrator.Cancellation? = nil
  ) throws -> Migrator.Report {
    options.policies.onTaken = onTaken
    return try migrator().up(to: version, cancellation: cancellation)
  }

  /// The error of an `up` that must fail.
  func failure(
    to version: Version? = nil, onTaken: Migrator.CollisionPolicy? = nil,
    cancellation: Migrator.Cancellation? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SeedbedError {
    let error = #expect(throws: SeedbedError.self, sourceLocation: sourceLocation) {
      try up(to: version, onTaken: onTaken, cancellation: cancellation)
    }
    return try #require(error, sourceLocation: sourceLocation)
  }

  // MARK: the app at work

  /// A connection as an app opens it: nothing is set.
  func open(_ mode: Connection.Mode = .create) throws -> Connection {
    try Connection(database, mode, setup: nil)
  }

  /// Runs statements on the app's own connection.
  func run(_ sql: String) throws { try open().executeAll(sql) }

  /// The rows of a query, their values separated by bars.
  func rows(_ sql: String) throws -> [String] {
    try open().rows(sql).map { $0.map(\.plain).joined(separator: "|") }
  }

  /// All that the app can see: every table's definition and rows, the ledger apart.
  func dump() throws -> [String] {
    let tables = try rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'seedbed_*'
        AND name NOT GLOB 'sqlite_*' ORDER BY name
      """)
    var lines = try rows(
      """
      SELECT type, name, sql FROM sqlite_schema
      WHERE tbl_name NOT GLOB 'seedbed_*' AND name NOT GLOB 'sqlite_*' ORDER BY type, name
      """)
    for table in tables {
      lines += try rows("SELECT * FROM \(table.quoted)").sorted().map { "\(table): \($0)" }
    }
    return lines
  }
}

extension Value {
  /// As a test writes it down: text as it is, bytes in hexadecimal.
  var plain: String {
    func hex(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    return switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): number.description
    case .text(let text): text
    case .invalidText(let bytes): "text x'\(hex(bytes))'"
    case .blob(let bytes): "x'\(hex(bytes))'"
    }
  }
}

extension Migrator.Report {
  /// `1 elements +3 ~0 -0 =1 kept 1`, one line for each migration and table.
  var lines: [String] {
    migrations.flatMap { migration in
      migration.tables.map { "\(migration.version) \($0.table) \($0.counts.line)" }
    }
  }
}

extension Migrator.Counts {
  var line: String { "+\(inserted) ~\(updated) -\(deleted) =\(unchanged) kept \(kept)" }
}

extension Migrator.Conflict {
  /// All that can be known beforehand, in one line.
  var line: String {
    let sides = [("base", base?.json), ("mine", mine?.json), ("seed", seed?.json)]
      .compactMap { name, json in json.map { " \(name)=\($0)" } }.joined()
    return
      "\(version) \(table) \(key.json) \(kind.rawValue) \(policy ?? "-") \(resolution.rawValue)"
      + sides
  }
}

extension Device {
  func conflicts() throws -> [String] { try migrator().conflicts().map(\.line) }

  /// `version table key` of all keys that were left to the user.
  func leftToUser() throws -> [String] {
    try rows("SELECT version, table_name, key FROM seedbed_left_to_user ORDER BY 2, 3")
  }

  /// `version state inserted updated deleted unchanged kept` of each migration.
  func ledger() throws -> [String] {
    try rows(
      """
      SELECT version, state, inserted, updated, deleted, unchanged, kept FROM seedbed_migrations
      ORDER BY version
      """)
  }
}

extension Migrator {
  /// What `up` has before it, which must be something.
  func estimate() throws -> Estimate {
    guard case .pending(let estimate) = try outlook() else { throw NothingPending() }
    return estimate
  }

  struct NothingPending: Error {}
}
