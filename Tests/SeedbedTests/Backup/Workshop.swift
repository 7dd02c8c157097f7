import CSeedbedSQLite
import Foundation
import Testing
import TestSupport

@testable import Seedbed

/// A folder of its own with one database, `app.sqlite`, that users write notes in.
final class Workshop: Sendable {
  let place: Place
  let database: String
  let ledger: Ledger

  init(_ name: String = "app.sqlite") throws {
    place = try Place()
    database = place.path + "/" + name
    ledger = try Ledger(prefix: "seedbed")
  }

  var folder: String { place.path }

  // MARK: the database

  /// Makes the database again: so many notes, at a version, in a journal mode.
  func make(
    _ mode: String = "delete", pageSize: Int = 4096, notes: Int = 100, version: Version = 2,
    at path: String? = nil
  ) throws {
    let path = path ?? database
    for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) }
    let connection = try Connection(path, .create, setup: nil)
    try connection.execute("PRAGMA page_size=\(pageSize)")
    try connection.execute("PRAGMA journal_mode=\(mode)")
    try connection.executeAll("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    try ledger.create(on: connection)
    for number in stride(from: 1, through: version, by: 1) { try apply(number, on: connection) }
    try write(notes: notes, on: connection)
  }

  func apply(_ version: Version, on connection: Connection) throws {
    let zeros = "sha256:" + String(repeating: "0", count: 64)
    try ledger.insert(
      AppliedMigration(
        version: version, name: "step", state: .applied, checksum: zeros, chain: zeros,
        appliedAt: Clock.timestamp(), durationMs: 1, counts: Migrator.Counts()), run: 1,
      on: connection)
  }

  func write(notes: Int, on connection: Connection) throws {
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
      INSERT INTO notes (text) SELECT hex(randomblob(40)) FROM n
      """, [Value(notes)])
  }

  /// A connection as an app has one.
  func open() throws -> Connection {
    try Connection(database, .readWrite, setup: nil, lockTimeoutSeconds: 1)
  }

  /// A file of bytes that are no database's.
  func damage(_ range: Range<Int>, of path: String? = nil) throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path ?? database))
    try file.seek(toOffset: UInt64(range.lowerBound))
    try file.write(contentsOf: Data(repeating: 0x67, count: range.count))
    try file.close()
  }

  // MARK: what is there

  /// The number of notes in a database that must be sound.
  func notes(_ path: String? = nil) throws -> Int64? {
    let connection = try Connection(path ?? database, .readWrite, setup: nil, lockTimeoutSeconds: 1)
    #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty)
    return try connection.value("SELECT count(*) FROM notes")?.integer
  }

  func journalMode() throws -> String { try open().journalMode() }

  func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// A comparison whose failure does not print two files.
  func hasBytes(_ expected: [UInt8], _ path: String? = nil) throws -> Bool {
    try bytes(path ?? database) == expected
  }

  /// Whether two files are the same but for what SQLite counts in their headers.
  func isCopy(_ path: String, of original: [UInt8]) throws -> Bool {
    func countless(_ bytes: [UInt8]) -> Data {
      var bytes = bytes
      for place in [24, 25, 26, 27, 92, 93, 94, 95] where place < bytes.count { bytes[place] = 0 }
      // Data compares in one call, where an array asks about each byte.
      return Data(bytes)
    }
    return countless(try bytes(path)) == countless(original)
  }

  // MARK: backups

  func store(_ chosen: String? = nil, failing: Fault? = nil, reaching: Reach? = nil) -> BackupStore
  {
    BackupStore(
      databasePath: database, folder: chosen, host: Host(failing: failing, reaching: reaching))
  }

  typealias Fault = @Sendable (SystemCall, String) -> Int32
  typealias Reach = @Sendable (Moment) -> Void

  /// Takes a backup as a run does: under the write lock, before anything is written.
  @discardableResult
  func take(
    _ store: BackupStore? = nil, version: Version = 2, cancellation: Migrator.Cancellation? = nil,
    progress: (Double) -> Void = { _ in }
  ) throws -> Migrator.Backup {
    let writer = try open()
    try writer.execute("BEGIN IMMEDIATE")
    defer { writer.rollBack() }
    return try (store ?? self.store()).take(
      version: version, cancellation: cancellation, progress: progress)
  }

  @discardableResult
  func restore(
    _ name: String? = nil, _ store: BackupStore? = nil, keep: Int = 2, timeout: Double = 1,
    cancellation: Migrator.Cancellation? = nil, progress: (Double) -> Void = { _ in }
  ) throws -> Migrator.RestoreReport {
    var store = store ?? self.store()
    store.lockTimeoutSeconds = timeout
    return try store.restore(
      name, ledger: ledger, keep: keep, cancellation: cancellation, progress: progress)
  }
}

/// The error that `body` throws, or nil.
func seedbedError(_ body: () throws -> Void) -> SeedbedError? {
  do {
    try body()
    return nil
  } catch {
    return SeedbedError.from(error)
  }
}
