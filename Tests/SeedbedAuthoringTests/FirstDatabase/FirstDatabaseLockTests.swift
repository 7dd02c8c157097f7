import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

struct FirstDatabaseLockTests {
  /// Built to the second of three, with a lock that names it.
  private func fixture(_ more: [String: String] = [:]) throws -> Place {
    let fixture = try Place(FirstDatabaseTests.files.merging(more) { $1 })
    _ = try CatalogLock.write(directory: fixture.path)
    _ = try FirstDatabase.build(directory: fixture.path, version: 2)
    return fixture
  }

  private func findings(_ fixture: Place) throws -> [String] {
    try CatalogLock.check(directory: fixture.path).map { error in
      "\(error.place?.file ?? "-"): \(error.message) \(error.remedies)"
    }
  }

  @Test func `build adds its line, which stands outside of the chain`() throws {
    let plain = try Place(FirstDatabaseTests.files)
    _ = try CatalogLock.write(directory: plain.path)
    let fixture = try fixture()
    let lines = try fixture.text("seedbed.lock").split(separator: "\n").map(String.init)
    let before = try plain.text("seedbed.lock").split(separator: "\n").map(String.init)
    let lock = try #require(try Catalog(directory: fixture.path).existingLock()).lock
    let first = try #require(lock.first)
    #expect(lines[0].hasPrefix("seedbed.lock 2: ") && before[0].hasPrefix("seedbed.lock 1: "))
    #expect(lines[1] == before[1])
    #expect(lines[3] == first.line && Array(lines[4...]) == Array(before[3...]))
    #expect(first.version == 2 && first.chain == lock.chain(of: 2))
    #expect(
      first.line == "data/first.sqlite \(first.size) 2 \(first.chain) \(first.digest)")
    // A device reads it like any other.
    #expect(try Catalog(locked: fixture.path).migrations().count == 3)
    #expect(try findings(fixture) == [])
  }

  @Test func `lock writes the same line, and keeps it as releases come`() throws {
    let fixture = try fixture()
    let text = try fixture.text("seedbed.lock")
    #expect(try CatalogLock.write(directory: fixture.path).isChanged == false)
    try fixture.remove("seedbed.lock")
    #expect(try CatalogLock.write(directory: fixture.path).first == 2)
    #expect(try fixture.text("seedbed.lock") == text)
    try fixture.write("0004_next/words.csv", "id,word\n600,next\n")
    _ = try CatalogLock.write(directory: fixture.path)
    #expect(try findings(fixture) == [])
    try fixture.remove("data/first.sqlite")
    #expect(try CatalogLock.write(directory: fixture.path).first == nil)
    #expect(try fixture.text("seedbed.lock").hasPrefix("seedbed.lock 1: "))
  }

  @Test func `what does not fit the lock or the catalog is a finding`() throws {
    let fixture = try fixture()
    let place = fixture.path + "/data/first.sqlite"
    let built = try Data(contentsOf: URL(fileURLWithPath: place))
    // Another layout is another file.
    try fixture.remove("data/first.sqlite")
    #expect(
      try findings(fixture) == [
        "data/first.sqlite: This is in seedbed.lock, but not in the folder. Write the lock again, "
          + "or build it again. [Seedbed.SeedbedError.Remedy.buildFirstDatabase]"
      ])
    let other = fixture.path + "/other.sqlite"
    _ = try FirstDatabase.build(directory: fixture.path, to: other)
    try FileManager.default.moveItem(atPath: other, toPath: place)
    #expect(try findings(fixture).first?.contains("not the file that seedbed.lock names") == true)
    // The author changes the second migration.
    try built.write(to: URL(fileURLWithPath: place))
    try fixture.write("0002_less/words.delete.csv", "id,word,rank\n1,word 1,1.5\n")
    _ = try CatalogLock.write(directory: fixture.path)
    #expect(
      try findings(fixture) == [
        "data/first.sqlite: This was made to version 2 of other migrations than the catalog has, "
          + "so devices would not begin with it. Build it again. "
          + "[Seedbed.SeedbedError.Remedy.buildFirstDatabase]"
      ])
    #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: fixture.path, to: fixture.path + "/Out")
    }
    _ = try FirstDatabase.build(directory: fixture.path)
    #expect(try findings(fixture) == [])
  }

  @Test func `a file that the lock does not know is a finding, and so is no database`() throws {
    let fixture = try Place(FirstDatabaseTests.files)
    _ = try FirstDatabase.build(directory: fixture.path)
    let built = try Data(contentsOf: URL(fileURLWithPath: fixture.path + "/data/first.sqlite"))
    try fixture.remove("data/first.sqlite")
    _ = try CatalogLock.write(directory: fixture.path)
    try fixture.write("data/first.sqlite", Array(built))
    #expect(
      try findings(fixture) == [
        "data/first.sqlite: This is not in seedbed.lock. Write the lock again. "
          + "[Seedbed.SeedbedError.Remedy.writeLock]"
      ])
    try fixture.write("data/first.sqlite", "a text of some length")
    let words = "This is not a database that new devices can begin with"
    #expect(try findings(fixture).first?.contains(words) == true)
    let error = #expect(throws: SeedbedError.self) {
      try CatalogLock.write(directory: fixture.path)
    }
    #expect(error?.message.contains(words) == true && error?.remedies == [.buildFirstDatabase])
  }

  @Test func `build changes no other line of a lock, and trusts none that is stale`() throws {
    let fixture = try fixture(["catalog.json": "{}"])
    let text = try fixture.text("seedbed.lock")
    _ = try FirstDatabase.build(directory: fixture.path, version: 2)
    #expect(try fixture.text("seedbed.lock") == text)
    try fixture.write("0001_words/words.csv", "id,word\n1,x\n")
    let error = #expect(throws: SeedbedError.self) {
      try FirstDatabase.build(directory: fixture.path)
    }
    #expect(error?.place?.file == "0001_words/words.csv")
    #expect(try fixture.text("seedbed.lock") == text)
  }

  // MARK: the bundle

  @Test func `a bundle takes it along if catalog.json says so`() throws {
    let fixture = try fixture(["catalog.json": #"{"build": true}"#])
    let out = fixture.path + "/Out"
    func bundled() throws -> Bool {
      let summary = try CatalogBundle.write(directory: fixture.path, to: out)
      #expect(try CatalogLock.check(directory: out) == [])
      #expect(try Catalog(locked: out).chain == Catalog(locked: fixture.path).chain)
      let isThere = FileManager.default.fileExists(atPath: out + "/data/first.sqlite")
      #expect((summary.first != nil) == isThere)
      return isThere
    }
    #expect(try bundled())
    // The bundle with it is still known as one.
    try fixture.write("catalog.json", #"{"build": false}"#)
    _ = try CatalogLock.write(directory: fixture.path)
    #expect(try bundled() == false)
    try fixture.write("catalog.json", #"{"build": true}"#)
    try fixture.remove("data/first.sqlite")
    _ = try CatalogLock.write(directory: fixture.path)
    let error = #expect(throws: SeedbedError.self) {
      try CatalogBundle.write(directory: fixture.path, to: out)
    }
    #expect(error?.place?.file == "catalog.json" && error?.remedies == [.buildFirstDatabase])
    try fixture.write("catalog.json", #"{"build": "yes"}"#)
    let refused = #expect(throws: SeedbedError.self) {
      try CatalogLock.write(directory: fixture.path)
    }
    #expect(refused?.message.contains("true or false") == true)
  }
}
