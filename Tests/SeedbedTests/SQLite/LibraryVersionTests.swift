import CSeedbedSQLite
import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// Which SQLite there is, and which is too old.
struct LibraryVersionTests {
  @Test func `a database is not opened with an SQLite that is too old`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY);"])
    let environment = try OldSQLite.environment(in: device.path)
    func expectRefusal(of verb: String) throws {
      let (code, output) = try Child.run(
        [Child.migrate, verb, "--migrations", device.catalog, "--database", device.database],
        environment: environment)
      #expect(code == 2 && output == OldSQLite.refusal + "\n", "\(verb)")
    }
    try expectRefusal(of: "up")
    #expect(!FileManager.default.fileExists(atPath: device.database))
    try device.up()
    for verb in ["up", "status", "plan", "verify", "conflicts"] { try expectRefusal(of: verb) }
  }

  @Test func `the oldest that is taken is the one that the pages promise`() throws {
    let oldest = LibraryVersion.text(LibraryVersion.oldest)
    for page in [
      "README.md", "Documentation/CatalogFormat.md", "Sources/Seedbed/Seedbed.docc/Limits.md",
    ] {
      #expect(try Checkout.text(page).contains("SQLite \(oldest) or newer"), "\(page)")
    }
    #expect(try Checkout.text("Scripts/checks/test-sqlite").contains("\noldest=\(oldest)\n"))
  }

  /// `Scripts/checks/test-sqlite` says which one it put in place, and reads which one was there.
  @Test func `the version that was asked for is in use`() throws {
    let version = String(cString: sqlite3_libversion())
    print("SQLite \(version) is in use.")
    let environment = ProcessInfo.processInfo.environment
    guard let asked = environment["SEEDBED_SQLITE"] else { return }
    #expect(version == asked || version.hasPrefix(asked + "."))
    let option = environment["SEEDBED_SQLITE_OPTION"] ?? ""
    #expect(option.isEmpty || sqlite3_compileoption_used(option) == 1, "\(option)")
    // The command that other tests run, in a process of its own.
    let device = try Device(["0001_v/verify.sql": "SELECT sqlite_version() AS version"])
    let (_, output) = try Child.run([
      Child.migrate, "up", "--migrations", device.catalog, "--database", device.database,
    ])
    #expect(output.contains("version = '\(version)'"), "\(output)")
  }
}
