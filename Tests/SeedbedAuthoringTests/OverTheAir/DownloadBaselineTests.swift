import Foundation
import TestSupport
import Testing

@testable import Seedbed
@testable import SeedbedAuthoring

/// Databases that have the rows of a download without having applied it.
struct DownloadBaselineTests {
  @Test func `a database that a download is the baseline of remembers who signed it`() throws {
    for usesHook in [false, true] {
      let publisher = try Publisher()
      let path = try publisher.download(publisher.bundle(since: 2))
      try Connection(publisher.bench.database, .create, setup: nil).executeAll(
        """
        CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);
        INSERT INTO words VALUES (1, 'word 1'), (2, 'word 2'), (3, 'word 3'), (4, 'mine');
        """)
      var migrator = publisher.migrator(try publisher.newest([path]))
      if usesHook {
        migrator.hooks.adoption = { _ in .version(4) }
        _ = try migrator.up()
      } else {
        let adopted = try migrator.baselinePlan(at: 4).adopted
        #expect(adopted?.tables.first?.unchanged == 3 && adopted?.conflictCount == 1)
        _ = try migrator.baseline(at: 4)
      }
      #expect(try migrator.status().signedHeads.map(\.version) == [4])
      try FileManager.default.removeItem(atPath: path)
      let later = publisher.migrator(try publisher.newest([path]))
      #expect(try later.up().outcome == .upToDate && later.status().state == .upToDate)
    }
  }

  @Test func `a download does not take away what the app says of old databases`() throws {
    let publisher = try Publisher([
      "catalog.json": #"{"id": "\#(Publisher.id)", "adopt": 2}"#, "0001_words/up.sql": "SELECT 1;",
      "0001_words/schema.sql": "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT);",
    ])
    _ = try publisher.shipped()
    try publisher.bench.write(["catalog.json": #"{"id": "\#(Publisher.id)"}"#])
    try CatalogLock.write(directory: publisher.bench.catalog)
    let path = try publisher.download(
      publisher.bundle(since: 2), as: "later")
    try Connection(publisher.bench.database, .create, setup: nil).executeAll(
      """
      CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT); INSERT INTO words VALUES (2, 'word 2')
      """)
    let report = try publisher.migrator(try publisher.newest([path])).up()
    #expect(report.adopted?.version == 2 && report.to == 4, "\(report)")
    #expect(try publisher.bench.rows("SELECT id FROM words ORDER BY id") == [[1], [2], [3], [4]])
  }

  @Test func `a database is no baseline of a download that it cannot take`() throws {
    let publisher = try Publisher()
    let late = try publisher.download(publisher.bundle(since: 3), as: "late")
    let migrator = publisher.migrator(try publisher.newest([late]))
    _ = try migrator.up()
    let error = #expect(throws: SeedbedError.self) { _ = try migrator.baseline(at: 4) }
    #expect(error?.code == .usage)
  }
}
