import Foundation
import Seedbed
import SeedbedAuthoring
import TestSupport
import Testing

struct CatalogBundleTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "/seedbed-bundle-" + UUID().uuidString

    init(_ files: [String: String]) throws {
      for (file, text) in files {
        let url = URL(fileURLWithPath: path + "/Migrations/" + file)
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var catalog: String { path + "/Migrations" }
    var out: String { path + "/Out/Migrations" }

    func files(_ folder: String) throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: folder)
        .filter { URL(fileURLWithPath: folder + "/" + $0).hasDirectoryPath == false }
        .filter { $0.contains(".") }.sorted()
    }
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
    let folder = try Folder(Self.files)
    let lock = try CatalogLock.write(directory: folder.catalog)
    let summary = try CatalogBundle.write(directory: folder.catalog, to: folder.out)
    #expect(
      try folder.files(folder.out) == [
        "0001_t/schema.sql", "0001_t/t.csv.gz", "0001_t/up.sql", "0002_t/after.sql",
        "0002_t/migration.json", "0002_t/t.update.csv.gz", "0002_t/verify.sql", "catalog.json",
        "seedbed.lock",
      ])
    #expect(summary.version == 2 && summary.rows == lock.rows)
    #expect(summary.path == (try CatalogLock.write(directory: folder.out)).path)
    // A device at the original's first version goes on with the bundle.
    let database = folder.path + "/app.sqlite"
    let original = Migrator(
      catalog: try Catalog(directory: folder.catalog), at: database)
    #expect(try original.up(to: 1).migrations.count == 1)
    let bundled = Migrator(catalog: try Catalog(locked: folder.out), at: database)
    #expect(try bundled.up().migrations.map(\.version) == [2])
    #expect(try original.verify() == [])
    #expect(try bundled.verify() == [])
  }

  @Test func `it is the same each time, and real gzip reads it`() throws {
    let folder = try Folder(Self.files)
    _ = try CatalogLock.write(directory: folder.catalog)
    func bytes() throws -> [Data] {
      _ = try CatalogBundle.write(directory: folder.catalog, to: folder.out, withDown: true)
      return try folder.files(folder.out).map {
        try Data(contentsOf: URL(fileURLWithPath: folder.out + "/" + $0))
      }
    }
    let first = try bytes()
    #expect(try bytes() == first)
    #expect(try folder.files(folder.out).contains("0002_t/after.down.sql"))
    #expect(try Child.run(["gzip", "-t", folder.out + "/0001_t/t.csv.gz"]).code == 0)
  }

  @Test(arguments: ["same", "link", "other"])
  func `a catalog is no bundle, and keeps its source`(_ place: String) throws {
    let folder = try Folder(Self.files)
    _ = try CatalogLock.write(directory: folder.catalog)
    let manager = FileManager.default
    let target = place == "same" ? folder.catalog : folder.path + "/" + place
    if place == "link" {
      try manager.createSymbolicLink(atPath: target, withDestinationPath: folder.catalog)
    } else if place == "other" {
      try manager.copyItem(atPath: folder.catalog, toPath: target)
    }
    let before = try folder.files(folder.path)
    let error = #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: folder.catalog, to: target)
    }
    #expect(error?.code == .usage && error?.message.contains("is not a bundle") == true)
    #expect(try folder.files(folder.path) == before)
  }

  @Test func `what is no bundle is not overwritten, and a stale lock is refused`() throws {
    let folder = try Folder(Self.files)
    #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: folder.catalog, to: folder.out)
    }
    _ = try CatalogLock.write(directory: folder.catalog)
    try FileManager.default.createDirectory(
      atPath: folder.out, withIntermediateDirectories: true)
    let own = URL(fileURLWithPath: folder.out + "/own.txt")
    try Data("mine".utf8).write(to: own)
    let error = #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: folder.catalog, to: folder.out)
    }
    #expect(error?.code == .usage)
    #expect(try Data(contentsOf: own) == Data("mine".utf8))
    try FileManager.default.removeItem(at: own)
    try Data("id,a\n1,x\n".utf8).write(
      to: URL(fileURLWithPath: folder.catalog + "/0001_t/t.csv"))
    #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: folder.catalog, to: folder.out)
    }
    #expect(try folder.files(folder.out) == [])
  }
}
