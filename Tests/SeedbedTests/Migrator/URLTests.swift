import Foundation
import Testing

@testable import Seedbed

/// Databases and catalogs by their URLs.
struct URLTests {
  static let others = ["https://a.b/c", "sqlite:///c", "of-no-file.sqlite"]

  @Test(arguments: others)
  func `a URL that is no file URL makes nothing`(_ text: String) throws {
    let device = try Device(["0001_t/up.sql": "CREATE TABLE t (a);"])
    let url = try #require(URL(string: text))
    let error = #expect(throws: SeedbedError.self) {
      try Migrator(catalog: Catalog(directory: device.catalog), at: url)
    }
    #expect(error?.code == .usage)
    #expect(
      error?.message == "'\(text)' is not a file URL. Make one from a path with "
        + "URL(fileURLWithPath:).")
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
    let migrator = try Migrator(
      catalog: Catalog(directory: URL(fileURLWithPath: device.catalog)), at: url)
    #expect(migrator.path == device.database)
    try migrator.up()
    #expect(try device.rows("SELECT count(*) FROM t") == ["0"])
  }

  @Test func `a time of the ledger is a date`() {
    let time = Migrator.Timestamp(text: "2026-11-20T08:12:44.120Z")
    #expect(time.date?.timeIntervalSince1970 == 1_795_162_364.12)
    #expect(Migrator.Timestamp(text: "yesterday").date == nil)
    #expect(Migrator.Timestamp(ofBackup: "20261120T081244.120Z") == time)
  }
}
