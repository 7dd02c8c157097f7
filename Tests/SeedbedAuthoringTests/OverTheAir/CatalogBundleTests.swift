import Foundation
import Seedbed
import SeedbedAuthoring
import TestSupport
import Testing

struct CatalogBundleTests {
  private func place() throws -> Place {
    let place = try Place()
    for (file, text) in Self.files { try place.write("Migrations/" + file, text) }
    return place
  }

  private static let files = [
    "catalog.json": "{\"tables\": {\"t\": {\"source\": \"data/t.csv\"}}}",
    "data/t.csv": "id,a\n1,x\n2,y\n",
    "0001_t/up.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
    "0001_t/down.sql": "DROP TABLE t;",
    "0001_t/schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);",
    "0001_t/t.csv": "id,a\n1,x\n2,y\n",
    "0002_t/t.update.csv": "id,a,was:a\n1,z,x\n",
    "0002_t/after.sql": "SELECT 1;", "0002_t/after.down.sql": "SELECT 1;",
    "0002_t/verify.sql": "SELECT 1 WHERE 0;",
    "0002_t/migration.json": "{\"description\": \"the second\"}",
  ]

  @Test func `a device gets what it needs, compressed, under the same chain`() throws {
    let place = try place()
    let lock = try CatalogLock.write(directory: place.catalog)
    let summary = try CatalogBundle.write(directory: place.catalog, to: place.out)
    #expect(
      try place.files(place.out) == [
        "0001_t/schema.sql", "0001_t/t.csv.gz", "0001_t/up.sql", "0002_t/after.sql",
        "0002_t/migration.json", "0002_t/t.update.csv.gz", "0002_t/verify.sql", "catalog.json",
        "seedbed.lock",
      ])
    #expect(summary.version == 2 && summary.rows == lock.rows)
    #expect(summary.path == (try CatalogLock.write(directory: place.out)).path)
    // A device at the original's first version goes on with the bundle.
    let database = place.path + "/app.sqlite"
    let original = Migrator(
      catalog: try Catalog(directory: place.catalog), at: database)
    #expect(try original.up(to: 1).migrations.count == 1)
    let bundled = Migrator(catalog: try Catalog(locked: place.out), at: database)
    #expect(try bundled.up().migrations.map(\.version) == [2])
    #expect(try original.verify() == [])
    #expect(try bundled.verify() == [])
  }

  @Test func `it is the same each time, and real gzip reads it`() throws {
    let place = try place()
    _ = try CatalogLock.write(directory: place.catalog)
    func bytes() throws -> [Data] {
      _ = try CatalogBundle.write(directory: place.catalog, to: place.out, withDown: true)
      return try place.files(place.out).map {
        try Data(contentsOf: URL(fileURLWithPath: place.out + "/" + $0))
      }
    }
    let first = try bytes()
    #expect(try bytes() == first)
    #expect(try place.files(place.out).contains("0002_t/after.down.sql"))
    #expect(try Child.run(["gzip", "-t", place.out + "/0001_t/t.csv.gz"]).code == 0)
  }

  @Test(arguments: ["same", "link", "other"])
  func `a catalog is no bundle, and keeps its source`(_ other: String) throws {
    let place = try place()
    _ = try CatalogLock.write(directory: place.catalog)
    let manager = FileManager.default
    let target = other == "same" ? place.catalog : place.path + "/" + other
    if other == "link" {
      try manager.createSymbolicLink(atPath: target, withDestinationPath: place.catalog)
    } else if other == "other" {
      try manager.copyItem(atPath: place.catalog, toPath: target)
    }
    let before = try place.files(place.path)
    let error = #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: place.catalog, to: target)
    }
    #expect(error?.code == .usage && error?.message.contains("is not a bundle") == true)
    #expect(try place.files(place.path) == before)
  }

  @Test func `what is no bundle is not overwritten, and a stale lock is refused`() throws {
    let place = try place()
    #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: place.catalog, to: place.out)
    }
    _ = try CatalogLock.write(directory: place.catalog)
    try place.write("Out/Migrations/own.txt", "mine")
    let error = #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: place.catalog, to: place.out)
    }
    #expect(error?.code == .usage)
    #expect(try place.text("Out/Migrations/own.txt") == "mine")
    try place.remove("Out/Migrations/own.txt")
    try place.write("Migrations/0001_t/t.csv", "id,a\n1,x\n")
    #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: place.catalog, to: place.out)
    }
    #expect(try place.files(place.out) == [])
  }
}

extension Place {
  fileprivate var catalog: String { path + "/Migrations" }
  fileprivate var out: String { path + "/Out/Migrations" }

  fileprivate func files(_ folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { URL(fileURLWithPath: folder + "/" + $0).hasDirectoryPath == false }
      .filter { $0.contains(".") }.sorted()
  }
}
