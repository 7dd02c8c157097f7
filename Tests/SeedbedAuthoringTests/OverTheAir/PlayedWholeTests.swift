import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring
@testable import SeedbedOverTheAir

/// Verbs that apply the catalog to a scratch database, with downloads that cannot be applied whole.
struct PlayedWholeTests {
  /// A database that a download brought to release 4, in which the user edited what release 3 set.
  private struct Device {
    let publisher: Publisher
    let good: String
    /// The same, with other bytes in the row file of release 3.
    let bad: String

    init() throws {
      publisher = try Publisher([

        "0003_words/words.update.csv": "id,word,was:word\n1,new,word 1\n"
      ])
      good = try publisher.download(publisher.bundle(since: 2), as: "good")
      let content = Array("id,word,was:word\n1,xyz,word 1\n".utf8)
      bad = try publisher.download(
        publisher.bundle(since: 2, content: ["0003_words/words.update.csv": content]), as: "bad")
      _ = try publisher.migrator(publisher.newest([good])).up()
      try publisher.bench.execute("UPDATE words SET word = 'mine' WHERE id = 1")
    }

    func migrator(_ downloads: [String]) throws -> Migrator {
      try publisher.migrator(publisher.newest(downloads))
    }

    /// Goes on to release 5: a bundle with that one alone, and one with all.
    func atFive() throws -> (late: String, whole: String) {
      try publisher.bench.write(["0005_words/words.csv": "id,word\n5,word 5\n"])
      try CatalogLock.write(directory: publisher.bench.catalog)
      let late = try publisher.download(publisher.bundle(since: 4), as: "late")
      _ = try migrator([late]).up()
      return (late, try publisher.download(publisher.bundle(since: 2), as: "whole"))
    }

    func word() throws -> String? {
      try Connection("\(publisher.bench.path)/app.sqlite", .readOnly, setup: nil)
        .value("SELECT word FROM words WHERE id = 1")?.text
    }
  }

  /// What shows the seed's value of row 1, by the name of the verb.
  private static let verbs: [(name: String, seed: @Sendable (Migrator) throws -> String?)] = [
    (
      "reseed",
      {
        _ = try $0.reseed("words", keys: ["1"])
        return nil
      }
    ),
    (
      "origin",
      {
        try $0.origin(of: Migrator.Row(["id"], [.integer(1)]), in: "words")?.original?["word"]?.text
      }
    ),
    ("suggestions", { try $0.suggestions().first?.base?.text }),
  ]

  @Test func `a damaged download gives way to the next best one`() throws {
    for verb in Self.verbs {
      let device = try Device()
      let found = try verb.seed(device.migrator([device.bad, device.good]))
      #expect(try (found ?? device.word()) == "new", "\(verb.name)")
    }
  }

  @Test func `without another, the error names the damaged download`() throws {
    for verb in Self.verbs {
      let device = try Device()
      let error = #expect(throws: SeedbedError.self, "\(verb.name)") {
        _ = try verb.seed(device.migrator([device.bad]))
      }
      #expect(error?.code == .newer && error?.version == 4, "\(verb.name)")
      #expect(error?.message.contains("'\(device.bad)' was passed over: it is damaged") == true)
      #expect(error?.message.contains("0003_words/words.update.csv") == true)
      #expect(try device.word() == "mine", "\(verb.name)")
    }
  }

  // MARK: bundles that leave out releases

  @Test func `a bundle that leaves out applied releases gives way to a whole one`() throws {
    let device = try Device()
    let (late, whole) = try device.atFive()
    let migrator = try device.migrator([late, whole])
    #expect(try migrator.reseed("words", keys: ["1"]).changedKeys.count == 1)
    #expect(try device.word() == "new")
  }

  @Test func `only what is undone must be in the bundle`() throws {
    let device = try Device()
    let (late, _) = try device.atFive()
    let migrator = try device.migrator([late])
    #expect(try migrator.down(to: 4).to == 4)
    let error = #expect(throws: SeedbedError.self) { _ = try migrator.down(to: 3) }
    #expect(error?.code == .newer && error?.message.contains("at 4, and this needs") == true)
    #expect(error?.message.contains("leaves out the releases up to 4") == true)
  }

  // MARK: other than whole catalogs

  /// Rows of `words` by a catalog that has no download.
  private struct Catalogs {
    let bench: Workbench

    init(_ files: [String: String]) throws {
      var all = ["0001_words/up.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);"]
      all["0001_words/words.csv"] = "id,word\n1,one\n"
      bench = try Workbench(all.merging(files) { $1 })
    }

    func migrator() throws -> Migrator {
      var options = Migrator.Options()
      (options.takesBackup, options.allowsOutOfOrder) = (false, true)
      return try Migrator(
        catalog: Catalog(directory: bench.catalog), at: bench.database, options: options)
    }

    func kind(_ id: Int64) throws -> Migrator.Origin.Kind? {
      try migrator().origin(of: Migrator.Row(["id"], [.integer(id)]), in: "words")?.kind
    }
  }

  @Test func `a release that was withdrawn after it was applied stays the seed's`() throws {
    let catalogs = try Catalogs(["0002_more/words.csv": "id,word\n2,two\n"])
    _ = try catalogs.migrator().up()
    try catalogs.bench.write(["0002_more/migration.json": #"{"withdrawn": true}"#])
    #expect(try catalogs.kind(2) == .seed)
    try catalogs.bench.execute("DELETE FROM words")
    #expect(try catalogs.migrator().reseed("words").counts.inserted == 2)
    #expect(try catalogs.migrator().emptiedTables().isEmpty)
    try catalogs.bench.execute("DELETE FROM words")
    #expect(try catalogs.migrator().emptiedTables().map(\.rows) == [2])
  }

  @Test func `a release that was skipped as withdrawn is not the seed's`() throws {
    let catalogs = try Catalogs([
      "0002_more/words.csv": "id,word\n2,two\n",
      "0002_more/migration.json": #"{"withdrawn": true}"#,
    ])
    _ = try catalogs.migrator().up()
    try catalogs.bench.remove("0002_more/migration.json")
    #expect(try catalogs.kind(2) == nil)
    #expect(try catalogs.migrator().reseed("words").counts.inserted == 0)
  }

  @Test func `a release that is pending below the last one is not the seed's`() throws {
    let catalogs = try Catalogs(["0003_more/words.csv": "id,word\n3,three\n"])
    _ = try catalogs.migrator().up()
    try catalogs.bench.write(["0002_more/words.csv": "id,word\n2,two\n"])
    #expect(try catalogs.kind(2) == nil)
    #expect(try catalogs.migrator().reseed("words").counts.inserted == 0)
    _ = try catalogs.migrator().up()
    #expect(try catalogs.kind(2) == .seed)
  }
}
