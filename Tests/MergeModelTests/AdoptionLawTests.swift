import Foundation
import TestSupport
import Testing

@testable import Seedbed

/// `SEEDBED_SEED`, `SEEDBED_FIRST` and `SEEDBED_HISTORIES` work as for histories.
@Suite struct AdoptionLawTests {
  @Test func `adopted at the last edition is adopted at the first and brought up`() throws {
    try HistoryQueue.play(Seeds.histories(40, of: 4000), "adoptions", Self.play)
  }

  private static func play(_ seed: UInt64) throws {
    let law = AdoptionLaw(seed: seed)
    let first = try end(law, adoptedAt: 1)
    let last = try end(law, adoptedAt: law.last)
    if first == last { return }
    throw Installation.Disagreement(
      description: """
        \(law.keys)
        adopted at 1:      \(first.subtracting(last).sorted())
        adopted at \(law.last):      \(last.subtracting(first).sorted())
        \(law.statements.joined(separator: "\n"))
        \(law.files.sorted { $0.key < $1.key }.map { "\($0.key)\n\($0.value)" }.joined())
        """)
  }

  /// All rows, with what they refer to, and all conflicts.
  private static func end(_ law: AdoptionLaw, adoptedAt version: Version) throws -> Set<String> {
    let bench = try Bench()
    let path = bench.folder + "/app.sqlite"
    let session = try Connection(path, .create, setup: nil)
    try session.executeAll("PRAGMA foreign_keys = ON;" + law.tables)
    for statement in law.statements { try session.execute(statement) }
    var options = Migrator.Options()
    options.takesBackup = false
    let catalog = try Catalog(files: law.files.mapValues { Array($0.utf8) })
    let migrator = Migrator(catalog: catalog, at: path, options: options)
    _ = try migrator.baseline(at: version)
    _ = try migrator.up()
    let key = law.keys == .ids ? "w.id" : "w.term"
    let id = law.keys == .terms ? "w.term" : "w.id"
    let queries = [
      "SELECT 'word', \(key), w.a, w.b, w.c, w.u, w.note FROM words w",
      "SELECT 'sense', \(key), w.u, s.nr, s.x, s.y, s.z FROM senses s "
        + "LEFT JOIN words w ON \(id) = s.word",
      "SELECT 'mine', \(key), w.u, m.text FROM mine m LEFT JOIN words w ON \(id) = m.word",
    ]
    let rows = try queries.flatMap { try session.rows($0) }.map { row in
      row.map { "\($0)" }.joined(separator: "|")
    }
    let conflicts = try migrator.conflicts().map { conflict in
      "conflict \(conflict.version) \(conflict.table) \(conflict.key.json) \(conflict.kind)"
    }
    return Set(rows + conflicts)
  }
}
