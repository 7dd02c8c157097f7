import CSeedbedSQLite
import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// Which SQLite there is, and which is too old.
struct LibraryVersionTests {
  private static let old =
    "This program runs with SQLite 3.37.2, and Seedbed needs 3.38 or newer. Update the system, or "
    + "link the program to a newer SQLite."

  @Test func `a database is not opened with an SQLite that is too old`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);"])
    func refuses(_ call: (Migrator) throws -> Void) throws {
      let error = try #require(throws: SeedbedError.self) {
        try LibraryVersion.$number.withValue(3_037_002) { try call(device.migrator()) }
      }
      #expect(error.code == .io && error.message == Self.old)
    }
    try refuses { _ = try $0.up() }
    #expect(!FileManager.default.fileExists(atPath: device.database))
    try device.up()
    try refuses { _ = try $0.up() }
    try refuses { _ = try $0.status() }
    try refuses { _ = try $0.outlook() }
  }

  @Test func `nor is a handle taken that is lent with one`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);"])
    let app = try AppHandle(device.database)
    let error = try #require(throws: SeedbedError.self) {
      try LibraryVersion.$number.withValue(3_037_002) {
        _ = try LentHandleTests.lent(device).up(on: app.handle)
      }
    }
    #expect(error.message == Self.old)
    #expect(try app.values("SELECT name FROM sqlite_schema") == [])
  }

  @Test func `the oldest that is taken is the one that the pages promise`() throws {
    let oldest = LibraryVersion.text(LibraryVersion.oldest)
    try LibraryVersion.$number.withValue(LibraryVersion.oldest) { try LibraryVersion.refuseOld() }
    for page in [
      "README.md", "Documentation/CatalogFormat.md", "Sources/Seedbed/Seedbed.docc/Limits.md",
    ] {
      #expect(try Checkout.text(page).contains("SQLite \(oldest) or newer"), "\(page)")
    }
    #expect(try Checkout.text("Scripts/test-sqlite").contains("\noldest=\(oldest)\n"))
  }

  /// `Scripts/test-sqlite` says which one it put in place, and reads which one was there.
  @Test func `the version that was asked for is in use`() throws {
    let version = String(cString: sqlite3_libversion())
    print("SQLite \(version) is in use.")
    guard let asked = ProcessInfo.processInfo.environment["SEEDBED_SQLITE"] else { return }
    #expect(version == asked || version.hasPrefix(asked + "."))
    // The command that other tests run, in a process of its own.
    let device = try Device(["0001_v/verify.sql": "SELECT sqlite_version() AS version"])
    let (_, output) = try Child.run([
      Child.migrate, "up", "--migrations", device.catalog, "--database", device.database,
    ])
    #expect(output.contains("version = '\(version)'"), "\(output)")
  }
}
