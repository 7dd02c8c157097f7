import CSeedbedSQLite
import Foundation
import Testing

@testable import Seedbed

/// A device that is locked keeps files from its apps: try later, nothing is wrong.
struct ProtectionTests {
  struct Case: CustomTestStringConvertible {
    var code: Int32
    var number: Int32
    /// The code on a system that locks files, and on others.
    var locking: SeedbedError.Code
    var other: SeedbedError.Code

    var testDescription: String { "SQLite's \(code) with the system's \(number)" }
  }

  static let cases = [
    Case(code: SQLITE_IOERR | (1 << 8), number: EPERM, locking: .protected, other: .protected),
    Case(code: SQLITE_CANTOPEN, number: EPERM, locking: .protected, other: .io),
    Case(code: SQLITE_PERM, number: EPERM, locking: .protected, other: .io),
    Case(code: SQLITE_AUTH, number: 0, locking: .protected, other: .sql),
    Case(code: SQLITE_CANTOPEN, number: EACCES, locking: .io, other: .io),
    Case(code: SQLITE_IOERR | (1 << 8), number: EIO, locking: .io, other: .io),
  ]

  @Test(arguments: cases) func `what SQLite says of a locked file:`(_ example: Case) {
    let failure = SQLiteFailure(
      code: example.code, message: "no", sql: nil, systemNumber: example.number)
    #expect(failure.seedbedError(locksFiles: true).code == example.locking)
    #expect(failure.seedbedError(locksFiles: false).code == example.other)
  }

  @Test func `what the system says of one`() {
    let error = SeedbedError.system(.open, "/a/seedbed.lock", EPERM, locksFiles: true)
    #expect(error.code == .protected)
    #expect(
      error.message
        == "The device has locked '/a/seedbed.lock'. Nothing is wrong: try again later.")
    #expect(SeedbedError.system(.open, "/a", EPERM, locksFiles: false).code == .io)
    #expect(SeedbedError.system(.open, "/a", EACCES, locksFiles: true).code == .io)
  }

  /// The class of the database and of a new file, and what a backup does with them; nil is fine.
  static let classes: [(database: Int32, fresh: Int32, refusal: Int32?, set: [Int32])] = [
    (0, 0, nil, []), (-1, 3, EINVAL, []), (-1, -1, EPERM, []), (3, 3, ENOTTY, []),
    (1, 3, nil, [1]), (1, -1, nil, [1]), (1, 3, EPERM, [1]), (2, 3, ENOTSUP, [2]),
  ]

  @Test(arguments: classes)
  func `a backup keeps a class that can be read, and goes on without one`(
    database: Int32, fresh: Int32, refusal: Int32?, set: [Int32]
  ) throws {
    let shop = try Workshop()
    try shop.make()
    let tried = Guarded<[Int32]>([])
    var host = Seedbed.Host()
    host.protection.level = { [path = shop.database] in $0 == path ? database : fresh }
    host.protection.set = { _, level in
      tried.withLock { $0.append(level) }
      errno = refusal ?? 0
      return refusal == nil ? 0 : -1
    }
    let store = BackupStore(databasePath: shop.database, folder: nil, host: host)
    let error = seedbedError { _ = try store.take(version: 2) }
    #expect(tried.withLock { $0 } == set)
    #expect((error != nil) == (refusal != nil && !set.isEmpty))
    #expect(try store.list().count == (error == nil ? 1 : 0))
  }
}
