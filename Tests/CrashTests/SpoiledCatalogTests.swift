import Foundation
import Seedbed
import SeedbedFaults
import TestSupport
import Testing

/// A catalog with a file that must not be applied is refused, and the database stays as it is.
@Suite struct SpoiledCatalogTests {
  @Test(arguments: SpoiledCatalog.all)
  func `a spoiled file is refused`(_ catalog: SpoiledCatalog) throws {
    let problem = try catalog.problem()
    #expect(problem == nil)
  }
}

/// Two columns and a file of rows that is wrong in one way, beside no lock: the file alone tells.
struct SpoiledCatalog: Sendable, CustomTestStringConvertible {
  var name: String
  var file = "words.csv"
  var bytes: [UInt8]
  var code: SeedbedError.Code
  /// Behind the file's name in the error.
  var place = ""

  var testDescription: String { name }

  init(_ name: String, _ text: String, _ place: String) {
    self.name = name
    bytes = Array(text.utf8)
    code = .csv
    self.place = place
  }

  init(_ name: String, gzip: [UInt8]) {
    self.name = name
    file = "words.csv.gz"
    bytes = gzip
    code = .gzip
  }

  private static let good = "id,lemma\n1,one\n2,two\n"
  private static let packed = Gzip(Array(good.utf8), level: 0).bytes

  static let all = [
    SpoiledCatalog("a short record", "id,lemma\n1,one\n2\n", ":3:2"),
    SpoiledCatalog("a quote that nothing ends", "id,lemma\n1,one\n2,\"two\n", ":3:3"),
    SpoiledCatalog("text after a closing quote", "id,lemma\n1,\"one\"s\n", ":2:8"),
    SpoiledCatalog("a NUL", "id,lemma\n1,o\0e\n", ":2:4"),
    SpoiledCatalog("a word for a number", "id,lemma\none,one\n", ":2:1"),
    SpoiledCatalog("a member cut short", gzip: packed.dropLast(9)),
    SpoiledCatalog("a wrong sum", gzip: packed.dropLast(8) + [1] + packed.suffix(7)),
    SpoiledCatalog("bytes behind the last member", gzip: packed + Array("more".utf8)),
    SpoiledCatalog("zeros behind the last member", gzip: packed + [0, 0, 0]),
  ]

  /// What is wrong with how it ended; nil where it was refused as it must be.
  func problem() throws -> String? {
    let home = try Place(in: Place.memory)
    try home.write(
      "Migrations/0001_words/up.sql", "CREATE TABLE words (id INTEGER PRIMARY KEY, lemma TEXT);")
    try home.write("Migrations/0001_words/" + file, bytes)
    let path = home.path + "/" + Subject.database
    try Reader(path, creates: true).run(Scenario.notes)
    let before = try DatabaseDump(path)
    let catalog = try Catalog(directory: home.path + "/Migrations")
    do {
      _ = try Migrator(catalog: catalog, at: path).up()
      return "it was applied"
    } catch {
      if error.code != code { return "the code is \(error.code): \(error)" }
      let start = "0001_words/\(file)\(place): "
      if !error.description.hasPrefix(start) { return "it does not begin with \(start): \(error)" }
    }
    let after = try DatabaseDump(path)
    return after == before ? nil : after.difference(from: before)
  }
}
