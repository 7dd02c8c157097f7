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
}
