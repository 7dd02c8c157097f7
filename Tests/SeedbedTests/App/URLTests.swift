import Foundation
import Testing

@testable import Seedbed

/// Databases and catalogs by their URLs.
struct URLTests {
  static let others = ["https://a.b/c", "sqlite:///c", "app.sqlite"]

  @Test(arguments: others)
  func `a URL that is no file URL makes nothing`(_ text: String) throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a);"])
    let url = try #require(URL(string: text))
    let migrator = Migrator(
      catalog: try Catalog(directory: device.catalog), database: .file(url))
    let calls: [() throws -> Void] = [
      { _ = try migrator.up() }, { _ = try migrator.plan() }, { _ = try migrator.status() },
      { _ = try migrator.down(to: 0) }, { _ = try migrator.verify() },
      { _ = try migrator.backups() }, { _ = try migrator.restore() },
      { _ = try migrator.conflicts() }, { _ = try migrator.pruneConflicts() },
      { _ = try migrator.isUpToDate() }, { _ = try migrator.isDatabaseNewer() },
      { _ = try migrator.estimate() }, { _ = try migrator.baseline(at: 1) },
      { _ = try migrator.reseed("t") },
    ]
    for (number, call) in calls.enumerated() {
      let error = #expect(throws: SeedbedError.self, "call \(number)") { try call() }
      #expect(error?.code == .usage, "call \(number)")
      #expect(
        error?.message
          == "'\(text)' is no file URL. Make one of a path with URL(fileURLWithPath:).")
    }
    #expect(!FileManager.default.fileExists(atPath: url.path))
  }

  @Test(arguments: others)
  func `a catalog has no other URL either`(_ text: String) throws {
    let url = try #require(URL(string: text))
    for call in [
      { _ = try Catalog(directory: url) }, { _ = try Catalog(locked: url) },
    ] as [() throws -> Void] {
      #expect(#expect(throws: SeedbedError.self) { try call() }?.code == .usage)
    }
  }

  @Test func `a file URL is its path`() throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a);"])
    let url = URL(fileURLWithPath: device.database)
    #expect(Migrator.Database.file(url) == .file(device.database))
    _ = try Migrator(
      catalog: try Catalog(directory: URL(fileURLWithPath: device.catalog)), database: .file(url)
    ).up()
    #expect(try device.rows("SELECT count(*) FROM t") == ["0"])
  }
}
