import Foundation
import Testing
import TestSupport

@testable import Seedbed

/// Bundles that nobody at Seedbed wrote: each bad one is refused where it is wrong and leaves the
/// database alone, and each good one is taken.
@Suite struct CorpusTests {
  @Test(arguments: BadCase.all)
  func `a bad bundle is refused`(_ test: BadCase) throws {
    let place = try Place(in: Place.memory)
    try place.write(test.bundle)
    try Victim.place(in: place)
    let before = try Data(contentsOf: URL(fileURLWithPath: place.database))
    let dump = try Database(place.database).dump()

    let error = Self.failure(test.bundle, in: place)
    #expect(error.map(Self.words) == test.expected, "\(error?.description ?? "accepted")")
    #expect(error?.isDatabaseUnchanged == true)

    if test.isBeforeTheRun {
      let after = try Data(contentsOf: URL(fileURLWithPath: place.database))
      #expect(after == before)
      #expect(try place.names() == ["Migrations", "app.sqlite"])
    }
    let database = try Database(place.database)
    #expect(try database.dump() == dump)
    #expect(try database.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test(arguments: GoodCase.all)
  func `a good bundle is taken`(_ test: GoodCase) throws {
    let place = try Place(in: Place.memory)
    try place.write(test.bundle)
    try Victim.place(in: place)
    let error = Self.failure(test.bundle, in: place)
    #expect(error == nil, "\(error?.description ?? "")")
    let database = try Database(place.database)
    #expect(try database.rows(test.query).joined(separator: " / ") == test.expected)
    #expect(try database.rows("PRAGMA integrity_check") == ["ok"])
    #expect(try database.rows("PRAGMA foreign_key_check") == [])
  }

  @Test func `the corpus has its size, and no case twice`() {
    print("hostile corpus: \(BadCase.all.count) bad bundles, \(GoodCase.all.count) good ones")
    for (family, cases) in BadCase.families { print("  bad   \(cases.count)  \(family)") }
    for (family, cases) in GoodCase.families { print("  good  \(cases.count)  \(family)") }
    #expect(BadCase.all.count >= 400)
    #expect(GoodCase.all.count >= 150)
    let names =
      BadCase.families.flatMap { family in family.1.map { "\(family.0), bad: \($0.name)" } }
      + GoodCase.families.flatMap { family in family.1.map { "\(family.0), good: \($0.name)" } }
    let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys
    #expect(twice.sorted() == [])
  }

  /// What `up` throws; nil where it takes the bundle.
  static func failure(_ bundle: Bundle, in place: Place) -> SeedbedError? {
    do {
      let catalog =
        try bundle.isLocked || bundle.files["seedbed.lock"] != nil
        ? Catalog(locked: place.catalog) : Catalog(directory: place.catalog)
      var options = Migrator.Options()
      options.takesBackup = false
      _ = try Migrator(catalog: catalog, at: place.database, options: options).up()
      return nil
    } catch {
      return error
    }
  }

  static func words(_ error: SeedbedError) -> String {
    [error.code.rawValue, error.place?.description].compactMap { $0 }.joined(separator: " ")
  }
}
